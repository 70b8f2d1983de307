"""The reader's own files in the worker: indexed, opened, made searchable by meaning, exported.

What is made here is a bundle's zip; it waits under a number until the worker takes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from hinny.browser import sessions
from hinny.browser.replies import reply
from hinny.errors import InvalidOption
from hinny.protocols import resolve

if TYPE_CHECKING:
    from hinny.bundle.storage import MappingStorage
    from hinny.platform.browser import HostBytes
    from hinny.platform.browser_models import ModelHost
    from hinny.site.search import SiteSearch

BATCH_TOKENS = 256
"""Tokens that a model is given at a time while the reader may be searching: about a tenth of a second."""

_made: dict[int, bytes] = {}
_kept: dict[int, tuple[MappingStorage, OwnHost]] = {}
"""By session: the bundle's files, and the worker's side of it."""


class OwnFile(Protocol):
    """A file that the reader handed to the page (worker/src/api.ts)."""

    @property
    def path(self) -> str:
        """With `/` between its parts."""

    @property
    def bytes(self) -> HostBytes:
        """What it holds."""


class OwnHost(Protocol):
    """The part of the worker's host that a bundle needs which no server has (worker/src/host.ts)."""

    def adopt(self, manifest: str) -> None:
        """Take this manifest for the bundle's."""

    def changed(self, factory: str, state: str, message: str) -> None:
        """See `ModelHost`."""


class SiteHost(Protocol):
    """The host of the site's own bundle, whose models are used."""

    @property
    def base(self) -> str:
        """Absolute URL of the bundle's folder."""

    async def manifest(self) -> str:
        """The manifest's text."""


async def build_own(files: Iterable[OwnFile], options: str, progress: Callable[[int], Any]) -> str:
    """Index the reader's own files; value: `{"made": n, "info": BundleInfo, "skipped": [...]}`.

    `take_own(n)` hands the bundle's zip over. `progress` is called with the number of files that are read.
    """

    async def work() -> dict[str, Any]:
        from hinny.site.own import build_own, open_zip

        own = build_own(
            ((str(file.path), file.bytes.to_bytes()) for file in files),
            title=str(json.loads(options)["title"]),
            progress=progress,
        )
        search = await _open(open_zip(own.zip), None)
        skipped = [{"path": item.path, "reason": item.reason} for item in own.skipped]
        return {"made": _make(own.zip), "info": search.info(), "skipped": skipped}

    return await reply(work)


def take_own(made: int) -> bytes:
    """The zip that was made; it is kept no longer."""
    return _made.pop(made)


async def open_own(data: HostBytes, host: OwnHost, options: str) -> str:
    """Open a bundle that `build_own` or `embed_own` made from its zip; value as that of `open`."""

    async def work() -> dict[str, Any]:
        from hinny.site.own import open_zip

        storage = open_zip(data.to_bytes(), str(json.loads(options)["bundle"]))
        search = await _open(storage, host)
        session = sessions.number()
        sessions.opened[session] = search
        _kept[session] = storage, host
        return {"session": session, "info": search.info()}

    return await reply(work)


async def embed_own(
    session: int, id: str, site: SiteHost, options: str, progress: Callable[[str], Any]
) -> str:
    """Encode a session's sections by the models of `site`; value: `{"made", "info", "truncated"}`.

    `options` are EmbedOptions (api.ts), `progress` is told EmbedProgress as JSON, and `id` serves `cancel`.
    Searches go first: between batches all that came meanwhile are answered. What `progress` returns is waited
    for there, too: that is how the page pauses.
    """
    told: list[Any] = [None]

    def tell(state: Mapping[str, Any]) -> None:
        told[0] = progress(json.dumps(state))

    async def pause() -> None:
        await resolve(told[0])
        await sessions.give_way()

    async def work() -> dict[str, Any]:
        before = sessions.find(session)
        if session not in _kept:
            raise InvalidOption("session", session, "a session of the reader's own files")
        storage, host = _kept[session]
        from hinny.platform.browser_models import browser_platform
        from hinny.site.own import open_zip
        from hinny.site.own_meaning import add_meaning

        factory = str(json.loads(options)["factory"])
        made = await add_meaning(
            storage,
            factory,
            json.loads(await site.manifest()).get("models", {}),
            str(site.base),
            browser_platform(_models(site)),
            progress=tell,
            batch_tokens=BATCH_TOKENS,
            pause=pause,
        )
        opened = open_zip(made.zip, storage.place)
        search = await _open(opened, host)
        if session in sessions.opened:
            sessions.opened[session], _kept[session] = search, (opened, host)
            await before.close()
            search.prepare(factory)
        return {"made": _make(made.zip), "info": search.info(), "truncated": made.truncated}

    return await sessions.cancellable(sessions.embedding, id, work)


async def export_own(data: HostBytes, host: OwnHost) -> str:
    """An own bundle's zip with its models' files, for another place; value: `{"made": n}`."""

    async def work() -> dict[str, Any]:
        from hinny.site.own import open_zip
        from hinny.site.own_meaning import with_models

        storage = open_zip(data.to_bytes())
        _adopt(storage, host)

        async def read(id: str, role: str) -> bytes:
            from hinny.platform.browser_models import translate

            try:
                found: HostBytes = await _models(host).model(id, role)
            except Exception as error:
                raise translate(error) from None
            return found.to_bytes()

        return {"made": _make(await with_models(storage, read))}

    return await reply(work)


def forget(session: int) -> None:
    """The session is closed."""
    _kept.pop(session, None)


def _make(zip: bytes) -> int:
    made = sessions.number()
    _made[made] = zip
    return made


def _models(host: Any) -> ModelHost:
    """The worker's host is one object; what of it is used, each protocol says."""
    found: ModelHost = host
    return found


def _adopt(storage: MappingStorage, host: OwnHost) -> Mapping[str, bytes]:
    from hinny.bundle.manifest import NAME

    host.adopt(storage.files[NAME].decode("utf-8"))
    return storage.files


async def _open(storage: MappingStorage, host: OwnHost | None) -> SiteSearch:
    from hinny.bundle.reader import BundleReader
    from hinny.site.search import SiteSearch

    reader = await BundleReader.open(storage)
    if host is None:
        return await SiteSearch.open(reader)
    _adopt(storage, host)
    from hinny.platform.browser_models import browser_platform

    return await SiteSearch.open(
        reader, platform=lambda: browser_platform(_models(host)), changed=host.changed
    )
