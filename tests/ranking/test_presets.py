"""The presets' values, and what follows from them."""

from __future__ import annotations

import pytest

from hinny.errors import InvalidOption
from hinny.ranking.options import FusionOptions, RerankOptions, WeakLexicalOptions, make_options
from hinny.ranking.presets import search_preset


def test_efficient_has_the_stated_values() -> None:
    options = make_options(search_preset("efficient"))
    assert (options.lexical_candidates, options.vector_candidates) == (25, 25)
    assert options.fusion == FusionOptions("rrf", 1, {"lexical": 3, "vector": 1})
    assert options.weak_lexical == WeakLexicalOptions(0.2, 0.15)
    assert options.rerank is False


def test_reranked_keeps_that_retrieval_and_adds_the_neural_stage() -> None:
    efficient, reranked = search_preset("efficient"), search_preset("reranked")
    assert {**reranked, "rerank": False} == efficient
    assert make_options(reranked).rerank == RerankOptions(25, "rrf", 1, 0.25, 0.1)


def test_a_preset_is_a_new_dictionary_each_time() -> None:
    first = search_preset("efficient")
    first["fusion"]["weights"]["lexical"] = 0
    assert search_preset("efficient")["fusion"]["weights"]["lexical"] == 3


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(InvalidOption, match="'efficient' or 'reranked'"):
        search_preset("best")
