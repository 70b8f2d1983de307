"""What the search worker calls. One string in, one string out, and no exception crosses the border.

Every function answers JSON: `{"ok": true, "value": ...}` or `{"ok": false, "error": {"kind", "message"}}`,
the kinds being those of worker/src/errors.ts. `"incomplete": true` says that a module was missing: the
worker then loads what its snapshot leaves out, and asks again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from hinny.errors import (
    BundleMissing,
    FingerprintMismatch,
    HinnyError,
    IntegrityError,
    InvalidInput,
    InvalidOption,
    ModelError,
    RuntimeFileError,
    UnsupportedVersion,
)

if TYPE_CHECKING:
    from hinny.platform.browser import Host
    from hinny.site.search import SiteSearch

_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (UnsupportedVersion, "bundle-version"),
    (BundleMissing, "bundle-missing"),
    (FingerprintMismatch, "bundle-damaged"),
    (IntegrityError, "bundle-damaged"),
    (ModelError, "model"),
    (RuntimeFileError, "runtime"),
    (InvalidOption, "query"),
    (InvalidInput, "query"),
)

_GIVEN_UP = '{"ok": false, "error": {"kind": "query", "message": "given up: a newer question came"}}'

_sessions: dict[int, SiteSearch] = {}
_tasks: dict[str, asyncio.Task[Any]] = {}
_last_session = 0


def _kind(error: BaseException) -> str:
    kind = getattr(error, "kind", None)
    if isinstance(kind, str):
        return kind
    for family, name in _KINDS:
        if isinstance(error, family):
            return name
    return "bundle-damaged" if isinstance(error, HinnyError) else "query"


def _message(error: BaseException) -> str:
    """Our own errors speak for themselves; of any other, say its type and our line that met it."""
    if isinstance(error, HinnyError):
        return str(error)
    where = ""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "/hinny/" in file:
            where = f" (hinny/{file.rpartition('/hinny/')[2]}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error}{where}"


async def _reply(work: Callable[[], Awaitable[Any]]) -> str:
    try:
        return json.dumps({"ok": True, "value": await work()}, ensure_ascii=False)
    except asyncio.CancelledError:
        return _GIVEN_UP
    except Exception as error:
        answer: dict[str, Any] = {"error": {"kind": _kind(error), "message": _message(error)}}
        # The standard library's archive is absent while all that a query needs is in the snapshot.
        answer["incomplete"] = isinstance(error, ImportError) or (
            isinstance(error, FileNotFoundError) and str(error.filename).startswith("/lib/python")
        )
    return json.dumps({"ok": False, **answer}, ensure_ascii=False)


async def open(host: Host, options: str) -> str:
    """Open the bundle that `host` reads; value: `{"session": n, "info": BundleInfo}`."""

    async def work() -> dict[str, Any]:
        global _last_session
        from hinny.platform.browser import open_site

        search = await open_site(host, json.loads(options))
        _last_session += 1
        _sessions[_last_session] = search
        return {"session": _last_session, "info": search.info()}

    return await _reply(work)


async def search(session: int, id: str, request: str) -> str:
    """Answer a SearchRequest (api.ts) on an opened bundle; value: a SearchAnswer. `id` serves `cancel`."""

    async def work() -> dict[str, Any]:
        if session not in _sessions:
            raise InvalidOption("session", session, "a session that is open")
        return await _sessions[session].search(json.loads(request))

    task = asyncio.ensure_future(_reply(work))
    _tasks[id] = task
    try:
        return await task
    except asyncio.CancelledError:  # before its first step
        return _GIVEN_UP
    finally:
        _tasks.pop(id, None)


def cancel(id: str) -> None:
    """Give up the search with this id; harmless when it is answered already."""
    task = _tasks.get(id)
    if task is not None:
        task.cancel()


async def close(session: int) -> str:
    """Forget an opened bundle."""

    async def work() -> None:
        _sessions.pop(session, None)

    return await _reply(work)


def preload() -> list[str]:
    """Import all that a query may need, before a snapshot is made; the names of our modules imported."""
    import importlib
    import pkgutil
    import sys

    import hinny

    left_out = ("hinny.models.make", "hinny.sources", "hinny.runtime", "hinny.cli", "hinny.__main__")
    for module in pkgutil.walk_packages(hinny.__path__, "hinny."):
        if module.name.startswith(left_out):
            continue
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            # Readers of HTML and Markdown, and models on CPython, need packages that a browser has not.
            if (error.name or "hinny").partition(".")[0] == "hinny":
                raise
    return sorted(name for name in sys.modules if name.partition(".")[0] == "hinny")
