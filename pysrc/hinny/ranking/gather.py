"""Ask several sources at once, strictly or fail-open.

Strict: the first failure cancels the others and is raised, with a note that names the source.
Fail-open: a source that raises, breaks its contract or runs past the time limit contributes nothing
and is reported. In both, cancelling the caller returns at once and passes the cancellation on; work
that cannot be interrupted (a synchronous scan, a model call under way) may end later, unheard.

A source that answers without suspending costs no task. Where Python can (3.12), an asynchronous one is
started eagerly, so that a model is at work while the next source scans.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

from hinny.errors import SourceError, SourceLoading
from hinny.records import Degraded, DegradedReason

T = TypeVar("T")


class Call(NamedTuple):
    """One question: the source's name, how to ask it, and how to check what it says."""

    source: str
    ask: Callable[[], Any]
    check: Callable[[Any], Any]


class Answers(Generic[T]):
    """What came back, by source name in the order asked; times in milliseconds."""

    __slots__ = ("degraded", "milliseconds", "values")

    def __init__(self) -> None:
        self.values: dict[str, T] = {}
        self.milliseconds: dict[str, float] = {}
        self.degraded: list[Degraded] = []


async def gather(calls: Sequence[Call], *, strict: bool, timeout: float | None = None) -> Answers[Any]:
    """Ask all of `calls` (names unique); `timeout` in seconds bounds the wait for asynchronous ones.

    A synchronous source cannot be interrupted; its answer, once there, counts.
    """
    answers: Answers[Any] = Answers()
    failures: dict[str, BaseException] = {}
    tasks: dict[str, asyncio.Task[Any]] = {}
    for call in calls:
        _begin(call, answers, failures, tasks)
        if strict and failures:
            break
    late: set[asyncio.Task[Any]] = set()
    if not (strict and failures):
        late = await _wait(tasks, strict=strict, timeout=timeout)
    _take(tasks, answers, failures)
    if not (strict and failures):  # else the unfinished are abandoned for another's failure, not late
        late_sources = [source for source, task in tasks.items() if task in late]
        failures.update((source, TimeoutError(f"no answer within {timeout} s")) for source in late_sources)
    _abandon(tasks)
    asked = [call.source for call in calls if call.source in failures]
    if strict and asked:
        failures[asked[0]].add_note(f"(while asking the source {asked[0]!r})")
        raise failures[asked[0]]
    answers.degraded = [degraded(source, failures[source]) for source in asked]
    return answers


def _begin(
    call: Call,
    answers: Answers[Any],
    failures: dict[str, BaseException],
    tasks: dict[str, asyncio.Task[Any]],
) -> None:
    """Ask one source: what it answers at once is done, what it needs to wait for becomes a task."""
    started = perf_counter()
    try:
        value = call.ask()
        if isawaitable(value):
            tasks[call.source] = _start(_finish(value, call, started))
            return
        answers.values[call.source] = call.check(value)
    except Exception as error:
        failures[call.source] = error
    answers.milliseconds[call.source] = (perf_counter() - started) * 1000


async def ask_one(call: Call, *, timeout: float | None = None) -> tuple[Any, float]:
    """One question, strictly: the checked value and milliseconds, or the source's own error."""
    answers = await gather([call], strict=True, timeout=timeout)
    return answers.values[call.source], answers.milliseconds[call.source]


def degraded(source: str, error: BaseException) -> Degraded:
    """The report on a source that failed with this error."""
    reason: DegradedReason = "error"
    if isinstance(error, SourceLoading):
        reason = "loading"
    elif isinstance(error, TimeoutError):
        reason = "timeout"
    return Degraded(source, reason, str(error) or type(error).__name__)


async def _finish(value: Awaitable[Any], call: Call, started: float) -> tuple[Any, float]:
    checked = call.check(await value)
    return checked, (perf_counter() - started) * 1000


def _start(coroutine: Any) -> asyncio.Task[Any]:
    if sys.version_info >= (3, 12):
        return asyncio.Task(coroutine, loop=asyncio.get_running_loop(), eager_start=True)
    return asyncio.get_running_loop().create_task(coroutine)


async def _wait(
    tasks: dict[str, asyncio.Task[Any]], *, strict: bool, timeout: float | None
) -> set[asyncio.Task[Any]]:
    """Wait for the tasks; those that are not done in time come back."""
    waiting = [task for task in tasks.values() if not task.done()]
    if not waiting or (strict and any(task.done() and _error(name, task) for name, task in tasks.items())):
        return set()
    try:
        when = asyncio.FIRST_EXCEPTION if strict else asyncio.ALL_COMPLETED
        _, late = await asyncio.wait(waiting, timeout=timeout, return_when=when)
    except asyncio.CancelledError:
        _abandon(tasks)
        raise
    return late


def _take(
    tasks: dict[str, asyncio.Task[Any]], answers: Answers[Any], failures: dict[str, BaseException]
) -> None:
    """Sort the finished tasks into answers and failures."""
    for source, task in tasks.items():
        if not task.done():
            continue
        problem = _error(source, task)
        if problem is not None:
            failures[source] = problem
        else:
            answers.values[source], answers.milliseconds[source] = task.result()


def _error(source: str, task: asyncio.Task[Any]) -> BaseException | None:
    if task.cancelled():
        return SourceError(source, "cancelled its own work")
    return task.exception()


def _abandon(tasks: dict[str, asyncio.Task[Any]]) -> None:
    """Cancel what is still running without waiting for it, and let its end pass without a warning."""
    for task in tasks.values():
        if not task.done():
            task.cancel()
            task.add_done_callback(_ignore)


def _ignore(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()
