"""HybridSearch as a whole: strategies, budgets, scope, pages and empty queries."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from hinny.errors import InvalidInput, InvalidOption, NotFinite, SourceError
from hinny.ranking.presets import search_preset
from hinny.ranking.search import HybridSearch
from hinny.records import Candidate, Query
from ranking_fakes import AsyncSource, Lexical, Reranker, Rescoring, Source, falling, ids
from support import run


def stats(search: HybridSearch, query: Any = "words", **options: Any) -> Any:
    return run(search.search_with_stats(query, **options))


def hits(search: HybridSearch, query: Any = "words", **options: Any) -> list[str]:
    return ids(run(search.search(query, **options)))


# Fusion


def test_fusion_is_the_default_with_k_sixty_and_equal_weights() -> None:
    response = stats(HybridSearch(lexical=Source(falling("ab")), vector=Source(falling("bc"))))
    assert response.strategy == "fusion"
    assert [(hit.id, hit.score) for hit in response.hits] == [
        ("b", 1 / 62 + 1 / 61),
        ("a", 1 / 61),
        ("c", 1 / 62),
    ]
    assert {hit.score_kind for hit in response.hits} == {"rrf"}


def test_fusion_keeps_what_either_source_found() -> None:
    assert hits(HybridSearch(lexical=Source(falling("a")), vector=Source(falling("z")))) == ["a", "z"]


def test_linear_fusion_by_weights() -> None:
    search = HybridSearch(lexical=Source([("a", 10.0), ("b", 0.0)]), vector=Source([("b", 0.9), ("a", 0.1)]))
    response = stats(search, fusion={"method": "linear", "weights": {"lexical": 0.7, "vector": 0.3}})
    assert [(hit.id, hit.score, hit.score_kind) for hit in response.hits] == [
        ("a", pytest.approx(0.7), "linear"),
        ("b", pytest.approx(0.3), "linear"),
    ]


def test_linear_fusion_rejects_a_tiered_list_whose_scores_rise() -> None:
    tiered = [Candidate("e", 1.0, tier="exact"), Candidate("a", 9.0)]
    search = HybridSearch(lexical=Source(tiered), vector=Source(falling("a")))
    with pytest.raises(SourceError, match="lexical: linear fusion needs descending scores"):
        hits(search, fusion={"method": "linear"})
    assert hits(search) == ["a", "e"]


def test_a_zero_weight_removes_the_contribution_and_not_the_candidates() -> None:
    search = HybridSearch(lexical=Source(falling("ab")), vector=Source(falling("z")))
    response = stats(search, fusion={"weights": {"vector": 0}})
    assert ids(response.hits) == ["a", "b", "z"]
    assert response.hits[2].score == 0
    assert response.hits[2].contributions == {"vector": 0}


def test_three_sources_fuse_by_name() -> None:
    search = HybridSearch(
        lexical=Source(falling("ab")), vector=Source(falling("bc")), tokens=Source(falling("cb"))
    )
    response = stats(search, fusion={"k": 0, "weights": {"lexical": 1, "vector": 2, "tokens": 4}})
    assert {hit.id: hit.score for hit in response.hits} == {"b": 0.5 + 2 + 2, "c": 1 + 4, "a": 1}
    assert response.hits[0].contributions == {"tokens": 4.0, "vector": 1.0}
    assert search.sources == ("lexical", "vector", "tokens")


def test_further_sources_have_names_of_their_own() -> None:
    search = HybridSearch(lexical=Source(falling("a")), more={"graph": Source(falling("g"))})
    response = stats(search, fusion={"weights": {"graph": 5}}, candidates={"graph": 7})
    assert ids(response.hits) == ["g", "a"]
    assert search._sources.by_name["graph"].calls[0]["limit"] == 7  # type: ignore[attr-defined]


def test_one_source_alone_keeps_its_own_order_and_scores() -> None:
    tiered = [Candidate("e", 1.0, tier="exact"), Candidate("a", 9.0)]
    response = stats(HybridSearch(lexical=Lexical(tiered), defaults=search_preset("efficient")))
    assert [(hit.id, hit.score, hit.score_kind) for hit in response.hits] == [
        ("e", 1.0, "bm25f"),
        ("a", 9.0, "bm25f"),
    ]
    assert response.hits[0].signals["lexical"].tier == "exact"


# Budgets and scope


def test_each_source_is_asked_for_its_own_budget() -> None:
    words, vectors, tokens = Source(falling("abc")), Source(falling("xyz")), Source(falling("pq"))
    search = HybridSearch(lexical=words, vector=vectors, tokens=tokens)
    response = stats(search, lexical_candidates=2, vector_candidates=1)
    assert [source.calls[0]["limit"] for source in (words, vectors, tokens)] == [2, 1, 1]
    assert response.counts == {"lexical": 2, "vector": 1, "tokens": 1, "reranked": 0}
    stats(search, tokens_candidates=9, candidates={"vector": 8})
    assert [source.calls[1]["limit"] for source in (words, vectors, tokens)] == [100, 8, 9]


def test_a_budget_goes_up_to_ten_thousand() -> None:
    words = Source(falling("ab"))
    stats(HybridSearch(lexical=words), lexical_candidates=10_000)
    assert words.calls[0]["limit"] == 10_000
    with pytest.raises(InvalidOption, match=r"lexical_candidates=10001 .* from 1 to 10000"):
        stats(HybridSearch(lexical=words), lexical_candidates=10_001)


def test_ids_reach_every_source_and_the_exact_lookup_before_the_top_is_taken() -> None:
    words, vectors = Lexical(falling("abc"), literal=["a", "c"]), Source(falling("cba"))
    search = HybridSearch(lexical=words, vector=vectors, reranker=(reranker := Reranker()))
    response = stats(search, ids={"b", "c"}, lexical_candidates=1, vector_candidates=1, exact="promote")
    assert set(ids(response.hits)) == {"b", "c"}
    assert ids(response.hits)[0] == "c"
    for call in (words.calls[0], vectors.calls[0], words.exact_calls[0]):
        assert call["ids"] == {"b", "c"}
    assert sorted(reranker.calls[0]) == ["b", "c"]


def test_an_id_out_of_scope_fails_closed_and_names_the_source() -> None:
    class Leaky(Source):
        def retrieve(self, query: Query, **options: Any) -> list[Candidate]:
            return [Candidate("secret", 1.0)]

    search = HybridSearch(lexical=Source(falling("a")), vector=Leaky([]))
    with pytest.raises(SourceError, match="vector: answered the id 'secret', which is out of scope"):
        hits(search, ids={"a"})


def test_no_eligible_id_asks_nobody() -> None:
    words = Source(falling("a"))
    assert stats(HybridSearch(lexical=words), ids=set()).hits == ()
    assert words.calls == []


def test_an_id_list_is_taken_as_a_set() -> None:
    assert hits(HybridSearch(lexical=Source(falling("abc"))), ids=["c", "a"]) == ["a", "c"]


# Cascades


def test_vector_first_orders_the_vector_pool_by_words_and_keeps_the_rest_behind() -> None:
    words = Lexical([], all_scores=[("c", 9.0), ("a", 4.0), ("far", 99.0)])
    search = HybridSearch(lexical=words, vector=Rescoring(falling("abc")))
    response = stats(search, strategy="vector-first")
    assert ids(response.hits) == ["c", "a", "b"]
    assert [hit.score_kind for hit in response.hits] == ["bm25f", "bm25f", "cosine"]
    assert response.hits[2].reasons == ("unmatched:lexical",)
    assert response.hits[0].contributions == {}


def test_lexical_first_orders_the_word_pool_by_vectors() -> None:
    vectors = Rescoring(falling("z"), others=[("a", 0.1), ("b", 0.9)])
    search = HybridSearch(lexical=Lexical(falling("ab", 5.0)), vector=vectors)
    response = stats(search, strategy="lexical-first")
    assert ids(response.hits) == ["b", "a"]
    assert vectors.calls == []
    assert vectors.rescore_calls == [["a", "b"]]


def test_only_the_first_stage_budget_counts_and_the_second_scores_the_whole_pool() -> None:
    words = Lexical([], all_scores=falling("abcdef", 9.0))
    search = HybridSearch(lexical=words, vector=Rescoring(falling("fedcba")))
    response = stats(search, strategy="vector-first", vector_candidates=4, lexical_candidates=1)
    assert words.rescore_calls == [["f", "e", "d", "c"]]
    assert ids(response.hits) == ["c", "d", "e", "f"]
    assert response.total_candidates == 4


def test_a_second_source_without_rescore_retrieves_within_the_pool() -> None:
    words = Source(falling("abc", 9.0))
    search = HybridSearch(lexical=words, vector=Source(falling("cbx")))
    assert hits(search, strategy="vector-first") == ["b", "c", "x"]
    assert words.calls == [{"query": words.calls[0]["query"], "limit": 3, "ids": frozenset({"c", "b", "x"})}]


def test_unmatched_drop_removes_the_tail() -> None:
    search = HybridSearch(lexical=Lexical([], all_scores=[("b", 2.0)]), vector=Rescoring(falling("abc")))
    assert hits(search, strategy="vector-first", unmatched="drop") == ["b"]
    assert hits(search, strategy="vector-first", unmatched="drop", cascade="fuse") == ["b"]


def test_cascade_fuse_joins_both_stage_rankings() -> None:
    words = Lexical([], all_scores=[("c", 9.0), ("b", 8.0)])
    search = HybridSearch(lexical=words, vector=Rescoring(falling("abc")))
    response = stats(search, strategy="vector-first", cascade="fuse", fusion={"k": 1})
    # a: 1/2; b: 1/3 + 1/3; c: 1/4 + 1/2.
    assert ids(response.hits) == ["c", "b", "a"]
    assert response.hits[0].contributions == {"lexical": 1 / 2, "vector": 1 / 4}
    assert {hit.score_kind for hit in response.hits} == {"rrf"}


def test_cascade_fuse_uses_the_chosen_method() -> None:
    words = Lexical([], all_scores=[("c", 9.0), ("b", 8.0)])
    search = HybridSearch(lexical=words, vector=Rescoring([("a", 0.9), ("b", 0.8), ("c", 0.1)]))
    response = stats(search, strategy="vector-first", cascade="fuse", fusion={"method": "linear"})
    assert {hit.id: hit.score for hit in response.hits} == pytest.approx(
        {"a": 0.5, "b": 0.5 * 0.7 / 0.8, "c": 0.5}
    )


def test_a_cascade_does_not_recover_what_its_first_stage_missed() -> None:
    words = Lexical(falling("q"), all_scores=falling("q"))
    search = HybridSearch(lexical=words, vector=Rescoring(falling("ab")))
    assert "q" not in hits(search, strategy="vector-first")


@pytest.mark.parametrize("strategy", ["vector-first", "lexical-first"])
def test_a_cascade_over_an_empty_pool_asks_no_second_stage(strategy: str) -> None:
    words, vectors = Lexical([]), Rescoring([])
    assert hits(HybridSearch(lexical=words, vector=vectors), strategy=strategy) == []
    assert words.rescore_calls == vectors.rescore_calls == []


def test_a_cascade_needs_both_sources() -> None:
    with pytest.raises(InvalidOption, match="there is no vector source"):
        hits(HybridSearch(lexical=Source([])), strategy="vector-first")
    with pytest.raises(InvalidOption, match="there is no lexical source"):
        hits(HybridSearch(vector=Source([])), strategy="vector-first")


# Pages and empty queries


def test_ten_hits_from_the_first_are_the_default_page() -> None:
    search = HybridSearch(lexical=Source(falling("abcdefghijklmnop", 100.0)))
    response = stats(search)
    assert [hit.rank for hit in response.hits] == list(range(1, 11))
    assert response.total_candidates == 16


def test_pages_follow_each_other_and_widen_no_window() -> None:
    words, vectors = Source(falling("abcdefghij")), Source(falling("jihgfz"))
    search = HybridSearch(lexical=words, vector=vectors)
    whole = stats(search, limit=100, lexical_candidates=8, vector_candidates=5).hits
    pages: list[Any] = []
    for offset in range(0, 15, 3):
        pages += stats(search, limit=3, offset=offset, lexical_candidates=8, vector_candidates=5).hits
    assert pages == list(whole)
    assert [hit.rank for hit in pages] == list(range(1, len(whole) + 1))
    assert {call["limit"] for call in words.calls} == {8}
    assert hits(search, offset=1000) == []


def test_limit_zero_asks_nobody() -> None:
    words, reranker = Source(falling("a")), Reranker()
    response = stats(HybridSearch(lexical=words, reranker=reranker), limit=0)
    assert response.hits == ()
    assert response.total_candidates == 0
    assert words.calls == reranker.calls == []


def test_limit_zero_still_validates() -> None:
    with pytest.raises(InvalidOption, match="offset=-1"):
        stats(HybridSearch(lexical=Source([])), limit=0, offset=-1)


@pytest.mark.parametrize("text", ["", "  \t\n", "\u3000"])
def test_an_empty_text_without_a_vector_finds_nothing_and_asks_nobody(text: str) -> None:
    words, vectors = Source(falling("a")), Source(falling("b"))
    assert hits(HybridSearch(lexical=words, vector=vectors), text) == []
    assert words.calls == vectors.calls == []


def test_an_empty_text_with_a_vector_is_vector_retrieval() -> None:
    words, vectors, reranker = Lexical(falling("a"), literal=["a"]), Source(falling("bc")), Reranker()
    search = HybridSearch(lexical=words, vector=vectors, reranker=reranker)
    response = stats(search, {"text": "", "vector": [0.5, 1]}, exact="promote", weak_lexical={})
    assert ids(response.hits) == ["b", "c"]
    assert words.calls == words.exact_calls == reranker.calls == []
    assert response.rerank_decision == {"action": "skipped", "reason": "no-text"}
    assert vectors.calls[0]["query"].vector.dtype == np.float32


def test_an_empty_text_with_a_vector_in_a_cascade_keeps_the_vector_order() -> None:
    search = HybridSearch(lexical=Lexical(falling("b")), vector=Rescoring(falling("abc")))
    query = Query("", np.ones(2, np.float32))
    assert hits(search, query, strategy="vector-first", unmatched="drop") == ["a", "b", "c"]
    assert hits(search, query, strategy="lexical-first") == []


def test_a_query_may_carry_its_vector() -> None:
    vectors = Source(falling("b"))
    hits(HybridSearch(vector=vectors), {"text": "words", "vector": np.array([1.0, 2.0])})
    assert vectors.calls[0]["query"].text == "words"
    assert vectors.calls[0]["query"].vector.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        (5, InvalidInput),
        ({"text": 5}, InvalidInput),
        ({"txt": "a"}, InvalidInput),
        ({"vector": [[1.0]]}, InvalidInput),
        ({"vector": []}, InvalidInput),
        ({"vector": "abc"}, InvalidInput),
        ({"vector": [1.0, float("nan")]}, NotFinite),
    ],
)
def test_a_bad_query_is_an_error_before_anything_is_asked(query: Any, error: type[Exception]) -> None:
    words = Source(falling("a"))
    with pytest.raises(error):
        hits(HybridSearch(lexical=words), query)
    assert words.calls == []


# The response


def test_each_hit_explains_itself() -> None:
    words = Source([Candidate("a", 7.0, tier="prefix", payload={"line": 3}), Candidate("b", 2.0)])
    response = stats(HybridSearch(lexical=words, vector=Source([("b", 0.5)])))
    hit = response.hits[1]
    assert (hit.id, hit.rank, hit.score_kind) == ("a", 2, "rrf")
    signal = hit.signals["lexical"]
    assert (signal.rank, signal.score, signal.tier) == (1, 7.0, "prefix")
    assert hit.contributions == {"lexical": 1 / 61}
    assert hit.rerank_contributions == {}
    assert hit.exact is False
    assert hit.payload == {"lexical": {"line": 3}}


def test_stats_name_counts_timings_representatives_and_decisions() -> None:
    search = HybridSearch(lexical=Source(falling("ab")), vector=AsyncSource(falling("bc")))
    response = stats(search)
    assert response.total_candidates == 3
    assert response.counts == {"lexical": 2, "vector": 2, "reranked": 0}
    assert response.representatives == {"lexical": "a", "vector": "b"}
    assert set(response.timings) == {"lexical", "vector", "fusion", "policies", "total"}
    assert all(value >= 0 for value in response.timings.values())
    assert response.rerank_decision == {"action": "disabled"}
    assert response.weak_lexical == {"action": "disabled"}
    assert response.route is None
    assert response.degraded == ()


def test_total_candidates_is_the_pool_and_not_the_corpus() -> None:
    search = HybridSearch(lexical=Source(falling("abcdefgh")), vector=Source(falling("hx")))
    assert stats(search, lexical_candidates=3, vector_candidates=2, limit=1).total_candidates == 5


def test_kernels_are_named_by_the_sources_that_have_them() -> None:
    class Kernel:
        name = "numpy"

    vectors = Source(falling("a"))
    vectors.kernel = Kernel()  # type: ignore[attr-defined]
    words = Source(falling("a"))
    words.kernel = "blockmax"  # type: ignore[attr-defined]
    assert stats(HybridSearch(lexical=words, vector=vectors)).kernels == {
        "lexical": "blockmax",
        "vector": "numpy",
    }


def test_the_whole_response_is_json() -> None:
    search = HybridSearch(
        lexical=Lexical(falling("abcd"), literal=["d"], share=0.0, length=50.0),
        vector=Rescoring([("x", 0.9), ("y", 0.1)], others=[("a", -0.5)]),
        reranker=Reranker({"b": 1.0}),
        defaults=search_preset("reranked"),
    )
    response = stats(search, exact="promote", balance={"window": 5, "lexical": 1, "vector": 1})
    plain = json.loads(json.dumps(response.to_dict()))
    assert plain["hits"][0]["id"] == "d"
    assert plain["weak_lexical"]["action"] == "promoted"
    assert plain["rerank_decision"] == {"action": "applied", "candidates": 6}


def test_numpy_numbers_from_a_source_become_plain_ones() -> None:
    rows = [Candidate("a", np.float32(0.5)), Candidate("b", np.float64(0.25))]  # type: ignore[arg-type]
    response = stats(HybridSearch(vector=Source(rows)))
    assert [type(hit.score) for hit in response.hits] == [float, float]
    json.dumps(response.to_dict())


# Construction


def test_a_search_needs_a_source() -> None:
    with pytest.raises(InvalidOption, match="1 to 64 sources"):
        HybridSearch()
    with pytest.raises(InvalidOption, match="a retriever"):
        HybridSearch(lexical=object())  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="rerank"):
        HybridSearch(lexical=Source([]), reranker=object())  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="more="):
        HybridSearch(more={"lexical": Source([])})


def test_defaults_are_validated_when_the_search_is_made() -> None:
    with pytest.raises(InvalidOption, match="limit=-1"):
        HybridSearch(lexical=Source([]), defaults={"limit": -1})
    with pytest.raises(InvalidOption, match=r"fusion.weights='titel'"):
        HybridSearch(lexical=Source([]), defaults={"fusion": {"weights": {"titel": 2}}})


def test_a_searchs_option_overrides_its_default() -> None:
    search = HybridSearch(lexical=Source(falling("abc")), defaults={"limit": 1, "offset": 1})
    assert hits(search) == ["b"]
    assert hits(search, limit=2) == ["b", "c"]
    assert search.defaults.limit == 1


def test_a_preset_may_be_spread_into_a_search() -> None:
    search = HybridSearch(lexical=Source(falling("ab")), vector=Source(falling("b")))
    response = stats(search, **search_preset("efficient"))
    assert {hit.id: hit.score for hit in response.hits} == {"a": 1.5, "b": 1.5}


def test_the_preset_speaks_of_the_token_source_where_there_is_no_vector_source() -> None:
    search = HybridSearch(
        lexical=Source(falling("ab")), tokens=Source(falling("bc")), defaults=search_preset("efficient")
    )
    response = stats(search, fusion={"k": 1, "weights": {"lexical": 0, "vector": 2}})
    assert response.hits[0].contributions == {"lexical": 0.0, "tokens": 1.0}
    assert stats(search, strategy="vector-first").strategy == "vector-first"


def test_sync_and_async_backends_work_side_by_side() -> None:
    words, vectors = Source(falling("a")), AsyncSource(falling("a"))
    assert hits(HybridSearch(lexical=words, vector=vectors)) == ["a"]


def test_a_callers_lists_and_options_are_left_alone() -> None:
    rows = [Candidate("a", 1.0), Candidate("b", 0.5)]

    class Shared(Source):
        def retrieve(self, query: Query, **options: Any) -> list[Candidate]:
            return rows

    weights = {"lexical": 2.0}
    options = {"fusion": {"weights": weights}, "balance": {"window": 3, "lexical": 1}}
    search = HybridSearch(lexical=Shared([]), vector=Source(falling("b")), reranker=Reranker({"b": 2.0}))
    hits(search, **options)
    assert rows == [Candidate("a", 1.0), Candidate("b", 0.5)]
    assert options == {"fusion": {"weights": {"lexical": 2.0}}, "balance": {"window": 3, "lexical": 1}}


def test_nothing_asked_still_tells_why_no_rule_applied() -> None:
    search = HybridSearch(
        lexical=Lexical(falling("a")), vector=Source(falling("b")), defaults=search_preset("efficient")
    )
    assert stats(search, "").weak_lexical == {"action": "unavailable", "reason": "no-candidates"}
    assert stats(search, "", strategy="vector-first").weak_lexical["reason"] == "strategy"


def test_a_query_object_is_taken_as_it_is() -> None:
    words = Source(falling("a"))
    query = Query("words")
    assert hits(HybridSearch(lexical=words), query) == ["a"]
    assert words.calls[0]["query"] is query


def test_a_candidate_of_a_class_of_its_own_is_a_candidate() -> None:
    class Row(Candidate):
        pass

    assert hits(HybridSearch(lexical=Source([Row("a", 1.0)]))) == ["a"]
