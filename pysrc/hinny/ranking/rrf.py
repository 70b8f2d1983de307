"""Reciprocal rank fusion: the sum over lists of weight / (k + rank), ranks from 1.

Source: G. V. Cormack, C. L. A. Clarke, S. Buettcher, "Reciprocal rank fusion outperforms Condorcet and
individual rank learning methods", SIGIR 2009, where k = 60. A list that lacks an id adds nothing for it.
"""

from __future__ import annotations

from collections.abc import Sequence

DEFAULT_K = 60.0


def rrf_terms(ids: Sequence[str], *, k: float = DEFAULT_K, weight: float = 1.0) -> dict[str, float]:
    """What one ranked list of unique ids adds to each id's fused score."""
    return {id: weight / (k + rank) for rank, id in enumerate(ids, 1)}
