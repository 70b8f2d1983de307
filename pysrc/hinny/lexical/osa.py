"""Optimal string alignment distance of one word to many, in numpy.

Insertions, deletions, substitutions and transpositions of neighbours cost one each (Damerau 1964, in the
restricted form that edits no substring twice; also called optimal string alignment).

Lengths and letters throw out nearly all words first: an edit changes the length by at most one, and takes
at most one letter and brings at most one; a letter that a word has twice counts as two. The rest goes
diagonal by diagonal (Ukkonen 1985, Landau and Vishkin 1989): cells of one diagonal never get smaller
downwards, so that for each number of edits it is enough to know how far down each diagonal it reaches. One
more edit reaches a row further, or the next diagonal, or over a swapped pair; then equal letters are free.
All words take each step together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LONGEST = 40
"""Longer words are not compared."""
MOST = 3
"""More edits are not looked for."""
_MANY = 200
"""So many candidates are worth a closer look at their letters."""
_WIDE = LONGEST + 2 * MOST
_BITS = np.uint64(1) << np.arange(32, dtype=np.uint64)


class Letters:
    """The letters of n words, the words in the order of their lengths.

    `matrix` uint16 [n, 46] holds code points modulo 65536, from column `MOST` on and with zeros around them;
    `sets` uint64 [n] which letters there are, by their last five bits, and 32 bits higher which of them are
    there twice.
    """

    __slots__ = ("_ends", "_rows", "lengths", "matrix", "sets")

    def __init__(self, words: list[str]) -> None:
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        order = np.argsort(lengths, kind="stable")
        ends = np.searchsorted(lengths[order], np.arange(LONGEST + 1), "right")
        self._ends: list[int] = ends.tolist()
        """How many words have so many letters or fewer."""
        self._rows = order[: self._ends[-1]].astype(np.int64)
        self.lengths = lengths[self._rows]
        flat = _codes("".join([words[row] for row in self._rows.tolist()]))
        owners = np.repeat(np.arange(self.lengths.size, dtype=np.int64), self.lengths.astype(np.intp))
        starts = np.cumsum(self.lengths) - self.lengths
        self.matrix = np.zeros((self.lengths.size, _WIDE), np.uint16)
        places = np.arange(flat.size, dtype=np.int64) - starts[owners] + MOST
        self.matrix.reshape(-1)[owners * _WIDE + places] = flat
        self.sets = np.zeros(self.lengths.size, np.uint64)
        for column in range(LONGEST):
            some = self._ends[column]  # longer words only
            if some == self.lengths.size:
                break
            here, letter = self.sets[some:], _BITS[self.matrix[some:, MOST + column] & 31]
            here |= (here & letter) << np.uint64(32) | letter

    def near(self, word: str, most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the words at most `most` edits from `word`, and how many edits: int64 [m] each."""
        _, rows, distance = self.near_all([word], [most])
        return rows, distance

    def near_all(
        self, asked: Sequence[str], most: Sequence[int]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """`near` of several words at once: int64 [m] each, the first which of the words it is near to."""
        widest = min(max(most, default=0), MOST)
        patterns = np.zeros((len(asked), max(map(len, asked), default=0)), np.uint16)
        codes = _codes("".join(asked))
        letters = codes.tolist()
        sizes, found, at = [], [], 0
        for number, (word, edits) in enumerate(zip(asked, most, strict=True)):
            size, edits = len(word), min(edits, MOST)
            start, at = at, at + size
            if not word or size > LONGEST or edits < 0:
                continue
            patterns[number, :size] = codes[start:at]
            once = twice = 0
            for letter in letters[start:at]:
                bit = 1 << (letter & 31)
                twice |= once & bit
                once |= bit
            mine = twice << 32 | once
            low, high = self._ends[max(0, size - edits - 1)], self._ends[min(LONGEST, size + edits)]
            # One edit takes at most one letter from the set and brings at most one.
            differ = self.sets[low:high] ^ np.uint64(mine)
            rows = (_bits(differ) <= 2 * edits).nonzero()[0]
            if rows.size > _MANY:
                gone = _bits(differ[rows] & np.uint64(mine))
                rows = rows[(gone <= edits) & (_bits(differ[rows]) - gone <= edits)]
            rows += low
            sizes.append((number, rows.size, edits))
            found.append(rows)
        if not found:
            none = np.zeros(0, np.int64)
            return none, none, none
        rows = np.concatenate(found)
        numbers, counts, edges = np.array(sizes, np.intp).T
        owners = numbers.repeat(counts)
        columns = self.matrix[rows, MOST - widest : MOST + widest + patterns.shape[1]].T
        distance = distances(patterns, owners, columns, self.lengths[rows], widest)
        good = (distance <= edges.repeat(counts)).nonzero()[0]
        return owners[good].astype(np.int64), self._rows[rows[good]], distance[good].astype(np.int64)


def distances(
    patterns: NDArray[np.uint16],
    owners: NDArray[np.integer],
    words: NDArray[np.uint16],
    lengths: NDArray[np.int64],
    most: int,
) -> NDArray[np.int8]:
    """Distances of n words, each to the pattern that it is a candidate for; `most` + 1 for larger ones.

    `patterns` [p, m] are rows of letters with zeros after them, `owners` [n] the rows meant. `words`
    [m + 2 * most or fewer, n] begin in row `most`, with zeros around them; `lengths` [n] are theirs.
    """
    size, n = patterns.shape[1], words.shape[1]
    wide = 2 * most + 1
    sizes = np.count_nonzero(patterns, axis=1).astype(np.int8)[owners]
    result = np.full(n, most + 1, np.int8)
    # same[d, i]: letter i of the pattern is the word's letter i + d - most.
    same = np.zeros((wide, size, n), np.bool_)
    columns = patterns[owners].T
    written = columns > 0
    for diagonal in range(wide):
        beside = words[diagonal : diagonal + size]
        np.equal(beside, columns[: beside.shape[0]], out=same[diagonal, : beside.shape[0]])
    # Every letter of the pattern that no edit takes stands in the word, at most so many places away.
    near = np.logical_or.reduce(same, axis=0)
    near &= written
    kept = (np.add.reduce(near.view(np.uint8), axis=0, dtype=np.uint8) + most >= sizes).nonzero()[0]
    n = kept.size
    if not n:
        return result
    sizes = sizes[kept]
    same = same[:, :, kept]
    same &= written[:, kept]
    # reach[d, i]: the first row from i on, on diagonal d, where letters differ.
    reach = np.empty((wide, size + 1, n), np.int8)
    reach[:, size] = size
    np.multiply(same, np.int8(size), out=reach[:, :size])
    np.maximum(reach[:, :size], np.arange(size, dtype=np.int8)[:, None], out=reach[:, :size])
    np.minimum.accumulate(reach[:, ::-1], axis=1, out=reach[:, ::-1])
    swaps = np.zeros((wide, size + 1, n), np.bool_)
    np.logical_and(same[2:, :-1], same[:-2, 1:], out=swaps[1:-1, : size - 1])
    lanes, each = np.arange(wide)[:, None], np.arange(n)
    goal = lengths[kept] + most - sizes
    # far[d + 1]: the last row that diagonal d reaches with the edits so far; -9 is nowhere.
    far = np.full((wide + 2, n), -9, np.int8)
    far[most + 1] = reach[most, 0]
    found = np.full(n, most + 1, np.int8)
    found -= far[goal + 1, each] >= sizes
    for edits in range(1, most + 1):
        # Of the last edit only the diagonal counts on which the word ends.
        at = goal if edits == most else lanes[most - edits : most + edits + 1]
        here = far[at + 1, each]
        there = np.maximum(np.maximum(here + 1, far[at, each]), far[at + 2, each] + 1)
        there = np.maximum(there, (here + 2) * swaps[at, np.maximum(here, 0), each])
        reached = reach[at, np.minimum(there, size), each]
        if edits < most:
            far[most - edits + 1 : most + edits + 2] = reached
            reached = far[goal + 1, each]
        found -= reached >= sizes  # what is reached stays so: one round less that it took
    result[kept] = found
    return result


def _codes(text: str) -> NDArray[np.uint16]:
    """Code points modulo 65536, but never 0."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.uint16)
    return np.maximum(codes, 1)


def _counted(values: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits are set: uint8 [n]; for numpy 1."""
    pairs = values - ((values >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = (pairs & np.uint64(0x3333333333333333)) + (
        (pairs >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    eights = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    count: NDArray[np.uint8] = ((eights * np.uint64(0x0101010101010101)) >> np.uint64(56)).astype(np.uint8)
    return count


_bits = getattr(np, "bitwise_count", _counted)
