"""Every option is validated, and says its name, the value and what is allowed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from math import inf, nan
from typing import Any

import pytest

from hinny.errors import InvalidOption
from hinny.ranking.options import (
    BalanceOptions,
    FusionOptions,
    RerankOptions,
    SearchOptions,
    WeakLexicalOptions,
    make_options,
)
from hinny.ranking.search import HybridSearch
from ranking_fakes import Source
from support import run

BAD: list[tuple[str, Any, str]] = [
    ("strategy", "both", "strategy"),
    ("strategy", None, "strategy"),
    ("lexical_candidates", 0, "lexical_candidates"),
    ("lexical_candidates", 10_001, "lexical_candidates"),
    ("lexical_candidates", 2.0, "lexical_candidates"),
    ("vector_candidates", True, "vector_candidates"),
    ("vector_candidates", "25", "vector_candidates"),
    ("tokens_candidates", 0, "tokens_candidates"),
    ("candidates", 5, "candidates"),
    ("candidates", {"lexical": 0}, "candidates.lexical"),
    ("candidates", {"nobody": 5}, "candidates"),
    ("fusion", "rrf", "fusion"),
    ("fusion", {"method": "sum"}, "fusion.method"),
    ("fusion", {"k": -1}, "fusion.k"),
    ("fusion", {"k": nan}, "fusion.k"),
    ("fusion", {"weight": {}}, "fusion.weight"),
    ("fusion", {"weights": [1, 2]}, "fusion.weights"),
    ("fusion", {"weights": {"lexical": -1}}, "fusion.weights.lexical"),
    ("fusion", {"weights": {"lexical": inf}}, "fusion.weights.lexical"),
    ("fusion", {"weights": {"lexical": "3"}}, "fusion.weights.lexical"),
    ("fusion", {"weights": {"lexical": 0, "vector": 0}}, "fusion.weights"),
    ("fusion", {"weights": {"nobody": 1}}, "fusion.weights"),
    ("cascade", "merge", "cascade"),
    ("unmatched", "hide", "unmatched"),
    ("exact", True, "exact"),
    ("exact", "demote", "exact"),
    ("exact_candidates", 0, "exact_candidates"),
    ("exact_candidates", 10_001, "exact_candidates"),
    ("balance", 5, "balance"),
    ("balance", {"window": 0}, "balance.window"),
    ("balance", {"window": 5, "lexical": -1}, "balance.lexical"),
    ("balance", {"window": 5, "lexical": 6}, "balance.lexical"),
    ("balance", {"window": 5, "lexical": 3, "vector": 3}, "balance"),
    ("balance", {"window": 5, "nobody": 1}, "balance.nobody"),
    ("weak_lexical", True, "weak_lexical"),
    ("weak_lexical", {"share": 1.5}, "weak_lexical.share"),
    ("weak_lexical", {"share": -0.1}, "weak_lexical.share"),
    ("weak_lexical", {"gap": nan}, "weak_lexical.gap"),
    ("weak_lexical", {"gab": 0.1}, "weak_lexical.gab"),
    ("vector_only_below", -1, "vector_only_below"),
    ("vector_only_below", "12", "vector_only_below"),
    ("rerank", 25, "rerank"),
    ("rerank", {"candidates": 0}, "rerank.candidates"),
    ("rerank", {"candidates": 10_001}, "rerank.candidates"),
    ("rerank", {"method": "linear"}, "rerank.method"),
    ("rerank", {"k": -0.5}, "rerank.k"),
    ("rerank", {"weight": -1}, "rerank.weight"),
    ("rerank", {"skip_if_vector_margin": "0.1"}, "rerank.skip_if_vector_margin"),
    ("rerank", {"skip_if_vector_margin": nan}, "rerank.skip_if_vector_margin"),
    ("rerank", {"skip_if_vector_margin": -1}, "rerank.skip_if_vector_margin"),
    ("min_score", nan, "min_score"),
    ("min_score", "0.5", "min_score"),
    ("dropoff", 1.5, "dropoff"),
    ("dropoff", "yes", "dropoff"),
    ("ids", "push", "ids"),
    ("ids", 5, "ids"),
    ("ids", {"push": True}, "ids"),
    ("ids", {1, 2}, "ids"),
    ("limit", -1, "limit"),
    ("limit", 10_001, "limit"),
    ("limit", 2.5, "limit"),
    ("limit", True, "limit"),
    ("offset", -1, "offset"),
    ("offset", "0", "offset"),
    ("on_error", "ignore", "on_error"),
    ("timeout", 0, "timeout"),
    ("timeout", -1, "timeout"),
    ("timeout", inf, "timeout"),
    ("lexicalCandidates", 25, "lexicalCandidates"),
]


@pytest.mark.parametrize(("option", "value", "named"), BAD, ids=[f"{o}-{v}" for o, v, _ in BAD])
def test_a_bad_value_is_named_before_anything_is_retrieved(option: str, value: Any, named: str) -> None:
    words, vectors = Source([("a", 1.0)]), Source([("b", 1.0)])
    search = HybridSearch(lexical=words, vector=vectors)
    with pytest.raises(InvalidOption) as caught:
        run(search.search("words", **{option: value}))
    assert caught.value.option == named
    assert caught.value.allowed
    assert named in str(caught.value)
    assert "expected" in str(caught.value)
    assert words.calls == vectors.calls == []


def test_the_defaults_are_the_stated_ones() -> None:
    options = SearchOptions()
    assert options.strategy == "fusion"
    assert options.fusion == FusionOptions("rrf", 60, {})
    assert (options.cascade, options.unmatched) == ("replace", "keep")
    assert (options.exact, options.exact_candidates) == (None, 25)
    assert options.balance is options.weak_lexical is options.vector_only_below is None
    assert options.rerank == RerankOptions(25, "rrf", 60, 1, None)
    assert (options.limit, options.offset) == (10, 0)
    assert options.on_error == "raise"


def test_nested_options_come_as_mappings_or_as_their_dataclasses() -> None:
    by_mapping = make_options(
        {
            "fusion": {"k": 1},
            "balance": {"window": 4, "vector": 2},
            "weak_lexical": {"gap": 0.1},
            "rerank": {"weight": 2},
        }
    )
    by_class = SearchOptions(
        fusion=FusionOptions(k=1),
        balance=BalanceOptions(4, {"vector": 2}),
        weak_lexical=WeakLexicalOptions(gap=0.1),
        rerank=RerankOptions(weight=2),
    )
    assert by_mapping == by_class
    assert by_mapping.weak_lexical == WeakLexicalOptions(share=0.2, gap=0.1)


def test_true_and_none_ask_for_the_default_neural_stage_and_false_for_none() -> None:
    assert make_options({"rerank": True}).rerank == RerankOptions()
    assert make_options({"rerank": None}).rerank == RerankOptions()
    assert make_options({"rerank": False}).rerank is False


def test_a_later_layer_overrides_an_earlier_one_name_by_name() -> None:
    options = make_options({"limit": 3, "fusion": {"k": 1, "weights": {"x": 2}}}, None, {"fusion": {"k": 5}})
    assert (options.limit, options.fusion) == (3, FusionOptions(k=5))
    assert make_options(options, {"limit": 4}).limit == 4


def test_options_are_frozen_and_own_their_mappings() -> None:
    weights = {"lexical": 2.0}
    options = make_options({"fusion": {"weights": weights}})
    weights["lexical"] = 9.0
    assert options.fusion.weights == {"lexical": 2.0}
    with pytest.raises(FrozenInstanceError):
        options.limit = 5  # type: ignore[misc]


def test_layers_are_mappings() -> None:
    with pytest.raises(InvalidOption, match="defaults="):
        make_options(5)  # type: ignore[arg-type]
