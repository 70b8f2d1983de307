"""What a lexical search hands out, and how the best rows are taken from scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.metadata import FacetCount
from hinny.lexical.syntax import ParsedQuery

_FOLD = 16
"""The best of each of N / 16 groups of scores give a first bound for the best of all."""


class LexicalHit(NamedTuple):
    """One document that matches."""

    id: str
    row: int
    score: float
    tier: str | None = None
    """With ranking `exact-first`: literal, exact, stem, synonym, prefix, typo, sound or partial."""


class LexicalResult(NamedTuple):
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
    facets: Mapping[str, Sequence[FacetCount]] = MappingProxyType({})


def top_rows(
    scores: NDArray[np.float64], good: NDArray[np.bool_] | None, limit: int, ids: Sequence[str]
) -> tuple[list[int], list[float]]:
    """The `limit` best rows and their scores among the `good` ones (None: scores above 0), best first.

    Equal scores are in the order of their document ids.
    """
    wide = scores.size // _FOLD
    if good is None and 0 < limit <= wide:
        # The limit-th best of as many groups' best cannot be better than that of all.
        best = np.maximum.reduce(scores[: wide * _FOLD].reshape(_FOLD, wide), axis=0)
        best.partition(wide - limit)
        edge = best[wide - limit]
        rows = (scores >= edge if edge > 0 else scores).nonzero()[0]
    else:
        rows = (scores if good is None else good).nonzero()[0]
    found = scores[rows]
    limit = min(limit, rows.size)
    if 0 < 4 * limit < rows.size:
        edge = np.partition(found, rows.size - limit)[rows.size - limit]
        keep = found >= edge
        rows, found = rows[keep], found[keep]
    order = (-found).argsort(kind="stable")
    best_rows, values = rows[order].tolist(), found[order].tolist()
    if len(set(values)) < len(values):
        pairs = sorted(zip(best_rows, values, strict=True), key=lambda pair: (-pair[1], ids[pair[0]]))
        best_rows = [row for row, _ in pairs]
    return best_rows[:limit], values[:limit]


def hits_of(rows: Sequence[int], scores: Sequence[float], ids: Sequence[str]) -> tuple[LexicalHit, ...]:
    """Rows with their scores as hits without a tier."""
    make = tuple.__new__  # half the time of calling LexicalHit
    return tuple(
        [make(LexicalHit, (ids[row], row, score, None)) for row, score in zip(rows, scores, strict=True)]
    )


def by_id_where_equal(rows: NDArray[np.intp], keys: Sequence[NDArray[Any]], ids: Sequence[str]) -> list[int]:
    """Rows in their order, those that all keys hold equal sorted by document id."""
    result: list[int] = rows.tolist()
    if not result:
        return result
    new = np.zeros(rows.size, np.bool_)
    new[0] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    starts = [*np.flatnonzero(new).tolist(), rows.size]
    for low, high in pairwise(starts):
        if high - low > 1:
            result[low:high] = sorted(result[low:high], key=ids.__getitem__)
    return result
