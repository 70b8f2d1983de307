"""Vectors for tests, from the project's own random streams: the same on every platform."""

from __future__ import annotations

import numpy as np

from hinny.quant.randomness import random_bits


def gaussian(count, dim, seed):
    """float32 [count, dim]: sums of four uniform numbers (no platform's logarithm), unit variance."""
    bits = random_bits(seed, 99, count * dim).reshape(count, dim)
    total = np.zeros((count, dim), dtype=np.float64)
    for shift in (0, 16, 32, 48):
        total += ((bits >> np.uint64(shift)) & np.uint64(0xFFFF)).astype(np.float64)
    return ((total - 2 * 65535) / 37837.0).astype(np.float32)


def unit_vectors(count, dim, seed):
    """float32 [count, dim], each of length 1."""
    rows = gaussian(count, dim, seed)
    return (rows / np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1))[:, None]).astype(np.float32)


def clustered(count, dim, seed, centres=40):
    """Unit vectors around centres, as embeddings are: neighbours exist."""
    middle = unit_vectors(centres, dim, seed + 1)
    rows = middle[np.arange(count) % centres] + np.float32(0.6 / dim**0.5) * gaussian(count, dim, seed)
    return (rows / np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1))[:, None]).astype(np.float32)


def token_matrices(documents, dim, seed, longest=20):
    """A list of [tokens, dim] matrices of different lengths, unit tokens."""
    lengths = (random_bits(seed, 98, documents) % np.uint64(longest)).astype(np.int64) + 1
    tokens = clustered(int(lengths.sum()), dim, seed)
    return np.split(tokens, np.cumsum(lengths)[:-1])
