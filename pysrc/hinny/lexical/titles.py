"""Which documents' titles are the query.

A title is the query when its most specific title field that is not empty (its last line, where it holds a
heading path) has all the query's words as written and no others. Function words of the query may be left
out, so that adding one to a query changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.found import Found
from hinny.lexical.resident import Resident
from hinny.lexical.scorer import Scorer
from hinny.lexical.words import QueryWord


def exact_titles(
    resident: Resident,
    scorer: Scorer,
    words: Sequence[QueryWord],
    founds: Sequence[Found],
    rows: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Those of `rows` (ascending) whose title is made of `words`."""
    columns = [resident.stored.index(name) for name in resident.titles]
    count = len(words)
    exact = np.zeros(rows.size, np.bool_)
    empty_below = np.ones(rows.size, np.bool_)
    holding: NDArray[np.bool_] | None = None
    for column in reversed(columns):
        fits = empty_below & (resident.own_lengths[column][rows] == count)
        if fits.any():
            if holding is None:
                holding = _holding(scorer, founds, rows)
            exact |= fits & holding[:, column]
        empty_below &= resident.lengths[column][rows] == 0
    return rows[exact]


def _holding(scorer: Scorer, founds: Sequence[Found], rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """[R, F]: the rows and fields that have every word as written."""
    holding = np.ones((rows.size, scorer.weights.stem.size), np.bool_)
    for found in founds:
        has = np.zeros_like(holding)
        gathered = scorer.gather([piece for piece in found.written if piece[1] < piece[2]])
        at = np.searchsorted(rows, gathered.documents)
        at[at == rows.size] = 0
        here = rows[at] == gathered.documents
        np.logical_or.at(has, at[here], gathered.frequencies[here] > 0)
        holding &= has
    return holding
