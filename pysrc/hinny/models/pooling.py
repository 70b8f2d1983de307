"""Token states to one vector: the mean over a text's tokens, or its first token's state; then length 1.

Reimers and Gurevych 2019, arXiv 1908.10084, section 3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mean_pool(states: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Mean of float32 [n, tokens, d] over the tokens whose mask [n, tokens] is 1; float32 [n, d].

    A row without tokens gives zeros.
    """
    weights = mask.astype(np.float32)
    # One small product a row: the mask picks and adds in a single pass.
    sums = np.matmul(weights[:, None, :], states)[:, 0, :]
    counts = np.maximum(weights.sum(axis=1, keepdims=True), np.float32(1))
    pooled: NDArray[np.float32] = (sums / counts).astype(np.float32, copy=False)
    return pooled


def rehearse(dimensions: int) -> None:
    """Pool and scale one vector for nothing: where numpy runs in WebAssembly, its first products are slow."""
    states = np.ones((1, 1, dimensions), dtype=np.float32)
    normalize(mean_pool(states, np.ones((1, 1), dtype=np.int64))).tolist()


def cls_pool(states: NDArray[np.float32]) -> NDArray[np.float32]:
    """The first token's state; float32 [n, d]."""
    return states[:, 0, :]


def normalize(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each vector (last axis) scaled to length 1; a zero vector stays zero."""
    length = np.sqrt(np.sum(vectors * vectors, axis=-1, keepdims=True, dtype=np.float32))
    return (vectors / np.where(length > 0, length, np.float32(1))).astype(np.float32, copy=False)
