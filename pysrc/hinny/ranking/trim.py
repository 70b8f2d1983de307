"""Trim a ranked list from below: a least score, and a cut at the largest relative drop.

The relative drop after rank i is (s[i] - s[i+1]) / s[i]; it is defined where s[i] is positive, and the
first of equal drops counts. A list without a drop is left whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def trim(
    order: Sequence[str], scores: Mapping[str, float], min_score: float | None, dropoff: bool | float
) -> list[str]:
    """The ids that stay; `dropoff` is False, True (cut at the largest drop), or the least drop to cut at."""
    kept = list(order) if min_score is None else [id for id in order if scores[id] >= min_score]
    if dropoff is False:
        return kept
    least = 0.0 if dropoff is True else float(dropoff)
    return kept[: dropoff_cut([scores[id] for id in kept], least=least)]


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
