"""The projection of token states to few dimensions, for late interaction with a plain sentence model.

Principal components of token states, each scaled to length 1 before: the projection whose dot
products are nearest to the full ones' in the mean square. The mean is over distinct tokens, not over
the text: common words, which say little, would otherwise take most of the directions (measured on
Cranfield, 64 dimensions, nDCG@10: 0.336 counting every token, 0.358 counting every distinct token
once; 0.380 without a projection). The states' mean stays in; it is a direction like the others.

What is shipped was fitted by `bench/fit_projection.py` and is kept as float16 in `projection-64.npy`,
so that a build gives the same bytes everywhere.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hinny.errors import DimensionMismatch

Array = NDArray[np.float32]


def fit_projection(states: Array, tokens: NDArray[np.int64], dimensions: int) -> Array:
    """Orthonormal float32 [width, dimensions] from token states [n, width] and their token ids [n].

    All states of one token id weigh as much as those of any other. Rows of zeros are left aside.
    Each column's largest entry is positive, which fixes the sign that an eigenvector leaves open.
    """
    n, width = states.shape
    if not 0 < dimensions <= min(n, width):
        raise DimensionMismatch(f"{n} states of width {width} do not give {dimensions} directions")
    length = np.linalg.norm(states, axis=1, keepdims=True)
    unit = (states / np.where(length > 0, length, 1)).astype(np.float64)
    weight = 1 / np.bincount(tokens)[tokens]
    _, vectors = np.linalg.eigh((unit * weight[:, None]).T @ unit)
    top = vectors[:, ::-1][:, :dimensions]
    signs = np.sign(top[np.abs(top).argmax(axis=0), np.arange(dimensions)])
    return np.ascontiguousarray(top * signs, dtype=np.float32)


def shipped_projection() -> Array:
    """The fitted projection of all-MiniLM-L6-v2's token states, float32 [384, 64]."""
    stored = np.load(Path(__file__).with_name("projection-64.npy"), allow_pickle=False)
    return np.ascontiguousarray(stored, dtype=np.float32)
