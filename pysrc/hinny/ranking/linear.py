"""Linear fusion: the weighted sum of min-max normalised scores.

Source: E. A. Fox, J. A. Shaw, "Combination of multiple searches", TREC-2, 1993 (CombSUM), with the
min-max normalisation of J. H. Lee, SIGIR 1997: (score - min) / (max - min), both over the list that
was retrieved. A constant list says nothing about order, so each of its hits counts as 1; a list that
lacks an id counts as 0 for it. The sums depend on the retrieved windows and are no probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf

from hinny.errors import SourceError
from hinny.records import Candidate


def linear_terms(source: str, rows: Sequence[Candidate], *, weight: float) -> dict[str, float]:
    """What one list adds to each id's fused score; `weight` is this list's share of all weights.

    A list whose scores do not descend (one with exact-first tiers, say) is a `SourceError`: its order
    and its scores contradict each other, and min-max would follow the scores in silence.
    """
    if not rows:
        return {}
    scores = [row.score for row in rows]
    for rank in range(1, len(scores)):
        if scores[rank] > scores[rank - 1]:
            raise SourceError(
                source,
                f"linear fusion needs descending scores, but rank {rank + 1} ({scores[rank]!r}) is above "
                f"rank {rank} ({scores[rank - 1]!r}): rank by relevance alone, or fuse by rrf",
            )
    high, low = scores[0], scores[-1]
    if high == low:
        return {row.id: weight for row in rows}
    if isinf(high - low):  # two huge scores of opposite sign: halves cannot overflow
        return {row.id: weight * ((row.score / 2 - low / 2) / (high / 2 - low / 2)) for row in rows}
    span = high - low
    return {row.id: weight * ((row.score - low) / span) for row in rows}
