"""The browser's side of what differs between the platforms: a bundle's files come through the worker.

The worker hands in a `Host`; nothing here imports `js`, so the module runs (and is tested) on CPython too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

from hinny.errors import BundleError, BundleMissing, FetchFailed, HinnyError, IntegrityError

if TYPE_CHECKING:
    from hinny.platform.base import Platform
    from hinny.platform.browser_models import ModelHost
    from hinny.site.search import SiteSearch


class HostBytes(Protocol):
    """A JavaScript `Uint8Array` as Pyodide shows it."""

    def to_bytes(self) -> bytes:
        """A copy on Python's heap."""


class Host(Protocol):
    """What the worker offers (worker/src/host.ts)."""

    @property
    def base(self) -> str:
        """Absolute URL of the bundle's folder."""

    def file(self, path: str) -> Awaitable[HostBytes]:
        """A file below `base`, of the size and SHA-256 that the manifest promises."""


class HostError(HinnyError):
    """What the worker reports, with the kind under which the page knows it (worker/src/errors.ts)."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


def _translate(error: Exception, path: str) -> HinnyError:
    """The worker's error as one of ours. Pyodide puts a JavaScript error's own fields on the exception."""
    kind = str(getattr(error, "kind", ""))
    message = str(getattr(error, "message", "")) or str(error)
    if kind == "bundle-damaged" and hasattr(error, "expected"):
        return IntegrityError(path, str(error.source), str(error.expected), str(error.found))  # type: ignore[attr-defined]
    if kind == "bundle-missing":
        return BundleMissing(message)
    if kind == "model":
        return FetchFailed(message)
    if kind:
        return HostError(kind, message)
    return BundleError(f"{path}: {message}")


class HostStorage:
    """A bundle's folder as the worker reads it: `Storage` of hinny.bundle. Bytes come checked."""

    verified = True
    """Tells the reader that hashing once more would cost time and find nothing."""

    def __init__(self, host: Host) -> None:
        self._host = host

    @property
    def place(self) -> str:
        """The folder's URL."""
        return self._host.base

    async def read(self, file: str) -> bytes:
        """The file's bytes; `BundleMissing`, `IntegrityError` or another of our errors when it fails."""
        try:
            data = await self._host.file(file)
        except Exception as error:
            raise _translate(error, file) from None
        return data.to_bytes()


async def open_site(host: Host, options: Mapping[str, Any]) -> SiteSearch:
    """Open the bundle behind `host`; `options` is the page's OpenOptions (worker/src/api.ts)."""
    from hinny.bundle.reader import BundleReader
    from hinny.site.search import SiteSearch

    reader = await BundleReader.open(HostStorage(host))
    models = cast("ModelHost", host)

    def platform() -> Platform:
        from hinny.platform.browser_models import browser_platform

        return browser_platform(models)

    def changed(factory: str, state: str, message: str) -> None:
        models.changed(factory, state, message)

    factory = options.get("factory") or "lexical-only"
    search = await SiteSearch.open(reader, platform=platform, factory=factory, changed=changed)
    search.prepare(factory)
    return search
