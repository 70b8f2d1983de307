"""Token pooling: fewer tokens a document, by merging those that point the same way.

Clavié, Chaffin and Adams, "Reducing the Footprint of Multi-Vector Retrieval with Minimal Performance
Impact via Token Pooling", arXiv 2409.14683: hierarchical clustering of a document's tokens and the
mean of each cluster in their place. Here: average linkage on cosine similarity, computed by merging the
most alike pair again and again (Lance-Williams update), deterministic, ties to the earlier token.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidOption
from hinny.quant.rows import row_sums


def check_pool(pool: object) -> None:
    """InvalidOption unless the share lies in (0, 1]."""
    if not isinstance(pool, int | float) or not 0 < pool <= 1:
        raise InvalidOption("pool", pool, "a share of the tokens, above 0 and at most 1")


def pooled(tokens: NDArray[np.float32], pool: float) -> NDArray[np.float32]:
    """Unit tokens [t, d] to ceil(pool * t) unit tokens, each the direction of its cluster's mean.

    A cluster stands where its earliest token stood. Clusters whose mean vanishes are never formed: only
    pairs of positive similarity merge, so fewer tokens may go than asked.
    """
    target = math.ceil(pool * len(tokens))
    if target >= len(tokens):
        return tokens
    wide = tokens.astype(np.float64)
    similarity = _similarities(wide)
    np.fill_diagonal(similarity, -np.inf)
    sizes = np.ones(len(tokens), dtype=np.float64)
    for _ in range(len(tokens) - target):
        first, second = divmod(int(np.argmax(similarity)), len(tokens))
        if similarity[first, second] <= 0:
            break
        first, second = min(first, second), max(first, second)
        both = sizes[first] + sizes[second]
        merged = (sizes[first] * similarity[first] + sizes[second] * similarity[second]) / both
        similarity[first], similarity[:, first] = merged, merged
        similarity[first, first] = -np.inf
        similarity[second], similarity[:, second] = -np.inf, -np.inf
        wide[first] += wide[second]
        sizes[first], sizes[second] = both, 0
    kept = wide[sizes > 0]
    norms = np.sqrt(row_sums(kept * kept))
    return (kept / norms[:, None]).astype(np.float32)


def _similarities(tokens: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines of all pairs, summed in a fixed order so that every platform merges the same pairs."""
    out = np.empty((len(tokens), len(tokens)), dtype=np.float64)
    for row in range(len(tokens)):
        out[row] = row_sums(tokens * tokens[row])
    return out
