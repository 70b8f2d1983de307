"""The documents of one query word, and what each earns by it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
_DENSE = 4
"""A word in more than one of this many documents is added as a whole column."""
_KEEP_COLUMNS = 20_000


class Matches:
    """The documents of one word: rows ascending."""

    __slots__ = ("_column", "_summands", "kinds", "rows", "scores", "titles")

    def __init__(
        self,
        rows: Rows,
        scores: NDArray[np.float64],
        titles: Rows,
        kinds: NDArray[np.uint8] | None = None,
    ) -> None:
        self.rows = rows
        self.scores = scores
        """Float [R]: idf times saturation, before the word's own weight in the query."""
        self.titles = titles
        """Those of the rows that have the word in a title field."""
        self.kinds = kinds
        """[R]: the best kind of match, where it was asked for."""
        self._column: NDArray[np.float64] | None = None
        self._summands: tuple[Rows, NDArray[np.float64], bool] | None = None

    def summands(self, documents: int, idf: float) -> tuple[Rows, NDArray[np.float64], bool]:
        """What the word adds to an array of 2N numbers: the N scores, then what title fields cover.

        Places intp [S] and values float64 [S]; True when the scores are left out, for a word in so many
        documents that its `column` is added sooner. `idf` is the word's, the same in every call.
        """
        if self._summands is None:
            covered = np.full(self.titles.size, idf)
            if self.rows.size * _DENSE > documents:
                self._summands = self.titles + documents, covered, True
            else:
                places = np.concatenate([self.rows, self.titles + documents])
                self._summands = places, np.concatenate([self.scores, covered]), False
        return self._summands

    def column(self, documents: int) -> NDArray[np.float64]:
        """The scores of all documents: float64 [N]; kept where documents are not too many."""
        if self._column is not None:
            return self._column
        column = np.zeros(documents)
        column[self.rows] = self.scores
        if documents <= _KEEP_COLUMNS:
            self._column = column
        return column
