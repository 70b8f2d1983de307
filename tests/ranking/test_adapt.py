"""Weights by what the words leave open: the formula by hand, and its place in a search."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import InvalidOption
from hinny.ranking.adapt import adapted, early_reason, factor, not_adapted
from hinny.ranking.options import FusionOptions, SearchOptions
from hinny.ranking.search import HybridSearch
from hinny.records import Candidate, SearchResponse
from ranking_fakes import FailingSource, Lexical, Source
from support import run

WORDS = [("a", 4.0), ("b", 2.0)]
VECTORS = [("b", 0.9), ("c", 0.5)]


@pytest.mark.parametrize(
    ("share", "floor", "expected"),
    [(1.0, 0.1, 0.1), (0.0, 0.1, 1.0), (0.5, 0.2, 0.6), (0.75, 0.0, 0.25), (0.3, 1.0, 1.0), (1.5, 0.1, 0.1)],
)
def test_the_factor_goes_from_one_to_the_floor_as_the_words_cover_more(
    share: float, floor: float, expected: float
) -> None:
    assert factor(share, floor) == pytest.approx(expected)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_factor_never_rises_with_the_share(one: float, other: float, floor: float) -> None:
    low, high = sorted((one, other))
    assert floor <= factor(high, floor) <= factor(low, floor) <= 1


def test_only_the_other_sources_weights_change() -> None:
    weights = {"lexical": 2.0, "vector": 1.0, "tokens": 0.5}
    assert adapted(weights, 0.4) == {"lexical": 2.0, "vector": 0.4, "tokens": 0.2}
    assert weights == {"lexical": 2.0, "vector": 1.0, "tokens": 0.5}


@pytest.mark.parametrize(
    ("options", "lists", "supported", "reason"),
    [
        ({"strategy": "vector-first"}, ("lexical", "vector"), True, "strategy"),
        ({"strategy": "vector-first", "cascade": "fuse"}, ("lexical", "vector"), True, None),
        ({}, ("lexical",), True, "no-candidates"),
        ({}, ("vector", "tokens"), True, "no-candidates"),
        ({}, ("lexical", "vector"), False, "unsupported"),
        ({}, ("lexical", "vector"), True, None),
    ],
)
def test_why_weights_stand_as_given(
    options: dict[str, Any], lists: tuple[str, ...], supported: bool, reason: str | None
) -> None:
    found = {name: [Candidate("a", 1.0)] for name in lists}
    assert early_reason(SearchOptions(**options), found, supported=supported) == reason
    assert not_adapted("no-words") == {"action": "unavailable", "reason": "no-words"}


def ask(lexical: Any, **fusion: Any) -> SearchResponse:
    search = HybridSearch(lexical=lexical, vector=Source(VECTORS, name="vector"))
    return run(search.search_with_stats("q", fusion={"method": "linear", "adapt": 0.2, **fusion}))


def test_words_that_cover_the_query_win_and_words_that_miss_it_give_way() -> None:
    covered = ask(Lexical(WORDS, share=1.0))
    # weights 1 and 0.2: a gets 1 / 1.2 from the words, b gets 0 there and 0.2 / 1.2 from the vectors
    assert [(hit.id, pytest.approx(hit.score)) for hit in covered.hits] == [
        ("a", 1 / 1.2),
        ("b", 0.2 / 1.2),
        ("c", 0.0),
    ]
    assert covered.weights_decision == {"action": "applied", "share": 1.0, "factor": pytest.approx(0.2)}
    open_ = ask(Lexical(WORDS, share=0.25), weights={"vector": 2})
    # the factor is 0.2 + 0.8 * 0.75 = 0.8, the weights 1 and 1.6
    assert open_.hits[0].id == "b"
    assert open_.hits[0].contributions["vector"] == pytest.approx(1.6 / 2.6)


@pytest.mark.parametrize(
    ("lexical", "reason"),
    [
        (Lexical(WORDS, share=None), "no-words"),
        (Source(WORDS, name="lexical"), "unsupported"),
        (Lexical([]), "no-candidates"),
    ],
)
def test_without_a_share_the_weights_are_as_given(lexical: Any, reason: str) -> None:
    response = ask(lexical)
    assert response.weights_decision == {"action": "unavailable", "reason": reason}
    assert [hit.id for hit in response.hits] == [hit.id for hit in ask(lexical, adapt=None).hits]


def test_the_share_is_asked_for_once_however_many_rules_want_it() -> None:
    lexical = Lexical(WORDS, share=0.1)
    search = HybridSearch(lexical=lexical, vector=Source(VECTORS, name="vector"))
    response = run(
        search.search_with_stats("q", fusion={"adapt": 0.1}, weak_lexical={"share": 0.2, "gap": 0.1})
    )
    assert lexical.share_calls == ["a"]
    assert response.weights_decision["share"] == 0.1
    assert response.weak_lexical["action"] == "promoted"


def test_a_share_that_fails_costs_the_fitting_and_not_the_answer() -> None:
    class Broken(Lexical):
        async def match_share(self, query: Any, id: str) -> float:
            raise OSError("gone")

    search = HybridSearch(lexical=Broken(WORDS), vector=Source(VECTORS, name="vector"), on_error="degrade")
    response = run(search.search_with_stats("q", fusion={"adapt": 0.1}))
    assert response.weights_decision == {"action": "unavailable", "reason": "error"}
    assert [(lost.source, lost.reason) for lost in response.degraded] == [("lexical", "error")]
    assert len(response.hits) == 3
    failing = HybridSearch(
        lexical=Lexical(WORDS), vector=FailingSource(OSError("down"), name="vector"), on_error="degrade"
    )
    lost = run(failing.search_with_stats("q", fusion={"adapt": 0.1}))
    assert lost.weights_decision == {"action": "unavailable", "reason": "no-candidates"}


@pytest.mark.parametrize("value", [-0.1, 1.1, True, "0.5", float("nan")])
def test_the_floor_is_a_share(value: Any) -> None:
    with pytest.raises(InvalidOption, match=r"fusion\.adapt"):
        FusionOptions(adapt=value)
