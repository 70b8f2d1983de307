"""What a lexical search hands out, and how the best rows are taken from scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.codec import Strings


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """One document that matches."""

    id: str
    row: int
    score: float
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class LexicalResult:
    """Hits, best first, and what the search has to say about the query."""

    hits: tuple[LexicalHit, ...]
    total: int
    """How many documents match in all."""
    query: Any = None
    problems: tuple[str, ...] = ()
    did_you_mean: str | None = None
    also_searched: tuple[str, ...] = ()
    facets: Mapping[str, Sequence[Any]] = field(default_factory=dict)


def top_rows(scores: NDArray[np.float64], limit: int, ids: Strings) -> list[int]:
    """Rows of the `limit` highest scores above 0, best first; equal scores by document id."""
    positive = int(np.count_nonzero(scores > 0))
    limit = min(limit, positive)
    if limit <= 0:
        return []
    if limit < scores.size:
        edge = np.partition(scores, scores.size - limit)[scores.size - limit]
        rows = np.flatnonzero(scores >= edge)
    else:
        rows = np.flatnonzero(scores > 0)
    rows = rows[np.argsort(-scores[rows], kind="stable")]
    best = scores[rows]
    if (best[1:] == best[:-1]).any():
        order = sorted(rows.tolist(), key=lambda row: (-scores[row], ids[row]))
        return order[:limit]
    return rows[:limit].tolist()
