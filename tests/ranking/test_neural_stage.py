"""The neural stage in whole searches: prefix, tail, gate and decisions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from hinny.errors import InvalidOption, SourceError
from hinny.ranking.presets import search_preset
from hinny.ranking.search import HybridSearch
from hinny.records import Candidate, Query
from ranking_fakes import Lexical, Reranker, Source, falling, ids
from support import run


def stats(search: HybridSearch, query: Any = "words", **options: Any) -> Any:
    return run(search.search_with_stats(query, **options))


def thirty(reranker: Any) -> HybridSearch:
    return HybridSearch(lexical=Source([(f"d{n:02}", 100.0 - n) for n in range(30)]), reranker=reranker)


def test_an_attached_reranker_sees_the_first_twenty_five_by_default() -> None:
    reranker = Reranker()
    response = stats(thirty(reranker))
    assert reranker.calls == [[f"d{n:02}" for n in range(25)]]
    assert response.rerank_decision == {"action": "applied", "candidates": 25}
    assert response.counts["reranked"] == 25


def test_only_the_prefix_is_reordered_and_the_tail_follows() -> None:
    reranker = Reranker({f"d{n:02}": float(n) for n in range(30)})
    response = stats(thirty(reranker), rerank={"candidates": 4, "method": "replace"}, limit=30)
    assert ids(response.hits) == ["d03", "d02", "d01", "d00", *(f"d{n:02}" for n in range(4, 30))]
    assert [hit.score_kind for hit in response.hits[:5]] == ["neural"] * 4 + ["bm25f"]
    assert response.hits[0].score == 3.0
    assert response.hits[4].reasons == ()


def test_the_default_stage_fuses_both_rankings_once_each_with_k_sixty() -> None:
    response = stats(thirty(Reranker({"d02": 9.0})), limit=3)
    by_id = {hit.id: hit for hit in response.hits}
    assert by_id["d02"].score == pytest.approx(1 / 63 + 1 / 61)
    assert by_id["d02"].rerank_contributions == {"current": 1 / 63, "neural": 1 / 61}
    assert by_id["d02"].score_kind == "rerank-rrf"


def test_k_and_weight_are_used_as_stated() -> None:
    response = stats(
        thirty(Reranker({"d01": 9.0})), rerank={"candidates": 2, "k": 1, "weight": 0.25}, limit=2
    )
    assert [(hit.id, hit.score) for hit in response.hits] == [
        ("d00", 1 / 2 + 0.25 / 3),
        ("d01", 1 / 3 + 0.25 / 2),
    ]


def test_false_disables_an_attached_reranker_for_one_search() -> None:
    reranker = Reranker()
    search = thirty(reranker)
    assert stats(search, rerank=False).rerank_decision == {"action": "disabled"}
    assert reranker.calls == []
    assert stats(search).rerank_decision["action"] == "applied"


def test_without_a_reranker_the_decision_is_disabled() -> None:
    assert stats(thirty(None)).rerank_decision == {"action": "disabled"}


def test_without_a_candidate_the_decision_is_empty() -> None:
    reranker = Reranker()
    search = HybridSearch(lexical=Source([]), reranker=reranker)
    assert stats(search).rerank_decision == {"action": "empty"}
    assert stats(search, "").rerank_decision == {"action": "empty"}
    assert reranker.calls == []


def test_the_decision_uses_the_whole_order_before_the_page_is_cut() -> None:
    reranker = Reranker()
    response = stats(thirty(reranker), limit=2, offset=28, rerank={"candidates": 30})
    assert len(reranker.calls[0]) == 30
    assert ids(response.hits) == ["d28", "d29"]


# The gate


def gated(reranker: Any, words: str = "va", vector: Any = None) -> HybridSearch:
    rows = vector or [("v", 0.75), ("w", 0.5)]
    return HybridSearch(lexical=Lexical(falling(words, 9.0)), vector=Source(rows), reranker=reranker)


def test_a_clear_vector_winner_skips_the_model_and_changes_nothing() -> None:
    reranker = Reranker({"a": 9.0})
    plain = stats(gated(None))
    response = stats(gated(reranker), rerank={"skip_if_vector_margin": 0.25})
    assert reranker.calls == []
    assert ids(response.hits) == ids(plain.hits)
    assert response.rerank_decision == {
        "action": "skipped",
        "reason": "vector-margin",
        "winner": "v",
        "margin": 0.25,
        "threshold": 0.25,
        "lexical": "agrees",
    }
    assert response.counts["reranked"] == 0
    assert response.hits[0].reasons == ("rerank-skipped:vector-margin",)
    assert all(hit.rerank_contributions == {} for hit in response.hits)
    assert {hit.score_kind for hit in response.hits} == {"rrf"}


@pytest.mark.parametrize(
    "search_parts",
    [
        {"words": "av"},  # lexical disagrees
        {"vector": [("v", 0.75), ("w", 0.7)]},  # no gap
        {"vector": [("v", 0.75)]},  # one hit
        {"vector": [("v", 0.75), ("w", 0.4), ("x", 0.5)]},  # rises
    ],
)
def test_the_model_is_asked_when_a_condition_fails(search_parts: dict[str, Any]) -> None:
    reranker = Reranker()
    response = stats(gated(reranker, **search_parts), rerank={"skip_if_vector_margin": 0.2})
    assert response.rerank_decision["action"] == "applied"
    assert len(reranker.calls) == 1


@pytest.mark.parametrize("off", [None, math.inf])
def test_none_and_infinity_disable_the_gate(off: float | None) -> None:
    reranker = Reranker()
    stats(gated(reranker), rerank={"skip_if_vector_margin": off})
    assert len(reranker.calls) == 1


@pytest.mark.parametrize("bad", ["0.1", math.nan, -0.1, True])
def test_a_bad_threshold_is_an_error_before_retrieval(bad: Any) -> None:
    search = gated(Reranker())
    with pytest.raises(InvalidOption, match=r"rerank\.skip_if_vector_margin="):
        stats(search, rerank={"skip_if_vector_margin": bad})
    assert search._sources.by_name["lexical"].calls == []  # type: ignore[attr-defined]


def test_the_gate_respects_exact_promotion() -> None:
    reranker = Reranker()
    words = Lexical(falling("va", 9.0), literal=["a"])
    search = HybridSearch(lexical=words, vector=Source([("v", 0.9), ("w", 0.1)]), reranker=reranker)
    response = stats(search, rerank={"skip_if_vector_margin": 0.1}, exact="promote")
    assert response.rerank_decision["action"] == "applied"


def test_the_gate_respects_eligibility() -> None:
    search = HybridSearch(
        lexical=Lexical(falling("ab", 9.0)),
        vector=Source([("v", 0.9), ("a", 0.85), ("b", 0.2)]),
        reranker=Reranker(),
        defaults=search_preset("reranked"),
    )
    assert stats(search).rerank_decision["action"] == "applied"
    assert stats(search, ids={"a", "b"}).rerank_decision["winner"] == "a"


def test_lexical_retrieval_that_found_nothing_does_not_object() -> None:
    response = stats(gated(Reranker(), words=""), rerank={"skip_if_vector_margin": 0.2})
    assert response.rerank_decision["lexical"] == "empty"


# The contract


class Broken(Reranker):
    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def rerank(self, query: Query, ids: Sequence[str]) -> Any:
        return self.answer


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ([Candidate("a", 1.0)], "left out 1 of 2 ids, such as 'b'"),
        ([Candidate("a", 1.0), Candidate("a", 0.5)], "the id 'a' twice"),
        ([Candidate("a", 1.0), Candidate("z", 0.5)], "'z', which is out of scope"),
        ([Candidate("a", 1.0), Candidate("b", math.nan)], "not finite"),
        ([Candidate("a", 1.0), Candidate("b", 2.0)], "scores rise at rank 2"),
        (None, "answered NoneType"),
    ],
)
def test_a_reranker_answers_a_complete_permutation_best_first(answer: Any, problem: str) -> None:
    search = HybridSearch(lexical=Source(falling("ab")), reranker=Broken(answer))
    with pytest.raises(SourceError, match=f"rerank: .*{problem}"):
        stats(search)


def test_the_reranker_gets_a_list_of_its_own() -> None:
    class Greedy(Reranker):
        def rerank(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
            answer = super().rerank(query, ids)
            ids.clear()  # type: ignore[attr-defined]
            return answer

    assert ids(stats(HybridSearch(lexical=Source(falling("ab")), reranker=Greedy())).hits) == ["a", "b"]


@pytest.mark.parametrize("strategy", ["fusion", "vector-first", "lexical-first"])
def test_every_strategy_can_end_with_the_neural_stage(strategy: str) -> None:
    reranker = Reranker({"b": 9.0})
    search = HybridSearch(lexical=Source(falling("abc")), vector=Source(falling("abc")), reranker=reranker)
    response = stats(search, strategy=strategy, rerank={"method": "replace", "candidates": 2})
    assert ids(response.hits) == ["b", "a", "c"]
    assert reranker.calls == [["a", "b"]]
