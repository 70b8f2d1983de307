"""A frozen random rotation: two rounds of permutation, signs and block Walsh-Hadamard transforms.

After it a unit vector's coordinates look Gaussian with variance 1/d, whatever the data, which is
what a fixed codebook needs (arXiv 2504.19874 uses a dense random rotation; this one costs
O(d log d) and keeps no matrix). The permutation comes first, so that coordinates ordered by
importance do not land in one block. A block is the largest power of two that divides d: 384 = 3 x
128, and no padding. Where that is under 32 (d = 100), each round instead transforms the first and
then the last 2^k coordinates, 2^k the largest power of two within d; the two overlap and reach all.

Only float32 additions, subtractions and one multiplication a coordinate, each elementwise: the
same bits on every platform.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.quant.randomness import random_permutation, random_signs

ROUNDS = 2
_SMALLEST_BLOCK = 32


class Rotation:
    """An orthogonal map of R^d, the same for the same `dim` and `seed` for ever."""

    def __init__(self, dim: int, seed: int) -> None:
        self.dim = dim
        self.seed = seed
        self._permutations = [random_permutation(seed, 2 * k, dim) for k in range(ROUNDS)]
        self._signs = [random_signs(seed, 2 * k + 1, dim) for k in range(ROUNDS)]
        self._spans = _spans(dim)

    def apply(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Rotate rows: float32 [n, d] to a new float32 [n, d]."""
        for permutation, signs in zip(self._permutations, self._signs, strict=True):
            rows = rows[:, permutation] * signs
            for start, stop, block in self._spans:
                rows[:, start:stop] = _hadamard(rows[:, start:stop], block)
        return rows

    def undo(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """The inverse of `apply`: float32 [n, d] to a new float32 [n, d]."""
        rows = rows.copy()
        for permutation, signs in zip(reversed(self._permutations), reversed(self._signs), strict=True):
            for start, stop, block in reversed(self._spans):
                rows[:, start:stop] = _hadamard(rows[:, start:stop], block)
            rows *= signs
            restored = np.empty_like(rows)
            restored[:, permutation] = rows
            rows = restored
        return rows


def _spans(dim: int) -> list[tuple[int, int, int]]:
    """What each round transforms: (start, stop, block size) in order."""
    block = dim & -dim
    largest = 1 << (dim.bit_length() - 1)
    if block >= min(_SMALLEST_BLOCK, largest):
        return [(0, dim, block)]
    return [(0, largest, largest), (dim - largest, dim, largest)]


def _hadamard(rows: NDArray[np.float32], block: int) -> NDArray[np.float32]:
    """Orthonormal Walsh-Hadamard transform of each block: [n, m * block] to the same shape.

    Each stage sends pairs (a, b) of neighbours to a + b in the first half and a - b in the second,
    so that every stage runs over long inner loops. log2(block) stages give the natural order.
    """
    shape = rows.shape
    rows = rows.reshape(shape[0], shape[1] // block, block)
    half = block // 2
    size = 1
    while size < block:
        out = np.empty_like(rows)
        np.add(rows[..., 0::2], rows[..., 1::2], out=out[..., :half])
        np.subtract(rows[..., 0::2], rows[..., 1::2], out=out[..., half:])
        rows = out
        size *= 2
    return (rows * np.float32(block**-0.5)).reshape(shape)
