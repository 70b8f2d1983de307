"""What ranking offers from the package's root, and that naming it costs nothing until it is used."""

from __future__ import annotations

import pytest

import hinny

NAMES = (
    "BalanceOptions",
    "ColbertReranker",
    "CrossEncoderReranker",
    "FusionOptions",
    "HybridIndex",
    "HybridSearch",
    "RerankOptions",
    "RetrievalEngine",
    "SearchOptions",
    "WeakLexicalOptions",
    "create_hybrid_index",
    "create_lexical_only_search",
    "create_lexical_semantic_search",
    "create_lexical_semantic_tiny_search",
    "create_progressive_search",
    "create_three_source_search",
    "explain_response",
    "fuse_rankings",
    "search_preset",
)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_a_name_of_the_package(name: str) -> None:
    assert name in hinny.__all__
    assert getattr(hinny, name).__name__ == name


def test_the_preset_comes_from_the_root() -> None:
    assert hinny.search_preset("efficient")["rerank"] is False
