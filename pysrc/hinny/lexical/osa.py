"""Optimal string alignment distance of one word to many, in numpy.

Insertions, deletions, substitutions and transpositions of neighbours cost one each (Damerau 1964, in the
restricted form that edits no substring twice; also called optimal string alignment).

Lengths and letter sets throw out nearly all words first: an edit changes the length by at most one, and the
set of letters by at most one each way. The rest goes diagonal by diagonal (Ukkonen 1985, Landau and Vishkin
1989): cells of one diagonal never get smaller downwards, so that for each number of edits it is enough to
know how far down each diagonal it reaches. One more edit reaches a row further, or the next diagonal, or
over a swapped pair; then equal letters are free. All words take each step together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LONGEST = 40
"""Longer words are not compared."""
MOST = 3
"""More edits are not looked for."""
_BITS = np.uint32(1) << np.arange(32, dtype=np.uint32)


class Letters:
    """The letters of n words, the words in the order of their lengths.

    `matrix` uint16 [width + 2 * MOST, n] holds code points modulo 65536 between zeros; `sets` uint32 [n]
    which letters there are, by their last five bits.
    """

    __slots__ = ("_ends", "_rows", "lengths", "matrix", "sets")

    def __init__(self, words: list[str]) -> None:
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        order = np.argsort(lengths, kind="stable")
        ends = np.searchsorted(lengths[order], np.arange(LONGEST + 1), "right")
        count = int(ends[-1])
        self._rows = order[:count].astype(np.int64)
        self._ends: list[int] = ends.tolist()
        """How many words have so many letters or fewer."""
        self.lengths = lengths[self._rows]
        flat = _codes("".join(words))
        starts = (np.cumsum(lengths) - lengths)[self._rows]
        width = int(self.lengths[-1]) if count else 0
        self.matrix = np.zeros((width + 2 * MOST, count), np.uint16)
        self.sets = np.zeros(count, np.uint32)
        for column in range(width):
            first = self._ends[column]
            letters = flat[starts[first:] + column]
            self.matrix[MOST + column, first:] = letters
            self.sets[first:] |= _BITS[letters & 31]

    def near(self, word: str, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the words at most `most` edits from `word`, and how many edits: int64 [m] each."""
        size, most = len(word), min(most, MOST)
        if not word or size > LONGEST or most < 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        pattern = _codes(word)
        mine = np.bitwise_or.reduce(_BITS[pattern & 31])
        low, high = self._ends[max(0, size - most - 1)], self._ends[min(LONGEST, size + most)]
        sets = self.sets[low:high]
        rows = (_bits(sets ^ mine) <= 2 * most).nonzero()[0]
        sets = sets[rows]
        rows = rows[(_bits(sets & ~mine) <= most) & (_bits(mine & ~sets) <= most)] + low
        window = self.matrix[MOST - most : MOST + most + size]
        letters = np.zeros((size + 2 * most, rows.size), np.uint16)
        letters[: window.shape[0]] = window.take(rows, axis=1)
        distance = distances(pattern, letters, self.lengths[rows], most)
        good = (distance <= most).nonzero()[0]
        return self._rows[rows[good]], distance[good].astype(np.int64)


def distances(
    pattern: NDArray[np.uint16], words: NDArray[np.uint16], lengths: NDArray[np.int64], most: int
) -> NDArray[np.int8]:
    """Distances of `pattern` [m] to n words: int8 [n], `most` + 1 where they are larger.

    `words` [m + 2 * most, n] begin in row `most`, with zeros around them.
    """
    size, (_, n) = pattern.size, words.shape
    wide = 2 * most + 1
    # same[d, i]: letter i of the pattern is the word's letter i + d - most.
    same = np.empty((wide, size, n), np.bool_)
    for diagonal in range(wide):
        np.equal(words[diagonal : diagonal + size], pattern[:, None], out=same[diagonal])
    result = np.full(n, most + 1, np.int8)
    # Every letter of the pattern that no edit takes stands in the word, at most so many places away.
    standing = np.logical_or.reduce(same, axis=0).sum(axis=0, dtype=np.int8)
    kept = (standing >= size - most).nonzero()[0]
    n = kept.size
    if not n:
        return result
    same = same.take(kept, axis=2)
    # reach[d, i]: the first row from i on, on diagonal d, where letters differ.
    rows = np.arange(size + 1, dtype=np.int8)
    reach = np.full((wide, size + 1, n), size, np.int8)
    np.copyto(reach[:, :size], rows[:size, None], where=~same)
    np.minimum.accumulate(reach[:, ::-1], axis=1, out=reach[:, ::-1])
    swaps = np.zeros((wide, size + 1, n), np.bool_)
    if size > 1 and most:
        np.logical_and(same[2:, :-1], same[:-2, 1:], out=swaps[1:-1, : size - 1])
    flat_reach, flat_swaps = reach.reshape(-1), swaps.reshape(-1)
    columns = np.arange(n, dtype=np.intp)
    cells = np.arange(wide, dtype=np.intp)[:, None] * ((size + 1) * n) + columns
    goal = (lengths[kept] + (most - size)).astype(np.intp) * n + columns
    # far[d + 1]: the last row that diagonal d reaches with the edits so far; -9 is nowhere.
    far = np.full((wide + 2, n), -9, np.int8)
    far[most + 1] = reach[most, 0]
    found = np.full(n, most + 1, np.int8)
    flat_far = far[1:-1].reshape(-1)
    found[flat_far.take(goal) >= size] = 0
    for edits in range(1, most + 1):
        low, high = most - edits, most + edits + 1
        before = far[low + 1 : high + 1]
        there = np.maximum(np.maximum(before + 1, far[low:high]), far[low + 2 : high + 2] + 1)
        over = flat_swaps.take(cells[low:high] + np.maximum(before, 0).astype(np.intp) * n)
        there = np.minimum(np.maximum(there, (before + 2) * over), size)
        far[low + 1 : high + 1] = flat_reach.take(cells[low:high] + there.astype(np.intp) * n)
        found[(flat_far.take(goal) >= size) & (found > edits)] = edits
    result[kept] = found
    return result


def _codes(text: str) -> NDArray[np.uint16]:
    """Code points modulo 65536, but never 0."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint16)
    return np.maximum(codes, 1)


def _counted(values: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """How many bits are set: uint8 [n]; for numpy 1."""
    pairs = values - ((values >> np.uint32(1)) & np.uint32(0x55555555))
    fours = (pairs & np.uint32(0x33333333)) + ((pairs >> np.uint32(2)) & np.uint32(0x33333333))
    eights = (fours + (fours >> np.uint32(4))) & np.uint32(0x0F0F0F0F)
    count: NDArray[np.uint8] = ((eights * np.uint32(0x01010101)) >> np.uint32(24)).astype(np.uint8)
    return count


_bits = getattr(np, "bitwise_count", _counted)
