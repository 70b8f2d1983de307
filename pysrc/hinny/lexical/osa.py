"""Optimal string alignment distance of one word to many, in numpy.

Insertions, deletions, substitutions and transpositions of neighbours cost one each (Damerau 1964, in the
restricted form that edits no substring twice; also called optimal string alignment). The dynamic programme
runs over the query's letters and a band of columns, each step on a vector with one item a candidate. Before
that, lengths and letter sets throw out nearly all words: an edit changes the length by at most one, and the
set of letters by at most one each way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LONGEST = 40
"""Longer words are not compared."""


class Letters:
    """The letters of n words as a matrix uint16 [width, n] (code points modulo 65536), and letter sets."""

    __slots__ = ("lengths", "matrix", "sets")

    def __init__(self, words: list[str]) -> None:
        count = len(words)
        self.lengths = np.fromiter(map(len, words), np.int64, count)
        flat = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint16)
        starts = np.cumsum(self.lengths) - self.lengths
        width = int(min(self.lengths.max(), LONGEST)) if count else 0
        self.matrix = np.zeros((width, count), np.uint16)
        self.sets = np.zeros(count, np.uint32)
        for column in range(width):
            has = np.flatnonzero(self.lengths > column)
            letters = flat[starts[has] + column]
            self.matrix[column, has] = letters
            self.sets[has] |= np.uint32(1) << (letters & 31).astype(np.uint32)

    def near(self, word: str, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the words at most `most` edits from `word`, and how many edits: int64 [m] each."""
        if not word or len(word) > LONGEST or most < 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        pattern = np.frombuffer(word.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint16)
        mine = np.bitwise_or.reduce(np.uint32(1) << (pattern & 31).astype(np.uint32))
        fits = (np.abs(self.lengths - len(word)) <= most) & (self.lengths <= LONGEST)
        rows = np.flatnonzero(fits)
        sets = self.sets[rows]
        rows = rows[(_bits(sets & ~mine) <= most) & (_bits(mine & ~sets) <= most)]
        distance = distances(pattern, self.matrix[:, rows], self.lengths[rows], most)
        good = distance <= most
        return rows[good].astype(np.int64), distance[good].astype(np.int64)


def distances(
    pattern: NDArray[np.uint16], words: NDArray[np.uint16], lengths: NDArray[np.int64], most: int
) -> NDArray[np.int16]:
    """Distances of `pattern` [m] to the words [width, n]: int16 [n], `most` + 1 where they are larger."""
    m, (width, n) = pattern.size, words.shape
    far = np.int16(most + 1)
    # rows[i][j] for j in the band |i - j| <= most; everything outside is `far`.
    before: dict[int, NDArray[np.int16]] = {}
    last: dict[int, NDArray[np.int16]] = {j: np.full(n, j, np.int16) for j in range(min(most, width) + 1)}
    result = np.full(n, far, np.int16)
    outside = np.full(n, far, np.int16)
    for i in range(1, m + 1):
        row: dict[int, NDArray[np.int16]] = {}
        for j in range(max(0, i - most), min(width, i + most) + 1):
            if j == 0:
                row[0] = np.full(n, i, np.int16)
                continue
            same = words[j - 1] == pattern[i - 1]
            best = last.get(j - 1, outside) + ~same
            best = np.minimum(best, np.minimum(last.get(j, outside), row.get(j - 1, outside)) + np.int16(1))
            if i > 1 and j > 1:
                swapped = (words[j - 1] == pattern[i - 2]) & (words[j - 2] == pattern[i - 1])
                best = np.where(swapped, np.minimum(best, before.get(j - 2, outside) + np.int16(1)), best)
            row[j] = best
        before, last = last, row
    for j, column in last.items():
        here = lengths == j
        result[here] = column[here]
    return np.minimum(result, far)


def _bits(values: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """How many bits are set: uint8 [n]."""
    pairs = values - ((values >> np.uint32(1)) & np.uint32(0x55555555))
    fours = (pairs & np.uint32(0x33333333)) + ((pairs >> np.uint32(2)) & np.uint32(0x33333333))
    eights = (fours + (fours >> np.uint32(4))) & np.uint32(0x0F0F0F0F)
    count: NDArray[np.uint8] = ((eights * np.uint32(0x01010101)) >> np.uint32(24)).astype(np.uint8)
    return count
