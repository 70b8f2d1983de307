"""What a lexical search hands out, and how the best rows are taken from scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.metadata import FacetCount
from hinny.lexical.syntax import ParsedQuery


class LexicalHit(NamedTuple):
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
    scores: NDArray[np.float64], good: NDArray[np.bool_] | None, limit: int, ids: Sequence[str]
) -> list[tuple[int, float]]:
    """The `limit` best rows with their scores among the `good` ones (None: scores above 0), best first.

    Equal scores are in the order of their document ids.
    """
    if good is None and 0 < limit < scores.size:
        # The limit-th best of a sample cannot be better than that of all.
        sample = scores[::4]
        edge = np.partition(sample, sample.size - limit)[sample.size - limit] if limit < sample.size else 0.0
        rows = np.flatnonzero(scores >= edge) if edge > 0 else np.flatnonzero(scores)
    else:
        rows = np.flatnonzero(scores if good is None else good)
    found = scores[rows]
    limit = min(limit, rows.size)
    if 0 < limit < rows.size:
        edge = np.partition(found, rows.size - limit)[rows.size - limit]
        keep = found >= edge
        rows, found = rows[keep], found[keep]
    order = np.argsort(-found, kind="stable")
    pairs: list[tuple[int, float]] = list(zip(rows[order].tolist(), found[order].tolist(), strict=True))
    if len({score for _, score in pairs}) < len(pairs):
        pairs.sort(key=lambda pair: (-pair[1], ids[pair[0]]))
    return pairs[:limit]
