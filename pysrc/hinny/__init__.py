"""Hinny: hybrid search that runs whole in the reader's browser, in Python.

The names below are bound on first use, so that `import hinny` costs nothing and pulls in no numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Public name -> the private module that defines it.
_HOME: dict[str, str] = {
    "Candidate": "hinny.records",
    "ColbertRetriever": "hinny.late.retriever",
    "Degraded": "hinny.records",
    "Document": "hinny.records",
    "HinnyError": "hinny.errors",
    "Hit": "hinny.records",
    "Query": "hinny.records",
    "SearchResponse": "hinny.records",
    "Signal": "hinny.records",
    "VectorRetriever": "hinny.dense.retriever",
    "build_colbert_token_index": "hinny.late.token_index",
    "create_colbert_retriever": "hinny.late.retriever",
    "create_vector_retriever": "hinny.dense.retriever",
}

__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    try:
        module = import_module(_HOME[name])
    except KeyError:
        raise AttributeError(f"module 'hinny' has no attribute {name!r}") from None
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
