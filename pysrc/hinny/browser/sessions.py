"""What the worker has open, by number."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hinny.errors import InvalidOption

if TYPE_CHECKING:
    from hinny.site.search import SiteSearch

opened: dict[int, SiteSearch] = {}
searching: dict[str, asyncio.Task[Any]] = {}
"""Searches that are not answered yet, by the page's id."""
embedding: dict[str, asyncio.Task[Any]] = {}
_last = 0


def number() -> int:
    """A number that nothing has yet."""
    global _last
    _last += 1
    return _last


def find(session: int) -> SiteSearch:
    """The search of a session; `InvalidOption` for one that is not open."""
    if session not in opened:
        raise InvalidOption("session", session, "a session that is open")
    return opened[session]


def cancel(id: str) -> None:
    """Give up the work with this id; harmless when it is done already."""
    for tasks in (searching, embedding):
        task = tasks.get(id)
        if task is not None:
            task.cancel()


async def give_way() -> None:
    """Let the worker take what was sent to it meanwhile, and wait until every search is answered."""
    # A timer, not a bare turn of the loop: messages to the worker are taken between timers.
    await asyncio.sleep(0.001)
    while searching:
        await asyncio.wait(list(searching.values()))
        await asyncio.sleep(0.001)
