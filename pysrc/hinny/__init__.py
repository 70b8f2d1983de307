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
    "Degraded": "hinny.records",
    "Document": "hinny.records",
    "Hit": "hinny.records",
    "HinnyError": "hinny.errors",
    "Query": "hinny.records",
    "SearchResponse": "hinny.records",
    "Signal": "hinny.records",
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
