"""What the commands write, and how."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any


def say(text: str = "") -> None:
    """A line on standard output."""
    sys.stdout.write(f"{text}\n")


def complain(text: str) -> None:
    """A line on standard error."""
    sys.stderr.write(f"{text}\n")


def say_json(value: Any) -> None:
    """A value as JSON on standard output."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


def size(count: int) -> str:
    """Bytes for people.

    >>> size(512), size(2_930_000)
    ('512 B', '2.9 MB')
    """
    if count < 1000:
        return f"{count} B"
    for unit in ("kB", "MB", "GB"):
        count_in_unit = count / {"kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]
        if count_in_unit < 999.5 or unit == "GB":
            return f"{count_in_unit:.1f} {unit}"
    raise AssertionError


def progress(
    total: int, what: str, *, quiet: bool = False
) -> tuple[Callable[[str], None], Callable[[], None]]:
    """Two functions, to call for each item done and at the end: a bar where tqdm and a terminal are."""
    if quiet or not sys.stderr.isatty():
        return (lambda _: None), (lambda: None)
    try:
        from tqdm import tqdm
    except ImportError:
        return (lambda _: None), (lambda: None)
    bar = tqdm(total=total, desc=what, unit="", leave=False)
    return (lambda _: bar.update(1) and None), bar.close


def emphasis(text: str, marks: list[list[int]]) -> str:
    """A `MarkedText` for a terminal: marks in bold where there is one and NO_COLOR is not set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    raw = text.encode("utf-16-le")
    pieces, at = [], 0
    for start, stop in marks:
        pieces += [raw[at * 2 : start * 2].decode("utf-16-le"), "\x1b[1m"]
        pieces += [raw[start * 2 : stop * 2].decode("utf-16-le"), "\x1b[0m"]
        at = stop
    return "".join([*pieces, raw[at * 2 :].decode("utf-16-le")])
