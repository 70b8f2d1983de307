"""Asking several sources at once: strict, fail-open, time limits and cancellation."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hinny.errors import SourceError, SourceLoading
from hinny.ranking.gather import Call, ask_one, gather
from hinny.ranking.search import HybridSearch
from hinny.records import Candidate, Degraded, Query
from ranking_fakes import AsyncSource, FailingSource, Lexical, Reranker, Source, falling, ids
from support import run


def call(name: str, value: Any) -> Call:
    def ask() -> Any:
        if isinstance(value, Exception):
            raise value
        return value() if callable(value) else value

    return Call(name, ask, lambda answer: answer)


def later(value: Any, seconds: float = 0.001) -> Any:
    async def answer() -> Any:
        await asyncio.sleep(seconds)
        if isinstance(value, Exception):
            raise value
        return value

    return answer


def test_answers_come_by_name_with_their_times() -> None:
    answers = run(gather([call("slow", later(1)), call("fast", 2)], strict=True))
    assert answers.values == {"slow": 1, "fast": 2}
    assert answers.milliseconds["slow"] >= 1
    assert answers.degraded == []


def test_sources_run_at_the_same_time() -> None:
    async def together() -> list[str]:
        log: list[str] = []

        def source(name: str) -> Any:
            async def answer() -> str:
                log.append(f"{name} starts")
                await asyncio.sleep(0.005)
                log.append(f"{name} ends")
                return name

            return answer

        await gather([call("a", source("a")), call("b", source("b"))], strict=True)
        return log

    assert run(together()) == ["a starts", "b starts", "a ends", "b ends"]


@pytest.mark.parametrize("failure", [ValueError("broken"), later(ValueError("broken"))])
def test_strict_raises_the_sources_own_error_with_its_name(failure: Any) -> None:
    with pytest.raises(ValueError, match="broken") as caught:
        run(gather([call("good", 1), call("bad", failure)], strict=True))
    assert caught.value.__notes__ == ["(while asking the source 'bad')"]


@pytest.mark.parametrize("failure", [ValueError("broken"), later(ValueError("broken"))])
def test_fail_open_reports_and_keeps_the_others(failure: Any) -> None:
    answers = run(gather([call("good", later(1)), call("bad", failure)], strict=False))
    assert answers.values == {"good": 1}
    assert answers.degraded == [Degraded("bad", "error", "broken")]


def test_an_error_without_a_message_is_named_by_its_type() -> None:
    answers = run(gather([call("bad", RuntimeError())], strict=False))
    assert answers.degraded == [Degraded("bad", "error", "RuntimeError")]


def test_a_late_source_contributes_nothing_and_is_cancelled() -> None:
    async def late() -> tuple[Any, bool]:
        source = AsyncSource(falling("a"), delay=30)
        ask = call("late", lambda: source.retrieve(Query("q"), limit=1))
        answers = await gather([ask, call("good", 1)], strict=False, timeout=0.01)
        await asyncio.sleep(0)
        return answers, source.cancelled

    answers, cancelled = run(late())
    assert answers.values == {"good": 1}
    assert answers.degraded == [Degraded("late", "timeout", "no answer within 0.01 s")]
    assert cancelled


def test_strict_and_late_is_a_timeout_error() -> None:
    with pytest.raises(TimeoutError, match=r"no answer within 0\.01 s"):
        run(gather([call("late", later(1, 30))], strict=True, timeout=0.01))


def test_a_synchronous_answer_counts_however_long_it_took() -> None:
    def slow() -> int:
        from time import perf_counter

        end = perf_counter() + 0.02
        while perf_counter() < end:
            pass
        return 1

    answers = run(gather([call("slow", slow)], strict=False, timeout=0.001))
    assert answers.values == {"slow": 1}


def test_a_strict_failure_cancels_the_others_at_once() -> None:
    async def failing() -> bool:
        source = AsyncSource(falling("a"), delay=30)
        waiting = call("waiting", lambda: source.retrieve(Query("q"), limit=1))
        with pytest.raises(ValueError, match="broken"):
            await gather([waiting, call("bad", later(ValueError("broken")))], strict=True)
        await asyncio.sleep(0)
        return source.cancelled

    assert run(failing())


def test_a_loading_source_is_reported_as_loading() -> None:
    answers = run(gather([call("vector", SourceLoading("vector", "12 of 22 MB"))], strict=False))
    assert answers.degraded == [Degraded("vector", "loading", "vector: 12 of 22 MB")]


def test_a_source_that_cancels_itself_is_a_failure_and_not_a_cancellation() -> None:
    async def cancels() -> None:
        raise asyncio.CancelledError

    answers = run(gather([call("odd", cancels), call("good", 1)], strict=False))
    assert answers.values == {"good": 1}
    assert answers.degraded[0].message == "odd: cancelled its own work"


def test_cancelling_the_caller_returns_at_once_and_is_passed_on() -> None:
    async def cancel() -> tuple[bool, bool]:
        stubborn_done = False

        async def stubborn() -> None:
            nonlocal stubborn_done
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                await asyncio.sleep(0.05)  # takes its time to stop
            stubborn_done = True

        source = AsyncSource(falling("a"), delay=30)
        polite = call("polite", lambda: source.retrieve(Query("q"), limit=1))
        task = asyncio.get_running_loop().create_task(
            gather([polite, call("stubborn", stubborn)], strict=False)
        )
        await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        was_prompt = not stubborn_done
        await asyncio.sleep(0.1)
        return was_prompt, source.cancelled and stubborn_done

    assert run(cancel()) == (True, True)


def test_what_a_late_source_says_afterwards_changes_nothing() -> None:
    async def afterwards() -> Any:
        async def deaf() -> int:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                await asyncio.sleep(0.01)
            return 7

        answers = await gather([call("deaf", deaf)], strict=False, timeout=0.005)
        await asyncio.sleep(0.05)
        return answers

    answers = run(afterwards())
    assert answers.values == {}
    assert [report.reason for report in answers.degraded] == ["timeout"]


def test_one_question_gives_value_and_time() -> None:
    value, milliseconds = run(ask_one(call("a", later(5))))
    assert value == 5
    assert milliseconds > 0


# In whole searches


def test_strict_is_the_default_and_nothing_partial_comes_back() -> None:
    search = HybridSearch(lexical=Source(falling("a")), vector=FailingSource(OSError("locked")))
    with pytest.raises(OSError, match="locked"):
        run(search.search("words"))


def test_degrade_keeps_the_other_source_and_says_why() -> None:
    search = HybridSearch(
        lexical=Source(falling("ab")), vector=FailingSource(OSError("locked")), on_error="degrade"
    )
    response = run(search.search_with_stats("words"))
    assert ids(response.hits) == ["a", "b"]
    assert response.degraded == (Degraded("vector", "error", "locked"),)
    assert response.counts == {"lexical": 2, "reranked": 0}
    with pytest.raises(OSError, match="locked"):
        run(search.search("words", on_error="raise"))


def test_a_source_past_its_time_is_named_and_the_rest_answers() -> None:
    search = HybridSearch(
        lexical=Source(falling("a")), vector=AsyncSource(falling("b"), delay=30), on_error="degrade"
    )
    response = run(search.search_with_stats("words", timeout=0.01))
    assert ids(response.hits) == ["a"]
    assert response.degraded == (Degraded("vector", "timeout", "no answer within 0.01 s"),)


def test_a_broken_contract_degrades_like_any_failure() -> None:
    search = HybridSearch(
        lexical=Source(falling("a")), vector=Source([("b", 1.0), ("b", 0.5)]), on_error="degrade"
    )
    response = run(search.search_with_stats("words"))
    assert response.degraded == (Degraded("vector", "error", "vector: answered the id 'b' twice"),)
    assert ids(response.hits) == ["a"]


def test_a_failed_rerank_keeps_the_fused_order_under_its_own_stage_name() -> None:
    class OutOfMemory(Reranker):
        def rerank(self, query: Query, ids: Any) -> list[Candidate]:
            raise MemoryError("no room")

    search = HybridSearch(lexical=Source(falling("abc")), reranker=OutOfMemory(), on_error="degrade")
    response = run(search.search_with_stats("words"))
    assert ids(response.hits) == ["a", "b", "c"]
    assert response.degraded == (Degraded("rerank", "error", "no room"),)
    assert response.rerank_decision == {"action": "failed", "reason": "error"}
    assert response.counts["reranked"] == 0


def test_a_failed_exact_lookup_is_named_by_its_stage() -> None:
    class Locked(Lexical):
        def exact(self, query: Query, **options: Any) -> list[str]:
            raise OSError("locked")

    search = HybridSearch(lexical=Locked(falling("a")), on_error="degrade")
    response = run(search.search_with_stats("words", exact="promote"))
    assert ids(response.hits) == ["a"]
    assert response.degraded == (Degraded("exact", "error", "locked"),)


def test_when_every_source_fails_the_answer_is_empty_and_says_so() -> None:
    search = HybridSearch(
        lexical=FailingSource(OSError("x")), vector=FailingSource(OSError("y")), on_error="degrade"
    )
    response = run(search.search_with_stats("words"))
    assert response.hits == ()
    assert [report.source for report in response.degraded] == ["vector", "lexical"]


def test_a_cascade_whose_first_source_failed_falls_back_to_the_second() -> None:
    search = HybridSearch(
        lexical=Lexical(falling("ab", 9.0), literal=["q"]),
        vector=FailingSource(OSError("x")),
        on_error="degrade",
    )
    response = run(search.search_with_stats("words", strategy="vector-first", exact="promote"))
    assert ids(response.hits) == ["q", "a", "b"]
    assert [report.source for report in response.degraded] == ["vector"]


def test_a_cascade_whose_second_source_failed_keeps_the_first_order() -> None:
    search = HybridSearch(
        lexical=FailingSource(OSError("x")), vector=Source(falling("ab")), on_error="degrade"
    )
    response = run(search.search_with_stats("words", strategy="vector-first", unmatched="drop"))
    assert ids(response.hits) == ["a", "b"]
    assert [report.source for report in response.degraded] == ["lexical"]


def test_the_short_text_route_without_its_source_lets_the_others_answer() -> None:
    search = HybridSearch(
        lexical=Lexical(falling("ab"), length=3.0),
        vector=FailingSource(SourceLoading("vector", "on its way")),
        on_error="degrade",
    )
    response = run(search.search_with_stats("words", vector_only_below=12))
    assert ids(response.hits) == ["a", "b"]
    assert response.route is None
    assert [(report.source, report.reason) for report in response.degraded] == [("vector", "loading")]


def test_a_failed_share_leaves_the_order_and_says_so() -> None:
    class Locked(Lexical):
        def match_share(self, query: Query, id: str) -> float | None:
            raise OSError("locked")

    search = HybridSearch(
        lexical=Locked(falling("a")), vector=Source([("v", 0.9), ("w", 0.1)]), on_error="degrade"
    )
    response = run(search.search_with_stats("words", weak_lexical={}))
    assert response.weak_lexical == {"action": "unavailable", "reason": "error"}
    assert response.degraded == (Degraded("lexical", "error", "locked"),)


def test_a_cancelled_search_is_prompt_and_reaches_the_backend() -> None:
    async def cancel() -> bool:
        source = AsyncSource(falling("a"), delay=30)
        search = HybridSearch(lexical=Source(falling("b")), vector=source, on_error="degrade")
        task = asyncio.get_running_loop().create_task(search.search("words"))
        await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        return source.cancelled

    assert run(cancel())


def test_a_cancelled_rerank_reaches_the_model() -> None:
    async def cancel() -> bool:
        reached = False

        class Slow(Reranker):
            async def rerank(self, query: Query, ids: Any) -> list[Candidate]:  # type: ignore[override]
                nonlocal reached
                try:
                    await asyncio.sleep(30)
                except asyncio.CancelledError:
                    reached = True
                    raise
                return []

        search = HybridSearch(lexical=Source(falling("b")), reranker=Slow())
        task = asyncio.get_running_loop().create_task(search.search("words"))
        await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        return reached

    assert run(cancel())


def test_a_degraded_lexical_source_does_not_count_as_agreeing_with_the_vector_winner() -> None:
    search = HybridSearch(
        lexical=FailingSource(OSError("x")),
        vector=Source([("v", 0.9), ("w", 0.1)]),
        reranker=Reranker(),
        on_error="degrade",
    )
    response = run(search.search_with_stats("words", rerank={"skip_if_vector_margin": 0.1}))
    assert response.rerank_decision["action"] == "applied"


def test_source_errors_name_the_source() -> None:
    error = SourceError("vector", "answered nonsense")
    assert (error.source, str(error)) == ("vector", "vector: answered nonsense")
