"""Postings in slices: which documents hold an entry, and how often in each field.

A slice covers whole stem groups. Its arrays: the gaps between an entry's document rows (the first gap is
the row itself), and one code a posting for its frequencies by field. Few combinations of frequencies
occur (once in the text, above all), so the slice's table lists them, most frequent first, and a posting
carries a byte; rarer ones are spelled out beside it. How many postings an entry has is in the dictionary,
and both streams list rare entries first, where gaps are large, which deflate packs a little smaller.

Groups that stand in many documents lie in slices of their own, after all others: they are a large part of
the bytes, and a query seldom needs one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError
from hinny.lexical.codec import get_uints, put_uints
from hinny.lexical.dictionary import Dictionary

_CODES = 255
_COMMON = 10
"""A group in more than one of this many documents is common."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """In which order groups lie, and where slices begin; follows from the dictionary alone."""

    order: NDArray[np.int64]
    """[G]: groups in the order of their postings."""
    rank: NDArray[np.int64]
    """[G]: each group's place in `order`."""
    bounds: NDArray[np.int64]
    """[S + 1]: places at which slices begin."""

    @property
    def slices(self) -> int:
        """How many slices there are."""
        return int(self.bounds.size) - 1

    def slice_of(self, group: int) -> int:
        """The slice that holds a group's postings."""
        return int(np.searchsorted(self.bounds, self.rank[group], "right")) - 1


def group_order(dictionary: Dictionary, documents: int) -> NDArray[np.int64]:
    """Groups in the order of their postings: the common ones last, each class in the dictionary's order."""
    return np.argsort(_is_common(dictionary, documents), kind="stable").astype(np.int64)


def count_common(dictionary: Dictionary, documents: int) -> int:
    """How many groups are common."""
    return int(np.count_nonzero(_is_common(dictionary, documents)))


def _is_common(dictionary: Dictionary, documents: int) -> NDArray[np.bool_]:
    result: NDArray[np.bool_] = dictionary.group_df * _COMMON > max(documents, 50)
    return result


def make_layout(dictionary: Dictionary, documents: int, bounds: NDArray[np.int64]) -> Layout:
    """A layout from stored slice bounds."""
    order = group_order(dictionary, documents)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size, dtype=np.int64)
    if bounds.size < 1 or int(bounds[0]) != 0 or int(bounds[-1]) != order.size or (np.diff(bounds) < 0).any():
        raise BundleError("the lexical index's slices do not fit its dictionary")
    return Layout(order, rank, bounds)


