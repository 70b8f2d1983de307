"""What the tests share: one way to run a coroutine on CPython and inside Pyodide."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

IN_PYODIDE = sys.platform == "emscripten"


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end. `tests/pyodide_loop.py` installs a blocking loop inside Pyodide."""
    if not IN_PYODIDE:
        return asyncio.run(coroutine)
    from pyodide_loop import run_blocking

    return run_blocking(coroutine)


def steps(work: Callable[[], object]) -> int:
    """How many Python lines `work` runs: a measure of its cost that no busy machine can change."""
    count = 0

    def line(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
