"""A site's models on CPython: from the bundle's own folder where it hosts them, else from the model store."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hinny.models.export import FOLDER
from hinny.models.pins import ModelPin, PinnedFile, Role
from hinny.models.store import ModelStore, check
from hinny.platform.base import Platform
from hinny.platform.cpython import CPythonRuntime


class SiteModelFiles:
    """`ModelFiles` over a bundle's folder and a store. Every file is hashed before it is used."""

    def __init__(self, bundle: Path, store: ModelStore) -> None:
        self._folder = bundle / FOLDER
        self._store = store

    async def read(self, pin: ModelPin, role: Role) -> bytes | None:
        """See `ModelFiles`."""
        file = pin.file(role)
        if file is None:
            return None
        path = self._folder / pin.id / file.path
        if not path.is_file():
            return await self._store.read(pin, role)
        return await asyncio.to_thread(_checked, path, file)


def _checked(path: Path, file: PinnedFile) -> bytes:
    data = path.read_bytes()
    check(data, file, str(path))
    return data


def site_platform(bundle: Path, store: ModelStore | None = None) -> Platform:
    """What runs the models of the bundle in this folder."""
    return Platform("cpython", CPythonRuntime(), SiteModelFiles(bundle, store or ModelStore()))
