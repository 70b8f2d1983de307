"""Reading a bundle: every part is checked against the manifest before anyone sees it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Mapping

from hinny.bundle.manifest import NAME, Manifest
from hinny.bundle.storage import FolderStorage, Storage
from hinny.errors import BundleMissing, IntegrityError
from hinny.protocols import resolve


class BundleReader:
    """A bundle as a `PartSource`.

    Reads of one part that overlap share one fetch. Nothing is kept: who needs a part twice keeps it.
    """

    def __init__(self, manifest: Manifest, storage: Storage) -> None:
        self.manifest = manifest
        self.storage = storage
        self._pending: dict[str, asyncio.Task[bytes]] = {}

    @classmethod
    async def open(cls, storage: Storage | str) -> BundleReader:
        """Read the manifest of a storage, or of a folder. Raises `BundleError` and its descendants."""
        if isinstance(storage, str):
            storage = FolderStorage(storage)
        data = await resolve(storage.read(NAME))
        return cls(Manifest.from_bytes(data, f"{storage.place.rstrip('/')}/{NAME}"), storage)

    @property
    def names(self) -> Collection[str]:
        """Names of all parts."""
        return self.manifest.parts.keys()

    async def read(self, name: str) -> bytes:
        """The part's bytes, of the promised size and SHA-256; else `IntegrityError` or `BundleMissing`."""
        task = self._pending.get(name)
        if task is None:
            task = asyncio.ensure_future(self._fetch(name))
            self._pending[name] = task
            task.add_done_callback(lambda _: self._pending.pop(name, None))
        # One reader's cancellation must not take the part from another who waits for it.
        return await asyncio.shield(task)

    async def _fetch(self, name: str) -> bytes:
        try:
            part = self.manifest.parts[name]
        except KeyError:
            raise BundleMissing(f"{self.storage.place} has no part {name!r}") from None
        data = await resolve(self.storage.read(part.file))
        if getattr(self.storage, "verified", False):  # the worker has compared it with this manifest
            return data
        if len(data) != part.bytes:
            raise IntegrityError(part.file, self.storage.place, f"{part.bytes} bytes", f"{len(data)} bytes")
        digest = hashlib.sha256(data).hexdigest()
        if digest != part.sha256:
            raise IntegrityError(part.file, self.storage.place, f"SHA-256 {part.sha256}", f"SHA-256 {digest}")
        return data

    async def verify(self) -> list[str]:
        """Read every part; the problems found, one message each."""
        problems = []
        for name in self.names:
            try:
                await self.read(name)
            except (BundleMissing, IntegrityError) as broken:
                problems.append(str(broken))
        return problems


class Parts:
    """Parts in memory as a `PartSource`: an index that was just built."""

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        self._parts = parts

    @property
    def names(self) -> Collection[str]:
        """Names of all parts."""
        return self._parts.keys()

    def read(self, name: str) -> bytes:
        """The part's bytes."""
        try:
            return self._parts[name]
        except KeyError:
            raise BundleMissing(f"there is no part {name!r}") from None
