"""Trim a ranked list from below: a least score, and a cut at the largest relative drop.

The relative drop after rank i is (s[i] - s[i+1]) / s[i]; it is defined where s[i] is positive, and the
first of equal drops counts. A list without a drop is left whole.
"""

from __future__ import annotations

from collections.abc import Sequence


def above_min_score(scores: Sequence[float], min_score: float) -> list[int]:
    """The positions whose score is at least `min_score`."""
    return [position for position, score in enumerate(scores) if score >= min_score]


def dropoff_cut(scores: Sequence[float], *, least: float = 0.0) -> int:
    """How many to keep: up to the largest relative drop, if it is at least `least`; else all."""
    largest, cut = 0.0, len(scores)
    for rank in range(1, len(scores)):
        before, after = scores[rank - 1], scores[rank]
        if before <= 0 or after >= before:
            continue
        drop = 1.0 - after / before
        if drop > largest:
            largest, cut = drop, rank
    return cut if largest >= least else len(scores)
