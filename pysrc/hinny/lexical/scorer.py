"""One query word to the documents that have it and what it adds to each.

There are two ways, with the same result but for rounding. With the index's own weights, where all fields
share one saturation, a word starts from what its slices worked out on arrival: one number a posting.
Everything else (other fields or weights, several languages) adds up frequencies field by field:

    score = max over kinds of match of  weight * idf * (delta + saturated frequency)

The idf of an expansion is that of all its words together, and at most that of the word itself where the index
has it: a rare word that merely begins alike must not count more than the word that was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.bm25f import Weights, idf
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.found import EXACT, STEM, Found
from hinny.lexical.impact_scorer import ImpactScorer
from hinny.lexical.matches import Matches, Rows
from hinny.lexical.places import Piece, Places
from hinny.lexical.postings import ranges
from hinny.lexical.store import Store
from hinny.lexical.words import QueryWord


class Gathered:
    """The postings of some entries: documents intp [P], frequencies int64 [P, F], entry number int64 [P]."""

    __slots__ = ("documents", "entries", "frequencies")

    def __init__(self, documents: Rows, frequencies: NDArray[np.int64], entries: NDArray[np.int64]) -> None:
        self.documents = documents
        self.frequencies = frequencies
        self.entries = entries


class Scorer:
    """Scores words with one set of weights."""

    def __init__(
        self, store: Store, places: Places, idfs: NDArray[np.float64], weights: Weights, *, own: bool
    ) -> None:
        self._store = store
        self._dictionary: Dictionary = store.resident.dictionary
        self._places = places
        self.weights = weights
        self.own = own
        """True with the index's own weights, for which slices have their sums ready."""
        self._ready = own and weights.scoring.combine != "sum"
        self._impacts = ImpactScorer(store, places, idfs, weights)
        self._documents = store.resident.documents

    def matches(self, word: QueryWord, found: Found, *, kinds: bool = False) -> Matches:
        """The documents of `word`, which its slices must be loaded for."""
        if not self.own:
            return self._summed(word, found, kinds=kinds)
        made: Matches | None = found.arrays
        if made is None or (kinds and made.kinds is None):
            if kinds or not self._is_ready(found):
                made = self._summed(word, found, kinds=kinds)
            else:
                (made,) = self._impacts.matches([word], [found])
            found.arrays = made
        return made

    def matches_all(self, words: Sequence[QueryWord], founds: Sequence[Found]) -> list[Matches | None]:
        """`matches` of several words, scored together where that is quicker; None where there are none."""
        if self.own:
            wanted = [
                (word, found)
                for word, found in zip(words, founds, strict=True)
                if found.arrays is None and found.matches and self._is_ready(found)
            ]
            if len(wanted) > 1:
                made = self._impacts.matches([word for word, _ in wanted], [found for _, found in wanted])
                for (_, found), matches in zip(wanted, made, strict=True):
                    found.arrays = matches
        return [
            self.matches(word, found) if found.matches else None
            for word, found in zip(words, founds, strict=True)
        ]

    def gather(self, pieces: Sequence[Piece]) -> Gathered:
        """The postings of entries, piece after piece."""
        documents: list[Rows] = [np.zeros(0, np.intp)]
        frequencies: list[NDArray[np.int64]] = [np.zeros((0, self.weights.stem.size), np.int64)]
        for number, start, stop in self._places.spans(pieces):
            slice = self._store.slices[number]
            assert slice is not None, "a slice is used before it is loaded"
            documents.append(slice.documents[start:stop])
            frequencies.append(slice.table[slice.codes[start:stop]])
        entries = ranges(*np.array(pieces, np.int64).reshape(-1, 3).T[1:])
        owners = np.repeat(entries, self._dictionary.df[entries].astype(np.intp))
        return Gathered(np.concatenate(documents), np.concatenate(frequencies), owners)

    def holding(self, pieces: Sequence[Piece]) -> int:
        """How many documents have any of these entries in a field that is searched."""
        _, tf = self._by_document(self.gather(pieces))
        return int(np.count_nonzero(self.weights.saturated(tf) > 0))

    def _is_ready(self, found: Found) -> bool:
        """True for at most one whole stem group, with weights for which slices have sums."""
        if not self._ready or len(found.stems) > 1:
            return False
        starts = self._dictionary.starts
        return all(
            (low, high) == (int(starts[group]), int(starts[group + 1])) for group, low, high in found.stems
        )

    def share(self, entry: int, exact: str) -> float:
        """How much of the gain for the word as written an entry earns: less when its folded form fits."""
        return self._impacts.share(entry, exact)

    def _summed(self, word: QueryWord, found: Found, *, kinds: bool) -> Matches:
        scores = np.zeros(self._documents)
        kind = np.full(self._documents, 255, np.uint8)
        titled = np.zeros(self._documents, np.bool_)
        ceiling = found.idf if found.known else np.inf
        if found.stems:
            self._add_base(word, found, scores, kind, titled)
        for expansion in found.expansions:
            gathered = self.gather(expansion.pieces)
            rows, tf = self._by_document(gathered)
            value = self.weights.saturated(tf)
            keep = value > 0
            rows, value = rows[keep], value[keep]
            mine = min(idf(self._documents, rows.size), ceiling)
            value = expansion.weight * mine * (self.weights.scoring.delta + value)
            better = value > scores[rows]
            kind[rows[better]] = expansion.kind
            scores[rows[better]] = value[better]
            self._mark_titles(gathered, titled)
        rows = np.flatnonzero(scores)
        titles = np.flatnonzero(titled & (scores > 0))
        return Matches(rows, scores[rows], titles, kind[rows])

    def _add_base(
        self,
        word: QueryWord,
        found: Found,
        scores: NDArray[np.float64],
        kind: NDArray[np.uint8],
        titled: NDArray[np.bool_],
    ) -> None:
        scoring = self.weights.scoring
        gathered = self.gather(found.stems)
        rows, stem = self._by_document(gathered)
        base = self.weights.saturated(stem)
        value = base.copy()
        exact_rows: list[Rows] = []
        for _, low, high in found.written:
            for entry in range(low, high):
                at = gathered.entries == entry
                here = np.searchsorted(rows, gathered.documents[at])
                one = self.weights.normalised(gathered.documents[at], gathered.frequencies[at])
                gain = self.weights.saturated(stem[here], one) - base[here]
                value[here] += self.share(entry, word.exact) * gain
                exact_rows.append(rows[here[one @ (self.weights.stem + self.weights.word) > 0]])
        keep = value > 0
        scores[rows[keep]] = found.idf * (scoring.delta + value[keep])
        kind[rows[keep]] = STEM
        for exact in exact_rows:
            kind[exact] = EXACT
        self._mark_titles(gathered, titled)

    def _by_document(self, gathered: Gathered) -> tuple[Rows, NDArray[np.float64]]:
        """Distinct documents, ascending, and their normalised frequencies [R, F] over all entries."""
        tf = self.weights.normalised(gathered.documents, gathered.frequencies)
        rows, inverse = np.unique(gathered.documents, return_inverse=True)
        inverse = inverse.reshape(-1).astype(np.intp)
        summed = np.zeros((rows.size, tf.shape[1]))
        for column in range(tf.shape[1]):
            summed[:, column] = np.bincount(inverse, tf[:, column], rows.size)
        return rows.astype(np.intp), summed

    def _mark_titles(self, gathered: Gathered, titled: NDArray[np.bool_]) -> None:
        columns = self._store.titles
        if columns.size:
            titled[gathered.documents[gathered.frequencies[:, columns].any(axis=1)]] = True
