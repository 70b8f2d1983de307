"""A site's own links as edges for the graph walk: the part `site/links` that `hinny build` records.

Two int32 arrays of row numbers, sorted by origin. Looking up a document's links is a binary search, so a
walk never passes over all of a site's links.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError
from hinny.npz import unpack
from hinny.sources.graph import Direction

LINK = "link"
"""The relation of every link of a site."""


class SiteLinks:
    """Links between the documents of an index, as `Edges`."""

    def __init__(self, ids: Sequence[str], origins: NDArray[np.int32], targets: NDArray[np.int32]) -> None:
        """`ids` by row; `origins` and `targets` int32 [L], rows, in any order; else `BundleError`."""
        if origins.shape != targets.shape or origins.ndim != 1:
            raise BundleError("the links of the site are two lists of the same length")
        for rows in (origins, targets):
            if len(rows) and not (int(rows.min()) >= 0 and int(rows.max()) < len(ids)):
                raise BundleError(f"a link of the site leads out of its {len(ids)} documents")
        self._ids = ids
        self._rows: dict[str, int] | None = None
        forward = np.lexsort((targets, origins))
        backward = np.lexsort((origins, targets))
        self._out = (origins[forward], targets[forward])
        self._in = (targets[backward], origins[backward])

    @classmethod
    def from_part(cls, data: bytes, ids: Sequence[str]) -> SiteLinks:
        """From the bytes of the part `site/links` and the ids of the index that was built with it."""
        arrays = unpack(data)
        try:
            origins, targets = arrays["from"], arrays["to"]
        except KeyError as missing:
            raise BundleError(f"the links of the site lack {missing}") from None
        return cls(ids, origins.astype(np.int32), targets.astype(np.int32))

    def __len__(self) -> int:
        return len(self._out[0])

    def around(
        self, ids: Collection[str], *, relations: Collection[str] | None, direction: Direction
    ) -> list[tuple[str, str, str]]:
        """Links at these documents; their relation is `link`."""
        if relations is not None and LINK not in relations:
            return []
        if self._rows is None:
            self._rows = {id: row for row, id in enumerate(self._ids)}
        tables = (self._out,) if direction == "outbound" else (self._out, self._in)
        found: set[tuple[str, str, str]] = set()
        for id in ids:
            row = self._rows.get(id)
            if row is None:
                continue
            for here, there in tables:
                first, last = np.searchsorted(here, [row, row + 1])
                found.update(
                    (id, self._ids[other], LINK) for other in there[first:last].tolist() if other != row
                )
        return sorted(found)
