"""What the search worker calls. One string in, one string out, and no exception crosses the border.

Every function answers as browser/replies.py says; those for the reader's own files are in browser/own.py.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from hinny.browser import sessions
from hinny.browser.own import build_own, embed_own, export_own, open_own, take_own
from hinny.browser.replies import reply
from hinny.browser.sessions import cancel

if TYPE_CHECKING:
    from hinny.platform.browser import Host

__all__ = [
    "build_own",
    "cancel",
    "close",
    "embed_own",
    "encode",
    "export_own",
    "open",
    "open_own",
    "preload",
    "prepare",
    "search",
    "take_own",
]


async def open(host: Host, options: str) -> str:
    """Open the bundle that `host` reads; value: `{"session": n, "info": BundleInfo}`."""

    async def work() -> dict[str, Any]:
        from hinny.platform.browser import open_site

        search = await open_site(host, json.loads(options))
        session = sessions.number()
        sessions.opened[session] = search
        return {"session": session, "info": search.info()}

    return await reply(work)


async def encode(host: Any, request: str) -> str:
    """Texts to vectors by a model of the bundle of `host`; an EncodeRequest (api.ts) to an Encoded."""

    async def work() -> dict[str, Any]:
        from hinny.models.service import encode_texts

        return await encode_texts(host, json.loads(request))

    return await reply(work)


async def search(session: int, id: str, request: str) -> str:
    """Answer a SearchRequest (api.ts) on an opened bundle; value: a SearchAnswer. `id` serves `cancel`."""

    async def work() -> dict[str, Any]:
        return await sessions.find(session).search(json.loads(request))

    return await sessions.cancellable(sessions.searching, id, work)


async def prepare(session: int, factory: str) -> str:
    """Bring what a factory needs here, in the background; the host's `changed` tells of the end."""

    async def work() -> None:
        sessions.find(session).prepare(check_factory(factory))

    from hinny.site.factories import check_factory

    return await reply(work)


async def close(session: int) -> str:
    """Forget an opened bundle."""

    async def work() -> None:
        from hinny.browser import own

        own.forget(session)
        search = sessions.opened.pop(session, None)
        if search is not None:
            await search.close()

    return await reply(work)


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


_NOT_FOR_QUERIES = (
    "hinny.__main__",
    "hinny.cli",
    "hinny.models.cli",
    "hinny.models.export",
    "hinny.models.fetch",
    "hinny.models.hub",
    "hinny.models.make",
    "hinny.models.store",
    "hinny.platform.cpython",
    "hinny.runtime",
    "hinny.site.model_files",
    "hinny.sources",
)
"""What builds a site, or fetches and runs models on CPython."""


def _modules_below(path: Iterable[str], prefix: str) -> Iterator[str]:
    """Names of modules and packages, a package before what is in it."""
    import pkgutil

    for module in pkgutil.iter_modules(path, prefix):
        if module.name.startswith(_NOT_FOR_QUERIES):
            continue
        yield module.name
        if module.ispkg:
            yield from _modules_below(importlib.import_module(module.name).__path__, f"{module.name}.")
