"""RetrievalEngine: any number of retrievers, an answer whatever fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from hinny.engine.engine import RetrievalEngine
from hinny.errors import InvalidOption, SourceLoading
from hinny.ranking.sources import RERANK_STAGE
from hinny.records import Candidate, Degraded, Hit, Query
from ranking_fakes import AsyncSource, FailingSource, Reranker, Source, falling, ids
from support import run


def named(name: str, rows: str, **options: Any) -> Source:
    return AsyncSource(falling(rows), name=name, **options) if options else Source(falling(rows), name=name)


class ByText:
    """Scores a text by its length."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.calls.append(list(texts))
        return [float(len(text)) for text in texts]


def test_an_id_that_retrievers_agree_on_outranks_one_that_tops_a_single_list() -> None:
    engine = RetrievalEngine([named("fts", "ab"), named("vector", "cb"), named("graph", "db")])
    response = run(engine.search("why"))
    assert [(hit.id, hit.score) for hit in response.hits] == [
        ("b", pytest.approx(3 / 62)),
        ("a", 1 / 61),
        ("c", 1 / 61),
        ("d", 1 / 61),
    ]
    assert response.hits[0].contributions == {"fts": 1 / 62, "graph": 1 / 62, "vector": 1 / 62}
    assert engine.sources == ("fts", "vector", "graph")


def test_weights_go_by_the_retrievers_names() -> None:
    engine = RetrievalEngine(
        [named("fts", "a"), named("vector", "b")],
        fusion={"k": 60, "weights": {"vector": 0.7, "fts": 0.3}},
    )
    response = run(engine.search("why"))
    assert [(hit.id, hit.score) for hit in response.hits] == [("b", 0.7 / 61), ("a", 0.3 / 61)]


def test_every_retriever_is_asked_for_more_than_the_page() -> None:
    fts, vector = named("fts", "a"), named("vector", "b")
    run(RetrievalEngine([fts, vector], over_fetch=4).search("why", limit=5))
    run(RetrievalEngine([fts], over_fetch=100).search("why", limit=500))
    assert [call["limit"] for call in fts.calls] == [20, 10_000]
    assert vector.calls[0]["limit"] == 20
    run(RetrievalEngine([fts]).search("why", limit=5, offset=5))
    assert fts.calls[-1]["limit"] == 15


def test_retrievers_run_at_the_same_time() -> None:
    async def overlap() -> tuple[int, int]:
        running, most = 0, 0

        class Busy(Source):
            async def retrieve(self, query: Query, **options: Any) -> list[Candidate]:  # type: ignore[override]
                nonlocal running, most
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.005)
                running -= 1
                return []

        await RetrievalEngine([Busy([], name=f"r{n}") for n in range(5)]).search("why")
        return running, most

    assert run(overlap()) == (0, 5)


@pytest.mark.parametrize("error", [OSError("index locked"), ValueError("no embedder")])
def test_one_that_raises_contributes_nothing_and_is_named(error: Exception) -> None:
    engine = RetrievalEngine([named("fts", "ab"), FailingSource(error, name="vector")])
    response = run(engine.search("why"))
    assert ids(response.hits) == ["a", "b"]
    assert response.degraded == (Degraded("vector", "error", str(error)),)


def test_one_past_its_time_contributes_nothing_and_is_named() -> None:
    slow = AsyncSource(falling("z"), name="vector", delay=30)
    response = run(RetrievalEngine([named("fts", "ab"), slow], timeout=0.01).search("why"))
    assert ids(response.hits) == ["a", "b"]
    assert response.degraded == (Degraded("vector", "timeout", "no answer within 0.01 s"),)
    assert slow.cancelled


def test_one_that_is_loading_is_named_so() -> None:
    loading = FailingSource(SourceLoading("vector", "5 of 22 MB"), name="vector")
    response = run(RetrievalEngine([named("fts", "a"), loading]).search("why"))
    assert response.degraded == (Degraded("vector", "loading", "vector: 5 of 22 MB"),)


def test_one_that_breaks_its_contract_is_named() -> None:
    doubled = Source([("a", 1.0), ("a", 0.5)], name="vector")
    response = run(RetrievalEngine([named("fts", "a"), doubled]).search("why"))
    assert response.degraded == (Degraded("vector", "error", "vector: answered the id 'a' twice"),)