def entry_order(dictionary: Dictionary, groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """The entries of `groups`, in that order of the groups."""
    return ranges(dictionary.starts[groups], dictionary.starts[groups + 1])


def ranges(starts: NDArray[np.int64], stops: NDArray[np.int64]) -> NDArray[np.int64]:
    """All integers of the ranges [start, stop), one range after the other."""
    sizes = stops - starts
    total = int(sizes.sum())
    if not total:
        return np.zeros(0, np.int64)
    ends = np.cumsum(sizes)
    shifts: NDArray[np.int64] = np.repeat(starts - (ends - sizes), sizes.astype(np.intp))
    return shifts + np.arange(total, dtype=np.int64)


def encode(
    df: NDArray[np.int64], documents: NDArray[np.int64], frequencies: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """A slice's arrays from its entries' counts [E], their documents [P] and frequencies [P, F]."""
    arrays: dict[str, NDArray[Any]] = {}
    gaps = documents.copy()
    gaps[1:] -= documents[:-1]
    first = np.cumsum(df) - df
    gaps[first] = documents[first]
    order = _by_frequency(df)
    put_uints(arrays, "gaps", gaps[order])
    if not documents.size:
        arrays["table"] = np.zeros((0, frequencies.shape[1]), np.uint8)
        arrays["codes"] = np.zeros(0, np.uint8)
        return arrays
    # Each combination as one number, its fields the digits; equal frequencies have equal numbers.
    radix = [int(most) + 1 for most in frequencies.max(axis=0)]
    packed = np.zeros(documents.size, np.int64)
    for column, base in enumerate(radix):
        packed = packed * base + frequencies[:, column]
    _, example, inverse, counts = np.unique(
        packed, return_index=True, return_inverse=True, return_counts=True
    )
    # Most frequent first; equal counts by their value, so that the same input gives the same bytes.
    rank = np.argsort(-counts, kind="stable")
    code = np.empty(rank.size, np.int64)
    code[rank] = np.arange(rank.size, dtype=np.int64)
    codes = code[inverse.reshape(-1)][order]
    table = frequencies[example[rank[:_CODES]]]
    arrays["table"] = table.astype(np.min_scalar_type(int(table.max())))
    rare = codes >= _CODES
    arrays["codes"] = np.where(rare, _CODES, codes).astype(np.uint8)
    if rare.any():
        spelled = frequencies[order[rare]]
        arrays["rare"] = spelled.astype(np.min_scalar_type(int(spelled.max())))
    return arrays


def decode(
    arrays: Mapping[str, NDArray[Any]], df: NDArray[np.int64], documents: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Documents [P], table row of each posting [P] and table [C, F] (rare rows appended at its end).

    Raises `BundleError` when the arrays do not fit `df` or name a document that is not there.
    """
    stored = get_uints(arrays, "gaps")
    try:
        table, codes = arrays["table"].astype(np.int64), arrays["codes"]
        rare = arrays.get("rare")
    except KeyError as problem:
        raise BundleError(f"a lexical slice lacks its array {problem}") from None
    if stored.size != int(df.sum()) or codes.size != stored.size or table.ndim != 2:
        raise BundleError("a lexical slice does not fit the dictionary")
    order = _by_frequency(df)
    gaps = np.empty_like(stored)
    gaps[order] = stored
    rows = np.cumsum(gaps)
    if gaps.size:
        first = np.cumsum(df) - df
        rows -= np.repeat(rows[first] - gaps[first], df.astype(np.intp))
        if int(rows.min()) < 0 or int(rows.max()) >= documents:
            raise BundleError("a lexical slice names a document that the index does not have")
    wide = codes.astype(np.int32)
    if rare is not None:
        spelled = codes == _CODES
        if np.count_nonzero(spelled) != rare.shape[0] or rare.shape[1] != table.shape[1]:
            raise BundleError("a lexical slice does not fit together")
        wide[spelled] = table.shape[0] + np.arange(rare.shape[0], dtype=np.int32)
        table = np.concatenate([table, rare.astype(np.int64)])
    if wide.size and int(wide.max()) >= table.shape[0]:
        raise BundleError("a lexical slice does not fit together")
    result = np.empty_like(wide)
    result[order] = wide
    return rows, result, table


def _by_frequency(df: NDArray[np.int64]) -> NDArray[np.int64]:
    """Postings in the order in which they are stored: those of rare entries first.

    Entries that are as frequent have gaps of one size, and deflate's codes fit what lies together.
    """
    entries = np.argsort(df, kind="stable")
    first = np.cumsum(df) - df
    return ranges(first[entries], first[entries] + df[entries])


def cut(weights: NDArray[np.int64], order: NDArray[np.int64], common: int, target: int) -> NDArray[np.int64]:
    """Slice bounds [S + 1] over the groups in `order`, each slice near `target` of the groups' `weights`.

    `common` is how many of the last groups are common ones: a new slice begins there.
    """
    bounds = [0]
    edge = order.size - common
    for low, high in ((0, edge), (edge, order.size)):
        if low == high:
            continue
        total = np.cumsum(weights[order[low:high]])
        parts = max(1, round(int(total[-1]) / target))
        goals = int(total[-1]) * np.arange(1, parts, dtype=np.int64) // parts
        bounds.extend(int(low + at + 1) for at in np.searchsorted(total, goals))
        bounds.append(high)
    return np.unique(np.array(bounds, np.int64))
