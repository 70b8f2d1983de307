"""What a lexical search hands out, and how the best rows are taken from scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.metadata import FacetCount
from hinny.lexical.syntax import ParsedQuery


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """One document that matches."""

    id: str
    row: int
    score: float
    tier: str | None = None
    """With ranking `exact-first`: literal, exact, stem, synonym, prefix, typo or partial."""


@dataclass(frozen=True, slots=True)
class LexicalResult:
    """Hits, best first, and what the search has to say about the query."""

    hits: tuple[LexicalHit, ...]
    total: int
    """How many documents match in all."""
    query: ParsedQuery
    problems: tuple[str, ...] = ()
    """What could not be read as meant, in words for the reader."""
    did_you_mean: str | None = None
    also_searched: tuple[str, ...] = ()
    """Words that were searched beside the reader's: completions and corrections."""
    facets: Mapping[str, Sequence[FacetCount]] = field(default_factory=dict)


def top_rows(
    scores: NDArray[np.float64], good: NDArray[np.bool_], limit: int, ids: Sequence[str]
) -> list[int]:
    """Rows of the `limit` highest scores among the `good` ones, best first; equal scores by document id."""
    rows = np.flatnonzero(good)
    limit = min(limit, rows.size)
    if limit <= 0:
        return []
    found = scores[rows]
    if limit < rows.size:
        edge = np.partition(found, rows.size - limit)[rows.size - limit]
        keep = found >= edge
        rows, found = rows[keep], found[keep]
    order = np.argsort(-found, kind="stable")
    rows, found = rows[order], found[order]
    result: list[int] = rows.tolist()
    if (found[1:] == found[:-1]).any():
        values = dict(zip(result, found.tolist(), strict=True))
        result.sort(key=lambda row: (-values[row], ids[row]))
    return result[:limit]
