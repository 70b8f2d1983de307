"""Exact promotion, coverage, weak-lexical promotion, short-text routing and trimming, in whole searches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hinny.errors import InvalidOption, PolicyConflict, SourceError
from hinny.ranking.presets import search_preset
from hinny.ranking.search import HybridSearch
from hinny.records import Candidate, Query
from ranking_fakes import Lexical, Reranker, Rescoring, Source, falling, ids
from support import run


def stats(search: HybridSearch, query: Any = "words", **options: Any) -> Any:
    return run(search.search_with_stats(query, **options))


WEAK = {"share": 0.2, "gap": 0.15}


# Exact promotion


def test_exact_promotion_is_opt_in() -> None:
    words = Lexical(falling("abc"), literal=["c"])
    response = stats(HybridSearch(lexical=words, vector=Source(falling("a"))))
    assert ids(response.hits) == ["a", "b", "c"]
    assert words.exact_calls == []
    assert not any(hit.exact for hit in response.hits)


def test_literal_matches_lead_and_are_marked() -> None:
    search = HybridSearch(lexical=Lexical(falling("abc"), literal=["c"]), vector=Source(falling("ab")))
    response = stats(search, exact="promote")
    assert [(hit.id, hit.exact, hit.reasons) for hit in response.hits] == [
        ("c", True, ("exact",)),
        ("a", False, ()),
        ("b", False, ()),
    ]
    assert response.counts["exact"] == 1


def test_fusion_injects_literal_matches_that_no_window_held() -> None:
    words = Lexical(falling("ab"), literal=["x", "y"])
    response = stats(HybridSearch(lexical=words, vector=Source(falling("b"))), exact="promote")
    assert ids(response.hits) == ["x", "y", "b", "a"]
    assert (response.hits[0].score, response.hits[0].signals) == (0.0, {})
    assert response.total_candidates == 4


def test_at_most_exact_candidates_are_asked_for_and_twenty_five_by_default() -> None:
    words = Lexical(falling("a"), literal=["x", "y", "z"])
    search = HybridSearch(lexical=words, vector=Source([]))
    assert ids(stats(search, exact="promote", exact_candidates=2).hits) == ["x", "y", "a"]
    stats(search, exact="promote")
    assert [call["limit"] for call in words.exact_calls] == [2, 25]


def test_a_cascade_tests_only_what_its_first_stage_retained() -> None:
    words = Lexical([], literal=["q", "b"], all_scores=[("a", 2.0)])
    search = HybridSearch(lexical=words, vector=Rescoring(falling("ab")))
    response = stats(search, strategy="vector-first", exact="promote")
    assert ids(response.hits) == ["b", "a"]
    assert words.exact_calls[0]["ids"] == {"a", "b"}
    dropped = stats(search, strategy="vector-first", exact="promote", unmatched="drop")
    assert ids(dropped.hits) == ["a"]


@pytest.mark.parametrize("method", ["rrf", "replace"])
def test_exact_matches_lead_after_the_neural_stage_too(method: str) -> None:
    search = HybridSearch(
        lexical=Lexical(falling("abc"), literal=["c"]),
        vector=Source(falling("ab")),
        reranker=Reranker({"b": 9.0, "a": 8.0}),
    )
    response = stats(search, exact="promote", rerank={"method": method})
    assert response.hits[0].id == "c"
    assert response.hits[0].exact


def test_exact_promotion_does_not_depend_on_weights() -> None:
    search = HybridSearch(lexical=Lexical(falling("ab"), literal=["b"]), vector=Source(falling("x")))
    response = stats(search, exact="promote", fusion={"weights": {"lexical": 0}})
    assert response.hits[0].id == "b"


def test_exact_promotion_needs_a_source_that_can_tell() -> None:
    words = Source(falling("a"))
    with pytest.raises(InvalidOption, match="exact='promote' is not allowed"):
        stats(HybridSearch(lexical=words), exact="promote")
    assert words.calls == []
    without_fields = Lexical(falling("a"))
    without_fields.has_exact_fields = False  # type: ignore[attr-defined]
    with pytest.raises(InvalidOption, match="exact fields on the lexical source"):
        stats(HybridSearch(lexical=without_fields), exact="promote")


def test_an_exact_answer_out_of_scope_is_an_error() -> None:
    class Leaky(Lexical):
        def exact(self, query: Query, **options: Any) -> list[str]:
            return ["secret"]

    with pytest.raises(SourceError, match="exact: answered the id 'secret', which is out of scope"):
        stats(HybridSearch(lexical=Leaky(falling("a"))), exact="promote", ids={"a"})


# Coverage


def test_coverage_puts_each_sources_best_into_the_window() -> None:
    search = HybridSearch(lexical=Source(falling("abcdefg")), vector=Source(falling("z")))
    options: dict[str, Any] = {"fusion": {"weights": {"vector": 0}}, "limit": 20}
    assert ids(stats(search, **options).hits)[-1] == "z"
    response = stats(search, **options, balance={"window": 5, "lexical": 1, "vector": 1})
    assert ids(response.hits) == list("abcdzefg")
    assert response.hits[4].reasons == ("balance:vector",)


def test_coverage_is_opt_in_and_counts_default_to_one_a_source() -> None:
    search = HybridSearch(lexical=Source(falling("abcdefg")), vector=Source(falling("z")))
    response = stats(search, fusion={"weights": {"vector": 0}}, balance={"window": 2})
    assert ids(response.hits)[:2] == ["a", "z"]


def test_coverage_is_of_the_whole_order_and_not_of_each_page() -> None:
    search = HybridSearch(lexical=Source(falling("abcdef")), vector=Source(falling("yz")))
    options: dict[str, Any] = {
        "fusion": {"weights": {"vector": 0}},
        "balance": {"window": 3, "lexical": 1, "vector": 1},
    }
    assert ids(stats(search, **options, limit=3).hits) == ["a", "b", "y"]
    assert ids(stats(search, **options, limit=3, offset=3).hits) == ["c", "d", "e"]


def test_coverage_holds_after_the_neural_stage() -> None:
    search = HybridSearch(
        lexical=Source(falling("abcdefg")),
        vector=Source(falling("z")),
        reranker=Reranker({name: 9.0 - place for place, name in enumerate("gfedcba")}),
    )
    response = stats(search, rerank={"method": "replace"}, balance={"window": 3, "lexical": 1, "vector": 1})
    assert {"a", "z"} <= set(ids(response.hits)[:3])
    assert ids(response.hits)[0] == "g"


def test_coverage_and_exact_promotion_that_cannot_both_fit_are_an_error() -> None:
    reranker = Reranker()
    search = HybridSearch(
        lexical=Lexical(falling("abc"), literal=["x", "y"]), vector=Source(falling("z")), reranker=reranker
    )
    balance = {"window": 3, "lexical": 1, "vector": 1}
    with pytest.raises(PolicyConflict, match="balance needs 2 places in its window of 3 behind 2 exact"):
        stats(search, exact="promote", balance=balance)
    assert reranker.calls == []
    with pytest.raises(PolicyConflict):
        stats(search, exact="promote", balance=balance, on_error="degrade")
    assert ids(stats(search, exact="promote", balance={**balance, "window": 4}, rerank=False).hits)[:4] == [
        "x",
        "y",
        "a",
        "z",
    ]


def test_counts_that_cannot_fit_a_window_are_rejected_before_retrieval() -> None:
    words = Source(falling("a"))
    search = HybridSearch(lexical=words, vector=Source([]))
    with pytest.raises(InvalidOption, match="balance="):
        stats(search, balance={"window": 2, "lexical": 2, "vector": 1})
    with pytest.raises(InvalidOption, match=r"balance.window=1"):
        stats(search, balance={"window": 1})
    assert words.calls == []


# Weak-lexical promotion


def weak_search(**changes: Any) -> HybridSearch:
    words = Lexical(changes.pop("rows", falling("lab", 9.0)), share=changes.pop("share", 0.1))
    vector = changes.pop("vector", None) or Rescoring([("v", 0.75), ("l", 0.5)])
    return HybridSearch(lexical=words, vector=vector, **changes)


def test_it_is_off_without_a_preset_and_on_in_both() -> None:
    assert stats(weak_search()).weak_lexical == {"action": "disabled"}
    for preset in ("efficient", "reranked"):
        response = stats(weak_search(defaults=search_preset(preset)))
        assert response.weak_lexical["action"] == "promoted"


def test_a_weak_lexical_winner_gives_way_to_the_vector_winner() -> None:
    response = stats(weak_search(defaults=search_preset("efficient")))
    assert ids(response.hits) == ["v", "l", "a", "b"]
    assert response.hits[0].reasons == ("weak-lexical",)
    assert response.weak_lexical == {
        "action": "promoted",
        "lexical": "l",
        "vector": "v",
        "share": 0.1,
        "gap": 0.25,
        "gap_bound": False,
    }


def test_a_strong_share_or_a_small_gap_keeps_the_order() -> None:
    strong = stats(weak_search(share=0.2), weak_lexical=WEAK)
    assert (strong.weak_lexical["action"], strong.hits[0].id) == ("kept", "l")
    close = stats(weak_search(vector=Rescoring([("v", 0.6), ("l", 0.5)])), weak_lexical=WEAK)
    assert (close.weak_lexical["action"], close.hits[0].id) == ("kept", "l")


@pytest.mark.parametrize("query", ["words", {"text": "words", "vector": np.ones(2)}])
def test_the_lexical_hits_vector_score_may_come_from_an_exact_rescore(query: Any) -> None:
    vector = Rescoring([("v", 0.75), ("w", 0.5)], others=[("l", 0.25)])
    response = stats(weak_search(vector=vector), query, weak_lexical=WEAK)
    assert vector.rescore_calls == [["l"]]
    assert (response.weak_lexical["gap"], response.weak_lexical["gap_bound"]) == (0.5, False)


def test_without_a_rescore_the_last_vector_candidate_is_the_bound() -> None:
    response = stats(weak_search(vector=Source([("v", 0.75), ("w", 0.5)])), weak_lexical=WEAK)
    assert (response.weak_lexical["gap"], response.weak_lexical["gap_bound"]) == (0.25, True)
    assert response.weak_lexical["action"] == "promoted"


def test_every_reason_why_it_cannot_be_applied() -> None:
    def reason(search: HybridSearch, **options: Any) -> Any:
        return stats(search, weak_lexical=WEAK, **options).weak_lexical

    assert reason(weak_search(), strategy="vector-first") == {"action": "unavailable", "reason": "strategy"}
    assert reason(weak_search(rows=[]))["reason"] == "no-candidates"
    assert reason(weak_search(vector=Source([])))["reason"] == "no-candidates"
    assert reason(weak_search(vector=Source(falling("l"))))["reason"] == "same-first-hit"
    plain = HybridSearch(lexical=Source(falling("l")), vector=Source(falling("v")))
    assert reason(plain)["reason"] == "unsupported"
    assert reason(weak_search(share=None))["reason"] == "no-words"


def test_the_share_is_asked_of_the_first_lexical_hit() -> None:
    search = weak_search()
    stats(search, weak_lexical=WEAK)
    assert search._sources.by_name["lexical"].share_calls == ["l"]  # type: ignore[attr-defined]


def test_exact_matches_stay_ahead_of_the_promoted_hit() -> None:
    words = Lexical(falling("lab", 9.0), share=0.0, literal=["b"])
    search = HybridSearch(lexical=words, vector=Rescoring([("v", 0.75), ("l", 0.1)]))
    response = stats(search, weak_lexical=WEAK, exact="promote")
    assert ids(response.hits) == ["b", "v", "l", "a"]


def test_it_runs_after_reranking() -> None:
    search = weak_search(reranker=Reranker({"a": 9.0, "l": 8.0}))
    response = stats(search, weak_lexical=WEAK, rerank={"method": "replace"})
    assert ids(response.hits) == ["v", "a", "l", "b"]


def test_a_promotion_that_would_push_a_reserved_candidate_out_keeps_coverage() -> None:
    words = Lexical(falling("lab", 9.0), share=0.0)
    search = HybridSearch(
        lexical=words, vector=Rescoring([("v", 0.75)]), tokens=Source(falling("t")), reranker=None
    )
    options: dict[str, Any] = {
        "weak_lexical": WEAK,
        "fusion": {"weights": {"vector": 0, "tokens": 0}},
        "balance": {"window": 2, "lexical": 1, "tokens": 1},
    }
    kept = stats(search, **options)
    assert kept.weak_lexical["action"] == "kept"  # a single vector hit bounds the gap by zero
    wide = HybridSearch(
        lexical=words, vector=Rescoring([("v", 0.75), ("w", 0.1)]), tokens=Source(falling("t"))
    )
    with pytest.raises(PolicyConflict):
        stats(wide, **options)
    options["balance"]["window"] = 3
    assert ids(stats(wide, **options).hits)[:3] == ["v", "l", "t"]


# Short-text routing


def test_short_documents_are_left_to_the_vector_source_alone() -> None:
    words, vectors, reranker = Lexical(falling("ab"), length=8.5), Rescoring(falling("yz")), Reranker()
    search = HybridSearch(lexical=words, vector=vectors, reranker=reranker)
    response = stats(search, vector_only_below=12, weak_lexical=WEAK)
    assert [(hit.id, hit.score, hit.score_kind) for hit in response.hits] == [
        ("y", 1.0, "cosine"),
        ("z", 0.99, "cosine"),
    ]
    assert response.route == {"name": "vector-only", "average_length": 8.5, "below": 12}
    assert response.rerank_decision == {"action": "skipped", "reason": "short-documents"}
    assert response.weak_lexical == {"action": "unavailable", "reason": "no-candidates"}
    assert words.calls == reranker.calls == []


def test_exact_promotion_still_applies_on_that_route() -> None:
    words = Lexical(falling("ab"), length=8.5, literal=["z", "q"])
    search = HybridSearch(lexical=words, vector=Rescoring(falling("yz")))
    assert ids(stats(search, vector_only_below=12, exact="promote").hits) == ["z", "q", "y"]


def test_longer_documents_and_cascades_take_the_usual_way() -> None:
    words, vectors = Lexical(falling("ab"), length=12.0), Rescoring(falling("ab"))
    search = HybridSearch(lexical=words, vector=vectors)
    assert stats(search, vector_only_below=12).route is None
    words.length = 1.0
    assert stats(search, vector_only_below=12, strategy="vector-first").route is None
    assert stats(search).route is None


def test_without_an_average_or_a_vector_source_there_is_no_route() -> None:
    plain = HybridSearch(lexical=Source(falling("a")), vector=Source(falling("b")))
    assert stats(plain, vector_only_below=12).route is None
    assert stats(HybridSearch(lexical=Lexical(falling("a"), length=1.0)), vector_only_below=12).route is None


def test_no_preset_sets_the_route() -> None:
    assert "vector_only_below" not in search_preset("efficient")
    assert "vector_only_below" not in search_preset("reranked")


# Trimming


def test_min_score_and_dropoff_trim_the_fused_list() -> None:
    search = HybridSearch(lexical=Source(falling("abcd")), vector=Source(falling("ab")))
    options: dict[str, Any] = {"fusion": {"k": 0}}
    # Fused: a 2, b 1, c 1/3, d 1/4; relative drops 1/2, 2/3, 1/4.
    assert ids(stats(search, **options, min_score=0.3).hits) == ["a", "b", "c"]
    assert ids(stats(search, **options, dropoff=True).hits) == ["a", "b"]
    assert ids(stats(search, **options, dropoff=0.7).hits) == ["a", "b", "c", "d"]


def test_trimming_spares_literal_matches_and_comes_before_the_neural_stage() -> None:
    reranker = Reranker()
    words = Lexical(falling("abcd"), literal=["d"])
    search = HybridSearch(lexical=words, vector=Source(falling("ab")), reranker=reranker)
    response = stats(search, fusion={"k": 0}, min_score=0.3, exact="promote")
    assert ids(response.hits) == ["d", "a", "b", "c"]
    assert sorted(reranker.calls[0]) == ["a", "b", "c", "d"]
    assert response.total_candidates == 4


def test_a_tier_of_exact_words_is_not_evidence_of_literal_equality() -> None:
    tiered = [Candidate("a", 1.0, tier="exact")]
    response = stats(HybridSearch(lexical=Source(tiered), vector=Source(falling("b"))))
    assert not any(hit.exact for hit in response.hits)
