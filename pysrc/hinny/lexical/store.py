"""Parts of an index that are loaded when needed: each once, in parallel, for all who want it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleMissing
from hinny.lexical.impacts import Slice
from hinny.lexical.positions import PositionSlice
from hinny.lexical.resident import Resident
from hinny.npz import unpack
from hinny.protocols import PartSource, resolve

Arrays = Mapping[str, NDArray[Any]]


class Store:
    """Parts by name, from memory or from a source; decoded ones are kept."""

    def __init__(
        self,
        resident: Resident,
        parts: Mapping[str, bytes | Arrays] | None,
        source: PartSource | None,
    ) -> None:
        self.resident = resident
        self.parts = dict(parts) if parts is not None else None
        self.source = source
        self.titles = np.array([resident.stored.index(name) for name in resident.titles], np.int64)
        self.weigh: Callable[[Slice], None] = lambda slice: None
        """Called with each slice that arrives."""
        self.slices: list[Slice | None] = [None] * resident.layout.slices
        self.positions: list[PositionSlice | None] = [None] * resident.position_layout.slices
        self.others: dict[str, Arrays] = {}
        self._there: set[str] = set()
        """Names of the parts that are decoded."""
        self._pending: dict[str, asyncio.Task[None]] = {}

    def put(self, name: str, arrays: Arrays) -> None:
        """Decode a part's arrays and keep them."""
        kind, _, number = name.partition(".")
        r = self.resident
        if kind == "lexical/postings":
            slice = Slice(arrays, r.dictionary, r.layout, int(number), r.order, len(r.stored), self.titles)
            self.weigh(slice)
            self.slices[int(number)] = slice
        elif kind == "lexical/positions":
            low, high = r.position_layout.bounds[int(number) : int(number) + 2]
            groups = r.layout.order[low:high]
            sizes = r.dictionary.starts[groups + 1] - r.dictionary.starts[groups]
            self.positions[int(number)] = PositionSlice(arrays, sizes)
        else:
            self.others[name] = arrays
        self._there.add(name)

    def load_now(self, names: Collection[str]) -> None:
        """Have these parts, without waiting. `BundleMissing` when one has to be fetched."""
        for name in names:
            if name in self._there:
                continue
            if self.parts is None:
                raise BundleMissing(f"{name} is not loaded yet: use search_async, or load() first")
            if name not in self.parts:
                raise BundleMissing(f"the lexical index has no part {name!r}")
            part = self.parts[name]
            self.put(name, unpack(part) if isinstance(part, bytes) else part)

    async def load(self, names: Collection[str]) -> None:
        """Have these parts, fetching together those that are not there; cancel the task to stop waiting."""
        if self.source is None:
            self.load_now(names)
            return
        tasks = []
        for name in names:
            if name in self._there:
                continue
            task = self._pending.get(name)
            if task is None:
                task = self._pending[name] = asyncio.ensure_future(self._fetch(name))
                task.add_done_callback(_seen)
            tasks.append(task)
        # A search that is cancelled lets go of its parts without taking them from another search.
        await asyncio.gather(*(asyncio.shield(task) for task in tasks))

    async def _fetch(self, name: str) -> None:
        assert self.source is not None
        try:
            self.put(name, unpack(await resolve(self.source.read(name))))
        finally:
            self._pending.pop(name, None)


def _seen(task: asyncio.Task[None]) -> None:
    """A fetch that fails after its only search was cancelled has nobody to tell."""
    if not task.cancelled():
        task.exception()
