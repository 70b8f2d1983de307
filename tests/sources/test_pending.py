"""Sources on their way: loading, then there, or failed."""

from __future__ import annotations

import pytest

from hinny.errors import SourceLoading
from hinny.ranking.search import HybridSearch
from hinny.records import Degraded, Query
from hinny.sources.pending import ON_ITS_WAY, PendingReranker, PendingRetriever
from ranking_fakes import AsyncSource, Lexical, Reranker, Rescoring, Source, falling, ids
from support import run


def test_lexical_hits_come_at_once_and_the_rest_is_named_as_loading() -> None:
    vector, second = PendingRetriever("vector", "3 of 22 MB"), PendingReranker("rerank")
    search = HybridSearch(lexical=Source(falling("ab")), vector=vector, reranker=second, on_error="degrade")
    response = run(search.search_with_stats("words"))
    assert ids(response.hits) == ["a", "b"]
    assert response.degraded == (
        Degraded("vector", "loading", "vector: 3 of 22 MB"),
        Degraded("rerank", "loading", f"rerank: {ON_ITS_WAY}"),
    )
    assert response.rerank_decision == {"action": "failed", "reason": "loading"}


def test_once_there_the_same_search_uses_them() -> None:
    vector, second = PendingRetriever("vector"), PendingReranker("rerank")
    search = HybridSearch(lexical=Source(falling("ab")), vector=vector, reranker=second, on_error="degrade")
    assert not vector.ready
    vector.set(AsyncSource(falling("z")))
    second.set(Reranker({"z": 1.0}))
    response = run(search.search_with_stats("words", rerank={"method": "replace"}))
    assert vector.ready
    assert response.degraded == ()
    assert response.hits[0].id == "z"


def test_a_strict_search_says_that_it_is_loading() -> None:
    search = HybridSearch(lexical=Source(falling("a")), vector=PendingRetriever("vector"))
    with pytest.raises(SourceLoading, match="vector: still loading"):
        run(search.search("words"))


def test_one_that_will_not_come_is_an_error_and_no_longer_loading() -> None:
    vector = PendingRetriever("vector")
    vector.fail(OSError("no such model"))
    search = HybridSearch(lexical=Source(falling("a")), vector=vector, on_error="degrade")
    assert run(search.search_with_stats("words")).degraded == (Degraded("vector", "error", "no such model"),)


def test_it_rescores_by_the_retrievers_own_ability_or_within_the_pool() -> None:
    pending = PendingRetriever("vector")
    with pytest.raises(SourceLoading):
        pending.rescore(Query("q"), ["a"])
    able = Rescoring(falling("ab"))
    pending.set(able)
    assert ids(pending.rescore(Query("q"), ["b"])) == ["b"]  # type: ignore[arg-type]
    assert able.rescore_calls == [["b"]]
    assert pending.score_kind == "cosine"
    plain = Source(falling("ab"))
    pending.set(plain)
    assert ids(pending.rescore(Query("q"), ["b"])) == ["b"]  # type: ignore[arg-type]
    assert plain.calls[0]["limit"] == 1
    assert pending.score_kind is None
    assert pending.kernel is None


def test_a_loading_vector_source_leaves_the_weak_lexical_rule_without_candidates() -> None:
    search = HybridSearch(
        lexical=Lexical(falling("a"), share=0.0), vector=PendingRetriever("vector"), on_error="degrade"
    )
    response = run(search.search_with_stats("words", weak_lexical={}))
    assert response.weak_lexical == {"action": "unavailable", "reason": "no-candidates"}
