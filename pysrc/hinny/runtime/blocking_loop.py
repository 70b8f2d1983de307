"""Coroutines to their end inside Pyodide, whose event loop belongs to JavaScript and cannot be blocked on.

The loop here is asyncio's own, over a selector that waits by sleeping: there are no sockets to wait for.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class _SleepingSelector(selectors.BaseSelector):
    """Nothing is ever ready: waiting is sleeping."""

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        raise NotImplementedError("there are no file descriptors to wait for")

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        raise NotImplementedError("there are no file descriptors to wait for")

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("the test waits for something that can never happen")
        time.sleep(max(timeout, 0.0))
        return []

    def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
        return {}


class BlockingLoop(asyncio.BaseEventLoop):
    """asyncio's loop without input and output."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = _SleepingSelector()

    def _process_events(self, event_list: list[Any]) -> None:
        """There are never any events."""

    def _write_to_self(self) -> None:
        """No other thread could wake us."""


def run_blocking(coroutine: Coroutine[Any, Any, T]) -> T:
    """What `asyncio.run` does, with a loop of our own."""
    # Pyodide keeps its own loop set as the running one while JavaScript calls into Python.
    outer = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    loop = BlockingLoop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        try:
            _cancel_all(loop)
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()
            asyncio._set_running_loop(outer)


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