def test_when_all_fail_the_answer_is_empty_and_names_them_all() -> None:
    engine = RetrievalEngine([FailingSource(OSError("x"), name=name) for name in ("fts", "vector")])
    response = run(engine.search("why"))
    assert response.hits == ()
    assert [report.source for report in response.degraded] == ["fts", "vector"]
    assert response.rerank_decision == {"action": "disabled"}


def test_strict_on_request() -> None:
    engine = RetrievalEngine([FailingSource(OSError("locked"), name="fts")], on_error="raise")
    with pytest.raises(OSError, match="locked"):
        run(engine.search("why"))


def test_min_score_and_dropoff_trim_the_fused_list() -> None:
    def found(**options: Any) -> list[str]:
        engine = RetrievalEngine([named("fts", "abcd"), named("vector", "ab")], fusion={"k": 0}, **options)
        return ids(run(engine.search("why")).hits)

    # a 2, b 1, c 1/3, d 1/4.
    assert found() == list("abcd")
    assert found(min_score=0.3) == list("abc")
    assert found(dropoff=True) == list("ab")


def test_the_payload_of_each_source_travels_along() -> None:
    fts = Source([Candidate("a", 2.0, payload={"locator": [4, 7]})], name="fts")
    graph = Source([Candidate("a", 1.0, payload={"hops": 1})], name="graph")
    response = run(RetrievalEngine([fts, graph]).search("why"))
    assert response.hits[0].payload == {"fts": {"locator": [4, 7]}, "graph": {"hops": 1}}


# Reranking


def test_a_scorer_reads_the_texts_that_text_for_gives_for_hits() -> None:
    seen: list[Hit] = []

    def text_for(hit: Hit) -> str:
        seen.append(hit)
        return {"a": "x", "b": "xxx", "c": "xx"}[hit.id]

    fts = Source([Candidate("a", 2.0, payload={"locator": 1}), ("b", 1.0), ("c", 0.5)], name="fts")  # type: ignore[list-item]
    scorer = ByText()
    response = run(RetrievalEngine([fts], reranker=scorer, text_for=text_for).search("why"))
    assert ids(response.hits) == ["b", "c", "a"]
    assert [hit.score_kind for hit in response.hits] == ["neural"] * 3
    assert response.rerank_decision == {"action": "applied", "candidates": 3}
    assert seen[0].payload == {"fts": {"locator": 1}}
    assert scorer.calls == [["x", "xxx", "xx"]]
    assert response.counts == {"fts": 3, "reranked": 3}


def test_only_the_first_candidates_are_reranked() -> None:
    engine = RetrievalEngine([named("fts", "abcd")], reranker=Reranker({"b": 5.0}), rerank_candidates=2)
    assert ids(run(engine.search("why")).hits) == ["b", "a", "c", "d"]


def test_a_scorer_is_made_on_first_use() -> None:
    made: list[ByText] = []

    def make() -> ByText:
        made.append(ByText())
        return made[-1]

    engine = RetrievalEngine([named("fts", "ab")], reranker=make, text_for=lambda hit: hit.id)
    assert made == []
    run(engine.search("why"))
    run(engine.search("why"))
    assert len(made) == 1


@pytest.mark.parametrize("error", [MemoryError("no room"), ImportError("no such package")])
def test_a_reranker_that_throws_costs_the_reordering_and_not_the_answer(error: BaseException) -> None:
    class Throws:
        def score(self, query: str, texts: Sequence[str]) -> list[float]:
            raise error

    engine = RetrievalEngine([named("fts", "abc")], reranker=Throws(), text_for=lambda hit: hit.id)
    response = run(engine.search("why"))
    assert ids(response.hits) == ["a", "b", "c"]
    assert response.degraded == (Degraded(RERANK_STAGE, "error", str(error)),)
    assert response.rerank_decision == {"action": "failed", "reason": "error"}
    assert response.counts["reranked"] == 0


def test_text_for_that_throws_or_has_no_text_degrades_the_same_way() -> None:
    def throws(hit: Hit) -> str:
        raise KeyError(hit.id)

    for text_for in (throws, lambda hit: None):
        engine = RetrievalEngine([named("fts", "ab")], reranker=ByText(), text_for=text_for)
        response = run(engine.search("why"))
        assert ids(response.hits) == ["a", "b"]
        assert [report.source for report in response.degraded] == ["rerank"]


