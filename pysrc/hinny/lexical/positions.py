"""Positions: where in a field each entry stands, kept apart because only phrases ask.

A slice covers whole stem groups, like a postings slice, with bounds of its own. Its arrays: how many tokens
each entry has in all, and the gaps between positions inside each (document, field). How many positions a
document's field has is the posting's term frequency.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError
from hinny.lexical.codec import get_uints, put_uints


def encode_positions(
    counts: NDArray[np.int64], frequencies: NDArray[np.int64], positions: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """A slice's arrays from its entries' tokens [E], its postings' frequencies [P, F], all positions [T]."""
    gaps = positions.copy()
    gaps[1:] -= positions[:-1]
    starts = run_starts(frequencies)
    gaps[starts] = positions[starts]
    arrays: dict[str, NDArray[Any]] = {}
    put_uints(arrays, "counts", counts)
    put_uints(arrays, "gaps", gaps)
    return arrays


class PositionSlice:
    """The decoded positions of some whole groups, by entry."""

    __slots__ = ("_gaps", "_offsets", "first_entry")

    def __init__(self, arrays: Mapping[str, NDArray[Any]], sizes: NDArray[np.int64]) -> None:
        counts = get_uints(arrays, "counts")
        self._gaps = get_uints(arrays, "gaps")
        self._offsets = np.zeros(counts.size + 1, np.int64)
        np.cumsum(counts, out=self._offsets[1:])
        self.first_entry = np.zeros(sizes.size + 1, np.int64)
        np.cumsum(sizes, out=self.first_entry[1:])
        if int(self._offsets[-1]) != self._gaps.size or int(self.first_entry[-1]) != counts.size:
            raise BundleError("a slice of positions does not fit together")

    def positions(self, at: int, low: int, high: int, frequencies: NDArray[np.int64]) -> NDArray[np.int64]:
        """Positions int64 [T] of entries `low` to `high` (counted inside group `at` of this slice), in the
        order of their postings' `frequencies` [P, F].
        """
        base = int(self.first_entry[at])
        gaps = self._gaps[int(self._offsets[base + low]) : int(self._offsets[base + high])]
        if gaps.size != int(frequencies.sum()):
            raise BundleError("a slice of positions does not fit its postings")
        if not gaps.size:
            return gaps
        total = np.cumsum(gaps)
        starts = run_starts(frequencies)
        sizes = np.diff(np.append(starts, gaps.size)).astype(np.intp)
        result: NDArray[np.int64] = total - np.repeat(total[starts] - gaps[starts], sizes)
        return result


def run_starts(frequencies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each (document, field) that has the entry begins among the tokens: int64 [R]."""
    flat = frequencies.reshape(-1)
    sizes = flat[flat > 0]
    result: NDArray[np.int64] = np.cumsum(sizes) - sizes
    return result
