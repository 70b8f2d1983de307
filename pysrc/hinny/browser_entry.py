"""What the search worker calls. One string in, one string out, and no exception crosses the border.

Every function answers JSON: `{"ok": true, "value": ...}` or `{"ok": false, "error": {"kind", "message"}}`,
the kinds being those of worker/src/errors.ts. `"incomplete": true` says that a module was missing: the
worker then loads what its snapshot leaves out, and asks again.
"""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

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
    from hinny.bundle.storage import Storage
    from hinny.platform.browser import Host, HostBytes
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
_made: dict[int, bytes] = {}
_tasks: dict[str, asyncio.Task[Any]] = {}
_last_session = 0


class OwnFile(Protocol):
    """A file that the reader handed to the page (worker/src/api.ts)."""

    @property
    def path(self) -> str:
        """With `/` between its parts."""

    @property
    def bytes(self) -> HostBytes:
        """What it holds."""


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


async def encode(host: Any, request: str) -> str:
    """Texts to vectors by a model of the bundle of `host`; an EncodeRequest (api.ts) to an Encoded."""

    async def work() -> dict[str, Any]:
        from hinny.models.service import encode_texts

        return await encode_texts(host, json.loads(request))

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


async def prepare(session: int, factory: str) -> str:
    """Bring what a factory needs here, in the background; the host's `changed` tells of the end."""

    async def work() -> None:
        if session not in _sessions:
            raise InvalidOption("session", session, "a session that is open")
        _sessions[session].prepare(check_factory(factory))

    from hinny.site.factories import check_factory

    return await _reply(work)


def cancel(id: str) -> None:
    """Give up the search with this id; harmless when it is answered already."""
    task = _tasks.get(id)
    if task is not None:
        task.cancel()


async def close(session: int) -> str:
    """Forget an opened bundle."""

    async def work() -> None:
        search = _sessions.pop(session, None)
        if search is not None:
            await search.close()

    return await _reply(work)


async def build_own(files: Iterable[OwnFile], options: str, progress: Callable[[int], Any]) -> str:
    """Index the reader's own files; value: `{"made": n, "info": BundleInfo, "skipped": [...]}`.

    `take_own(n)` hands the bundle's zip over. `progress` is called with the number of files that are read.
    """

    async def work() -> dict[str, Any]:
        global _last_session
        from hinny.site.own import build_own, open_zip

        own = build_own(
            ((str(file.path), file.bytes.to_bytes()) for file in files),
            title=str(json.loads(options)["title"]),
            progress=progress,
        )
        search = await _open_storage(open_zip(own.zip))
        _last_session += 1
        _made[_last_session] = own.zip
        skipped = [{"path": item.path, "reason": item.reason} for item in own.skipped]
        return {"made": _last_session, "info": search.info(), "skipped": skipped}

    return await _reply(work)


def take_own(made: int) -> bytes:
    """The zip that `build_own` made; it is kept no longer."""
    return _made.pop(made)


async def open_own(data: HostBytes, host: Host, options: str) -> str:
    """Open a bundle that `build_own` made from its zip; value as that of `open`."""

    async def work() -> dict[str, Any]:
        global _last_session
        from hinny.site.own import open_zip

        search = await _open_storage(open_zip(data.to_bytes(), str(json.loads(options)["bundle"])))
        _last_session += 1
        _sessions[_last_session] = search
        return {"session": _last_session, "info": search.info()}

    return await _reply(work)


async def _open_storage(storage: Storage) -> SiteSearch:
    from hinny.bundle.reader import BundleReader
    from hinny.site.search import SiteSearch

    return await SiteSearch.open(await BundleReader.open(storage))


def preload() -> list[str]:
    """Import all that a query may need, before a snapshot is made; the names of our modules imported."""
    import sys

    import hinny

    for name in _modules_below(hinny.__path__, "hinny."):
        try:
            importlib.import_module(name)
        except ImportError as error:
            # Readers of HTML and Markdown, and models on CPython, need packages that a browser has not.
            if (error.name or "hinny").partition(".")[0] == "hinny":
                raise
    return sorted(name for name in sys.modules if name.partition(".")[0] == "hinny")


_NOT_FOR_QUERIES = ("hinny.models.make", "hinny.sources", "hinny.runtime", "hinny.cli", "hinny.__main__")


def _modules_below(path: Iterable[str], prefix: str) -> Iterator[str]:
    """Names of modules and packages, a package before what is in it."""
    import pkgutil

    for module in pkgutil.iter_modules(path, prefix):
        if module.name.startswith(_NOT_FOR_QUERIES):
            continue
        yield module.name
        if module.ispkg:
            yield from _modules_below(importlib.import_module(module.name).__path__, f"{module.name}.")
