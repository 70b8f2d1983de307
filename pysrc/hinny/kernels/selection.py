"""The best rows of a score array, eligibility applied first, ties left to whoever knows the ids."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def top_rows(
    scores: NDArray[np.float32], limit: int, eligible: NDArray[np.bool_] | None = None
) -> NDArray[np.int32]:
    """Rows of the `limit` highest scores, and all rows that tie with the last of them.

    int32, in row order; only rows where `eligible` (bool [n]) is true. The caller sorts by score
    and id and cuts: a tie at the edge is so decided by id, not by where a row happens to lie.
    """
    if limit <= 0 or not len(scores):
        return np.empty(0, dtype=np.int32)
    rows = None if eligible is None else np.flatnonzero(eligible)
    pool = scores if rows is None else scores[rows]
    if len(pool) > limit:
        edge = np.partition(pool, len(pool) - limit)[len(pool) - limit]
        best = np.flatnonzero(pool >= edge)
    else:
        best = np.arange(len(pool))
    return (best if rows is None else rows[best]).astype(np.int32)
