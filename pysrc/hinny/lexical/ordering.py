"""An order of documents in which those that share words are neighbours: postings then take fewer bits.

Recursive graph bisection (Dhulipala et al. 2016, "Compressing graphs and inverted indexes with recursive
graph bisection"): the documents, shortest first, are cut in halves, and documents change sides in pairs as
long as that lowers the estimated bits of the gaps; then each half is cut in the same way. A word that
stands in x of a half's n documents is estimated at x * log2(n / (x + 1)) bits there.

All halves of a level are worked on together, with a few numpy calls a round. The cut stops at leaves of
some 64 documents; inside a leaf, shorter documents come first. An order is thus each document's leaf. Bits
are counted in whole 1024ths: the same documents give the same order on every machine.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_LEAF = 64
_MAX_LEVELS = 10
_ROUNDS = 8
_COMMON = 10
_RARE = 3
_MAX_POSTINGS = 1 << 21
_SETTLED = 256
"""A level is done when less than this share of the documents moves."""


def count_levels(documents: int) -> int:
    """How many times the documents are halved."""
    return min(max((documents // _LEAF).bit_length() - 1, 0), _MAX_LEVELS)


def order_of(leaves: Ints, lengths: Ints) -> Ints:
    """Document rows [N] in the order: by leaf, then by length (tokens), then by row."""
    result: Ints = np.lexsort((lengths, leaves)).astype(np.int64)
    return result


def find_leaves(df: Ints, documents: Ints, lengths: Ints) -> Ints:
    """Each document's leaf: int64 [N], under `2 ** count_levels(N)`.

    `df` [E] and `documents` [P] are the postings, entry after entry, `lengths` [N] the documents' tokens.
    """
    total = lengths.size
    leaves = np.zeros(total, np.int64)
    levels = count_levels(total)
    if not levels:
        return leaves
    words, owners = _sample(df, documents, total)
    order = np.argsort(lengths, kind="stable")
    table = _log2(total + 1)
    place = np.empty(total, np.int64)
    for level in range(levels):
        edges = (np.arange(2 * (1 << level) + 1, dtype=np.int64) * total) >> (level + 1)
        place[order] = np.arange(total)
        cell = np.searchsorted(edges, place, "right") - 1
        leaves, right = cell >> 1, cell & 1
        right = _bisect(words, owners, leaves, right, np.diff(edges), table)
        order = np.lexsort((place, right, leaves))
    return 2 * leaves + right


def _sample(df: Ints, documents: Ints, total: int) -> tuple[Ints, Ints]:
    """Word and document of the postings that count: neither rare nor common words, and not too many."""
    fit = (df >= _RARE) & (df * _COMMON <= max(total, 50))
    stride = 1 + int(df[fit].sum()) // _MAX_POSTINGS
    fit[np.flatnonzero(fit)[np.arange(int(fit.sum())) % stride > 0]] = False
    wide = df.astype(np.intp)
    words = np.repeat(np.cumsum(fit) - 1, wide)
    kept = np.repeat(fit, wide)
    return words[kept], documents[kept]


def _bisect(words: Ints, owners: Ints, leaves: Ints, right: Ints, sizes: Ints, table: Ints) -> Ints:
    """Which half each document is in, after swaps: int64 [N] of 0 and 1."""
    total = leaves.size
    nodes = sizes.size // 2
    kinds = int(words.max(initial=-1)) + 1
    keys = words * nodes + leaves[owners]
    holding = np.bincount(keys.astype(np.intp), minlength=kinds * nodes).astype(np.int64)
    several = holding > 1  # a word that one document of the node has says nothing
    number = np.cumsum(several) - 1
    kept = several[keys]
    keys, owners = number[keys[kept]].astype(np.intp), owners[kept].astype(np.intp)
    holding = holding[several]
    here = np.flatnonzero(several) % nodes
    left_bits, right_bits = table[sizes[0::2][here]], table[sizes[1::2][here]]
    firsts = (
        np.concatenate([[0], np.cumsum(sizes[0::2])])[:-1],
        np.concatenate([[0], np.cumsum(sizes[1::2])])[:-1],
    )
    right = right.copy()

    def bits(count: Ints, size_bits: Ints) -> Ints:
        result: Ints = count * (size_bits - table[count + 1])
        return result

    for _ in range(_ROUNDS):
        at_right = np.bincount(keys, right[owners], holding.size).astype(np.int64)
        at_left = holding - at_right
        now = bits(at_left, left_bits) + bits(at_right, right_bits)
        to_right = now - bits(np.maximum(at_left - 1, 0), left_bits) - bits(at_right + 1, right_bits)
        to_left = now - bits(at_left + 1, left_bits) - bits(np.maximum(at_right - 1, 0), right_bits)
        move = np.stack([to_right, to_left]).reshape(-1)
        gain = np.bincount(owners, move[keys + holding.size * right[owners]], total).astype(np.int64)
        sides = []
        for side, first in enumerate(firsts):
            mine = np.flatnonzero(right == side)
            mine = mine[np.lexsort((-gain[mine], leaves[mine]))]
            sides.append((mine, np.arange(mine.size) - first[leaves[mine]]))
        (lefts, left_rank), (rights, right_rank) = sides
        # The best mover of one side with the best of the other, the second with the second, ...
        partner = np.full(nodes * (total + 1), -1, np.int64)
        partner[leaves[rights] * (total + 1) + right_rank] = rights
        other = partner[leaves[lefts] * (total + 1) + left_rank]
        swap = (other >= 0) & (gain[lefts] + gain[other] > 0)
        right[lefts[swap]] = 1
        right[other[swap]] = 0
        if 2 * int(swap.sum()) * _SETTLED < total:
            break
    return right


def _log2(count: int) -> Ints:
    """log2 of 0 (taken as 1) to `count`, in 1024ths: int64 [count + 1]; by squaring, in integers."""
    numbers = np.maximum(np.arange(count + 1, dtype=np.int64), 1)
    whole = np.frexp(numbers.astype(np.float64))[1].astype(np.int64) - 1
    rest = (numbers << (30 - np.minimum(whole, 30))) >> np.maximum(whole - 30, 0)
    result = whole
    for _ in range(10):
        rest = (rest * rest) >> 30
        over = rest >> 31
        rest >>= over
        result = 2 * result + over
    return result
