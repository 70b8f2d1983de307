"""The neural stage: a bounded prefix of the current order is joined with a reranker's order of it.

`replace` takes the reranker's order. `rrf` fuses the two, once each: 1 / (k + current rank) +
weight / (k + neural rank); ties keep the current order. The tail behind the prefix follows untouched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from hinny.records import Candidate


class Reranked(NamedTuple):
    """The new order, the prefix's scores, and what each ranking added to them (empty for `replace`)."""

    order: list[str]
    scores: dict[str, float]
    contributions: dict[str, dict[str, float]]


def join_neural(
    order: Sequence[str],
    neural: Sequence[Candidate],
    *,
    method: Literal["rrf", "replace"],
    k: float,
    weight: float,
) -> Reranked:
    """`neural` is a permutation of the first `len(neural)` ids of `order`, best first."""
    tail = list(order[len(neural) :])
    if method == "replace":
        return Reranked([row.id for row in neural] + tail, {row.id: row.score for row in neural}, {})
    prefix = order[: len(neural)]
    contributions = {id: {"current": 1.0 / (k + rank)} for rank, id in enumerate(prefix, 1)}
    for rank, row in enumerate(neural, 1):
        contributions[row.id]["neural"] = weight / (k + rank)
    scores = {id: parts["current"] + parts["neural"] for id, parts in contributions.items()}
    head = sorted(prefix, key=scores.__getitem__, reverse=True)
    return Reranked(head + tail, scores, contributions)
