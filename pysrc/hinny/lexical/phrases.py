"""Phrases: which documents have words in an order, within a slop.

An occurrence of word i at position p, with r_i its place in the phrase, has the key
(document, field) + p - r_i. A phrase stands where all words have a key inside one window of `slop`: equal
keys when slop is 0. That is the definition of a sloppy phrase by its largest displacement:
max(p_i - r_i) - min(p_i - r_i) <= slop. Keys of different fields lie further apart than any window.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.found import Found
from hinny.lexical.positions import run_starts
from hinny.lexical.scorer import Scorer
from hinny.lexical.store import Store
from hinny.lexical.words import QueryWord

SPAN = 1 << 24
"""Keys of neighbouring fields lie this far apart: no field holds more tokens, no window is wider."""
_HALF = 1 << 20


def keys(owners: NDArray[np.int64], positions: NDArray[np.int64], place: int) -> NDArray[np.int64]:
    """Sorted keys int64 [T] of a word at `place` of the phrase; `owners` [T] number its fields."""
    result = owners * SPAN + (positions - place + _HALF)
    result.sort()
    return result


def match(words: Sequence[NDArray[np.int64]], slop: int) -> NDArray[np.int64]:
    """Owners (sorted, distinct) in which the phrase stands; `words` are the sorted keys of each word.

    With a slop, one occurrence may serve for two equal words of the phrase.
    """
    if not words or any(not word.size for word in words):
        return np.zeros(0, np.int64)
    if slop == 0:
        found = min(words, key=lambda word: word.size)
        for word in words:
            found = found[member(found, word)]
        return np.unique(found // SPAN)
    starts = np.unique(np.concatenate(list(words)))
    good = np.ones(starts.size, np.bool_)
    for word in words:
        at = np.searchsorted(word, starts)
        inside = at < word.size
        good &= inside
        good[inside] &= word[at[inside]] <= starts[inside] + slop
    return np.unique(starts[good] // SPAN)


def member(values: NDArray[np.int64], among: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of `values` are in the sorted array `among`: bool [n]."""
    at = np.searchsorted(among, values)
    at[at == among.size] = 0
    result: NDArray[np.bool_] = among[at] == values
    return result


class PhraseFinder:
    """Finds phrases with the positions of a store, whose slices must be loaded."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def documents(
        self, phrase: Sequence[tuple[QueryWord, Found]], slop: int, scorer: Scorer
    ) -> NDArray[np.int64]:
        """Rows, ascending, of the documents in which the words stand so in one of the scorer's fields."""
        width = scorer.weights.stem.size
        searched = scorer.weights.stem + scorer.weights.word > 0
        first = phrase[0][0].position
        found = []
        for word, place in phrase:
            owners, positions = self._occurrences(place, scorer, width)
            keep = searched[owners % width]
            found.append(keys(owners[keep], positions[keep], word.position - first))
        return np.unique(match(found, slop) // width)

    def _occurrences(
        self, found: Found, scorer: Scorer, width: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(document * F + field) and position of every occurrence of the word as written."""
        resident = self._store.resident
        layout, dictionary = resident.position_layout, resident.dictionary
        owners: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        places: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        for group, low, high in found.written:
            if low == high:
                continue
            gathered = scorer.gather([(group, low, high)])
            number = layout.slice_of(group)
            slice = self._store.positions[number]
            assert slice is not None, "a slice is used before it is loaded"
            at = int(layout.rank[group] - layout.bounds[number])
            base = int(dictionary.starts[group])
            places.append(slice.positions(at, low - base, high - base, gathered.frequencies))
            cells = np.flatnonzero(gathered.frequencies.reshape(-1))
            rows = gathered.documents.astype(np.int64)[cells // width] * width + cells % width
            sizes = np.diff(np.append(run_starts(gathered.frequencies), places[-1].size)).astype(np.intp)
            owners.append(np.repeat(rows, sizes))
        return np.concatenate(owners), np.concatenate(places)
