"""Postings in slices: which documents hold an entry, and how often in each field.

A slice covers whole stem groups. It is one block of sets (`sets.py`): of each entry, the set of its
documents, as their places in the order of documents; and the frequencies by field. Those of the field with
the most postings are nested sets over all postings, entries that stand in few documents first. In each
further field, the set of the postings that have it, apart for those that the main field has not, once,
twice, and more often; and then how often. How many documents an entry has is in the dictionary.

Groups that stand in many documents lie in slices of their own, after all others: they are a large part of
the bytes, and a query seldom needs one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.sets import BlockReader, BlockWriter

Ints = NDArray[np.int64]

_STEPS = 8
_MORE_STEPS = 4
_KINDS = 3
_DENSE = 1 << 16
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


def encode(df: Ints, documents: Ints, frequencies: Ints, place: Ints) -> dict[str, NDArray[Any]]:
    """A slice's arrays from its entries' counts [E], their documents [P] and frequencies [P, F].

    `place` [N] is where each document row stands in the order of documents (`ordering.py`).
    """
    writer = BlockWriter()
    owner = np.repeat(np.arange(df.size, dtype=np.int64), df.astype(np.intp))
    keys = owner * place.size + place[documents]
    order = np.argsort(keys)
    writer.put_sets(df, np.full(df.size, place.size, np.int64), (keys[order] - owner * place.size))
    ordered = frequencies[order][_by_frequency(df)]
    main = int(np.count_nonzero(ordered, axis=0).argmax()) if df.size else 0
    writer.put_number(main)
    writer.put_numbers(ordered[:, main], _STEPS)
    kinds = [np.flatnonzero(kind) for kind in _kinds(ordered[:, main])]
    for column in range(ordered.shape[1]):
        if column == main:
            continue
        inside = [np.flatnonzero(ordered[kind, column]) for kind in kinds]
        for kind, numbers in zip(kinds, inside, strict=True):
            writer.put_set(kind.size, numbers)
        rows = np.concatenate([kind[numbers] for kind, numbers in zip(kinds, inside, strict=True)])
        writer.put_numbers(ordered[rows, column] - 1, _MORE_STEPS)
    return {"data": np.frombuffer(writer.bytes(), np.uint8)}


def decode(
    arrays: Mapping[str, NDArray[Any]], df: Ints, order: Ints, width: int
) -> tuple[Ints, NDArray[np.int32], Ints]:
    """Documents [P], table row of each posting [P] and table [C, F] of frequencies.

    `order` [N] lists the document rows in their order, `width` is F. Raises `BundleError` when the arrays
    do not fit.
    """
    try:
        reader = BlockReader(arrays["data"])
    except KeyError as problem:
        raise BundleError(f"a lexical slice lacks its array {problem}") from None
    total, documents = int(df.sum()), order.size
    sets = reader.sets(df, np.full(df.size, documents, np.int64))
    main = reader.number()
    if main >= width:
        raise BundleError("a lexical slice does not fit the index's fields")
    often = reader.numbers(total, _STEPS)
    sizes = [total, *(handle.size for handle in often.steps[:_KINDS])]
    sizes += [0] * (_KINDS + 2 - len(sizes))
    others = []
    for column in range(width):
        if column != main:
            inside = [reader.set(a - b) for a, b in pairwise(sizes)]
            count = sum(handle.size for handle in inside)
            others.append((column, inside, reader.numbers(count, _MORE_STEPS)))
    reader.read()
    places = reader.take(sets)
    columns = [np.zeros(total, np.int64)] * width
    columns[main] = reader.take_numbers(often)
    kinds = [np.flatnonzero(kind) for kind in _kinds(columns[main])]
    for column, inside, more in others:
        rows = np.concatenate([kind[reader.take(i)] for kind, i in zip(kinds, inside, strict=True)])
        columns[column] = np.zeros(total, np.int64)
        columns[column][rows] = 1 + reader.take_numbers(more)
    reader.finish()
    codes, table = _tabulate(columns)
    ordered = np.empty(total, np.int64)
    ordered[_by_frequency(df)] = codes
    # The documents of an entry ascend by row again; a posting's code rides along with its document.
    owner = np.repeat(np.arange(df.size, dtype=np.int64), df.astype(np.intp))
    keys = (owner * documents + order[places]) * max(table.shape[0], 1) + ordered
    keys.sort()
    keys, codes = np.divmod(keys, max(table.shape[0], 1))
    return keys - owner * documents, codes.astype(np.int32), table


def _kinds(often: Ints) -> Iterator[NDArray[np.bool_]]:
    """Postings by their frequency in the main field: which others they have depends on it."""
    for kind in range(_KINDS):
        yield often == kind
    yield often >= _KINDS


def _tabulate(columns: list[Ints]) -> tuple[Ints, Ints]:
    """The distinct rows that `columns` make: the number of each row [P], and a table [C, F]."""
    codes = np.zeros(columns[0].size, np.int64)
    radix = 1
    for column in columns:
        base = int(column.max(initial=0)) + 1
        codes = codes * base + column
        radix *= base
        if radix > _DENSE:
            radix, codes = _number(np.unique(codes, return_inverse=True)[1].reshape(-1))
    example = np.full(radix, -1, np.int64)
    example[codes] = np.arange(codes.size)
    used = example >= 0
    rows = example[used]
    return (np.cumsum(used) - 1)[codes], np.stack([column[rows] for column in columns], axis=1)


def _number(codes: NDArray[Any]) -> tuple[int, Ints]:
    return int(codes.max(initial=-1)) + 1, codes.astype(np.int64)


def _by_frequency(df: Ints) -> Ints:
    """Postings in the order in which their frequencies are stored: those of rare entries first.

    Entries that are as rare, and an entry's own postings, have like frequencies: they lie together.
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
