"""What a ranking is worth, per question: nDCG@10, MRR@10, R@1, R@5, R@100.

nDCG as trec_eval counts it (Järvelin and Kekäläinen 2002, with the gain itself and log2(rank + 1)): the
ideal order is over all judged documents, found or not. Recall is the share of the relevant documents
(gain above 0) among the first k. The reciprocal rank is 0 past rank 10.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

METRICS = ("ndcg10", "mrr10", "r1", "r5", "r100")
DEPTH = 100


def ndcg(ranked: Sequence[str], gains: Mapping[str, int], depth: int = 10) -> float:
    """Normalised discounted cumulative gain of the first `depth`; 0 where nothing is relevant."""
    best = sorted((gain for gain in gains.values() if gain > 0), reverse=True)[:depth]
    if not best:
        return 0.0
    return _discounted([max(gains.get(id, 0), 0) for id in ranked[:depth]]) / _discounted(best)


def reciprocal_rank(ranked: Sequence[str], gains: Mapping[str, int], depth: int = 10) -> float:
    """1 / rank of the first relevant document among the first `depth`, else 0."""
    for rank, id in enumerate(ranked[:depth], 1):
        if gains.get(id, 0) > 0:
            return 1 / rank
    return 0.0


def recall(ranked: Sequence[str], gains: Mapping[str, int], depth: int) -> float:
    """Share of the relevant documents among the first `depth`."""
    relevant = {id for id, gain in gains.items() if gain > 0}
    return len(relevant.intersection(ranked[:depth])) / len(relevant) if relevant else 0.0


def measure(ranked: Sequence[str], gains: Mapping[str, int]) -> tuple[float, ...]:
    """All `METRICS` of one question, in their order."""
    return (
        ndcg(ranked, gains),
        reciprocal_rank(ranked, gains),
        *(recall(ranked, gains, depth) for depth in (1, 5, 100)),
    )


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
