"""Where the postings of dictionary entries lie: in which slice, and from where to where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.dictionary import Dictionary
from hinny.lexical.postings import Layout, entry_order

Piece = tuple[int, int, int]
"""Entries `low` to `high` of a group: (group, low, high)."""
Span = tuple[int, int, int]
"""A slice's number, and where in its postings a run of them starts and stops."""
_FEW = 4
"""For so many groups no table is made."""


class Places:
    """Places of all entries, worked out on first use.

    They are plain lists, because words ask for a few dozen numbers at a time.
    """

    __slots__ = ("_dictionary", "_layout", "_slices", "_starts", "_stops", "_table")

    def __init__(self, dictionary: Dictionary, layout: Layout) -> None:
        self._dictionary = dictionary
        self._layout = layout
        self._slices: list[int] | None = None

    def _numbers(self) -> list[int]:
        if self._slices is None:
            self._slices = self._work_out()
        return self._slices

    def _work_out(self) -> list[int]:
        dictionary, layout = self._dictionary, self._layout
        order = entry_order(dictionary, layout.order)
        ends = np.cumsum(dictionary.df[order])
        sizes = (dictionary.starts[1:] - dictionary.starts[:-1])[layout.order]
        numbers = np.searchsorted(layout.bounds, np.arange(layout.order.size), "right") - 1
        # Entries, and so postings, before each slice.
        entries = np.concatenate([[0], np.cumsum(sizes)])[layout.bounds[:-1]]
        before = np.concatenate([[0], ends])[entries]
        shift = np.repeat(before[numbers], sizes.astype(np.intp))
        starts, stops = np.empty_like(ends), np.empty_like(ends)
        stops[order] = ends - shift
        starts[order] = ends - dictionary.df[order] - shift
        slices = np.empty_like(layout.order)
        slices[layout.order] = numbers
        self._starts: list[int] = starts.tolist()
        self._stops: list[int] = stops.tolist()
        self._table = np.repeat(slices, np.diff(dictionary.starts).astype(np.intp)), starts, stops
        numbered: list[int] = slices.tolist()
        return numbered

    def slices(self, pieces: Sequence[Piece]) -> set[int]:
        """The slices that hold the postings of pieces."""
        if self._slices is None and len(pieces) <= _FEW:
            return {self._layout.slice_of(group) for group, _, _ in pieces}
        slices = self._numbers()
        return {slices[group] for group, _, _ in pieces}

    def spans(self, pieces: Sequence[Piece]) -> list[Span]:
        """Where the postings of pieces lie, piece after piece; runs that touch are one."""
        slices = self._numbers()
        starts, stops = self._starts, self._stops
        found: list[Span] = []
        number, begin, end = -1, 0, 0
        for group, low, high in pieces:
            if low == high:
                continue
            start = starts[low]
            if start == end and number == slices[group]:
                end = stops[high - 1]
                continue
            if number >= 0:
                found.append((number, begin, end))
            number, begin, end = slices[group], start, stops[high - 1]
        if number >= 0:
            found.append((number, begin, end))
        return found

    def table(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """By entry, the slice that holds its postings, and where in it they start and stop."""
        self._numbers()
        return self._table