def test_a_slow_reranker_is_a_timeout_of_its_own_stage() -> None:
    class Slow:
        async def score(self, query: str, texts: Sequence[str]) -> list[float]:
            await asyncio.sleep(30)
            return []

    engine = RetrievalEngine([named("fts", "ab")], reranker=Slow(), text_for=lambda hit: hit.id, timeout=0.01)
    response = run(engine.search("why"))
    assert ids(response.hits) == ["a", "b"]
    assert response.degraded == (Degraded("rerank", "timeout", "no answer within 0.01 s"),)


def test_a_scorer_needs_text_for() -> None:
    with pytest.raises(InvalidOption, match="text_for"):
        RetrievalEngine([named("fts", "a")], reranker=ByText())


# Pages, scope, bad options


def test_pages_of_one_fused_list() -> None:
    engine = RetrievalEngine([named("fts", "abcdef")])
    assert ids(run(engine.search("why", limit=2, offset=2)).hits) == ["c", "d"]
    assert [hit.rank for hit in run(engine.search("why", limit=2, offset=2)).hits] == [3, 4]


def test_nothing_to_ask_asks_nobody() -> None:
    fts = named("fts", "a")
    engine = RetrievalEngine([fts])
    assert run(engine.search("")).hits == run(engine.search("x", limit=0)).hits == ()
    assert run(engine.search("x", ids=set())).hits == ()
    assert fts.calls == []


def test_eligible_ids_reach_every_retriever() -> None:
    fts, vector = named("fts", "ab"), named("vector", "ab")
    assert ids(run(RetrievalEngine([fts, vector]).search("x", ids={"b"})).hits) == ["b"]
    assert fts.calls[0]["ids"] == vector.calls[0]["ids"] == {"b"}


def test_a_query_with_a_vector_and_no_text_skips_the_text_reranker() -> None:
    scorer = ByText()
    engine = RetrievalEngine([named("vector", "ab")], reranker=scorer, text_for=lambda hit: hit.id)
    response = run(engine.search({"vector": np.ones(2)}))
    assert ids(response.hits) == ["a", "b"]
    assert response.rerank_decision == {"action": "skipped", "reason": "no-text"}
    assert scorer.calls == []


@pytest.mark.parametrize(
    ("option", "options"),
    [
        ("fusion.k", {"fusion": {"k": -1}}),
        ("fusion.weights", {"fusion": {"weights": {"nobody": 1}}}),
        ("fusion.weights", {"fusion": {"weights": {"fts": 0}}}),
        ("over_fetch", {"over_fetch": 0}),
        ("timeout", {"timeout": 0}),
        ("min_score", {"min_score": "high"}),
        ("dropoff", {"dropoff": 2}),
        ("rerank_candidates", {"rerank_candidates": 0}),
        ("on_error", {"on_error": "ignore"}),
        ("model", {"reranker": 5, "text_for": str}),
    ],
)
def test_bad_options_are_named_when_the_engine_is_made(option: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption) as caught:
        RetrievalEngine([named("fts", "a")], **options)
    assert caught.value.option == option


def test_retrievers_have_names_that_differ() -> None:
    for bad in ([], [named("a", ""), named("a", "")], [named("rerank", "")], [object()], [named("", "")]):
        with pytest.raises(InvalidOption, match="retrievers="):
            RetrievalEngine(bad)  # type: ignore[arg-type]


def test_bad_pages_are_named_before_anything_is_asked() -> None:
    fts = named("fts", "a")
    for bad in ({"limit": -1}, {"offset": -1}, {"ids": "a"}):
        with pytest.raises(InvalidOption):
            run(RetrievalEngine([fts]).search("x", **bad))  # type: ignore[arg-type]
    assert fts.calls == []


def test_the_response_is_json_and_has_timings() -> None:
    engine = RetrievalEngine(
        [named("fts", "ab"), FailingSource(OSError("x"), name="vector")], reranker=Reranker()
    )
    response = run(engine.search("why"))
    json.dumps(response.to_dict())
    assert set(response.timings) >= {"fts", "fusion", "rerank", "total"}
    assert response.representatives == {"fts": "a"}
    assert response.strategy == "engine"


def test_blocking_and_cancellation() -> None:
    assert ids(RetrievalEngine([named("fts", "ab")]).search_sync("why", limit=1).hits) == ["a"]

    async def cancel() -> bool:
        slow = AsyncSource(falling("z"), name="vector", delay=30)
        task = asyncio.get_running_loop().create_task(RetrievalEngine([slow]).search("why"))
        await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        return slow.cancelled

    assert run(cancel())
