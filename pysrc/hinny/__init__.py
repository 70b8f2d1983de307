"""Hinny: hybrid search that runs whole in the reader's browser, in Python.

The names below are bound on first use, so that `import hinny` costs nothing and pulls in no numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Public name -> the private module that defines it.
_HOME: dict[str, str] = {
    "BalanceOptions": "hinny.ranking.options",
    "Candidate": "hinny.records",
    "ColbertReranker": "hinny.ranking.rerankers",
    "ColbertRetriever": "hinny.late.retriever",
    "CrossEncoderReranker": "hinny.ranking.rerankers",
    "Degraded": "hinny.records",
    "Document": "hinny.records",
    "FusionOptions": "hinny.ranking.options",
    "HinnyError": "hinny.errors",
    "Hit": "hinny.records",
    "HybridIndex": "hinny.hybrid_index",
    "HybridSearch": "hinny.ranking.search",
    "LexicalIndex": "hinny.lexical.index",
    "LexicalResult": "hinny.lexical.results",
    "LexicalRetriever": "hinny.lexical.retriever",
    "Query": "hinny.records",
    "RerankOptions": "hinny.ranking.options",
    "RetrievalEngine": "hinny.engine.engine",
    "SearchOptions": "hinny.ranking.options",
    "SearchResponse": "hinny.records",
    "Signal": "hinny.records",
    "VectorRetriever": "hinny.dense.retriever",
    "WeakLexicalOptions": "hinny.ranking.options",
    "api_search_preset": "hinny.lexical.presets",
    "build_colbert_token_index": "hinny.late.token_index",
    "create_colbert_retriever": "hinny.late.retriever",
    "create_hybrid_index": "hinny.hybrid_index",
    "create_lexical_only_search": "hinny.factories",
    "create_lexical_semantic_search": "hinny.factories",
    "create_lexical_semantic_tiny_search": "hinny.factories",
    "create_progressive_search": "hinny.factories",
    "create_three_source_search": "hinny.factories",
    "create_vector_retriever": "hinny.dense.retriever",
    "explain_response": "hinny.ranking.explain",
    "fuse_rankings": "hinny.ranking.fusion",
    "search_preset": "hinny.ranking.presets",
    "with_surface_fields": "hinny.lexical.surface",
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
