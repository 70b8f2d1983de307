"""The blocking facade: run one coroutine to its end from code that cannot await.

Where every source answers without suspending, nothing is needed and it works everywhere, Pyodide
included. Otherwise CPython runs it in a loop of its own (in a thread of its own where this thread's
loop is running, as in a notebook); Pyodide has no way to block, and says so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from hinny.errors import HinnyError

T = TypeVar("T")


def run_blocking(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Call `make` for a coroutine, run it to its end and hand back its value."""
    if sys.platform == "emscripten":
        return _without_loop(make())
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(make())).result()


def _without_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    try:
        coroutine.send(None)
    except StopIteration as done:
        value: T = done.value
        return value
    coroutine.close()
    raise HinnyError("a source needs to wait, and nothing can block here: use `await search.search(...)`")
