"""What the worker has open, by number."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from hinny.browser.replies import GIVEN_UP, reply
from hinny.errors import InvalidOption

if TYPE_CHECKING:
    from hinny.site.search import SiteSearch

opened: dict[int, SiteSearch] = {}
searching: dict[str, asyncio.Task[str]] = {}
"""Searches that are not answered yet, by the page's id."""
embedding: dict[str, asyncio.Task[str]] = {}
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


async def cancellable(
    tasks: dict[str, asyncio.Task[str]], id: str, work: Callable[[], Awaitable[Any]]
) -> str:
    """The reply to work that `cancel` may give up under this id; it is in `tasks` until it ends."""
    task = tasks[id] = asyncio.ensure_future(reply(work))
    try:
        return await task
    except asyncio.CancelledError:  # before its first step
        return GIVEN_UP
    finally:
        tasks.pop(id, None)


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
