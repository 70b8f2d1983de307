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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.bm25f import Weights, idf, saturate
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.lookup import EXACT, STEM, Found
from hinny.lexical.places import Piece, Places
from hinny.lexical.postings import Layout, ranges
from hinny.lexical.store import Store
from hinny.lexical.words import QueryWord

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
        self._layout: Layout = store.resident.layout
        self._idfs = idfs
        self._places = places
        self.weights = weights
        self.own = own
        """True with the index's own weights, for which slices have their sums ready."""
        self._ready = own and weights.scoring.combine != "sum"
        self._documents = store.resident.documents

    def matches(self, word: QueryWord, found: Found, *, kinds: bool = False) -> Matches:
        """The documents of `word`, which its slices must be loaded for."""
        if not self.own:
            return self._summed(word, found, kinds=kinds)
        made: Matches | None = found.arrays
        if made is None or (kinds and made.kinds is None):
            quick = self._ready and not kinds and all(map(self._is_group, found.stems[:2]))
            if not quick or len(found.stems) > 1:
                made = self._summed(word, found, kinds=kinds)
            elif found.expansions:
                made = self._widened(word, found)
            else:
                made = self._group(word, found)
            found.arrays = made
        return made

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

    def _is_group(self, piece: Piece) -> bool:
        starts = self._dictionary.starts
        return piece[1:] == (int(starts[piece[0]]), int(starts[piece[0] + 1]))

    def _group(self, word: QueryWord, found: Found) -> Matches:
        """A word that is one stem group and nothing else."""
        group, base, last = found.stems[0]
        _, low, high = found.written[0]
        rank = int(self._layout.rank[group])
        slice = self._store.slices[self._layout.slice_of(group)]
        assert slice is not None, "a slice is used before it is loaded"
        scoring, here = self.weights.scoring, slice.group(rank)
        totals = slice.totals[here]
        score = saturate(totals, scoring.k1)
        for entry in range(low, high):
            inside = slice.entries(rank, entry - base, entry + 1 - base)
            # Where the entry is the whole group, its postings are the group's documents.
            at = ... if last - base == 1 else slice.place[inside] - here.start
            gain = saturate(totals[at] + slice.written[inside], scoring.k1)
            gain -= score[at] if high - low == 1 else saturate(totals[at], scoring.k1)
            share = self.share(entry, word.exact)
            score[at] += gain if share == 1.0 else gain * share
        if scoring.delta:
            score += scoring.delta
        score *= self._idfs[group]
        return Matches(slice.group_documents[here], score, slice.titles(rank))

    def _widened(self, word: QueryWord, found: Found) -> Matches:
        """A word of one stem group at most, and what else stands for it."""
        scores = np.zeros(self._documents)
        titles: list[Rows] = [np.zeros(0, np.intp)]
        ceiling = np.inf
        if found.stems:
            ceiling = found.idf
            base = self._group(word, found)
            scores[base.rows] = base.scores
            titles.append(base.titles)
        scoring = self.weights.scoring
        for expansion in found.expansions:
            parts = []
            for number, here in self._places.postings(expansion.pieces):
                slice = self._store.slices[number]
                assert slice is not None, "a slice is used before it is loaded"
                parts.append((slice.documents[here], slice.values[here], slice.titled[here]))
            documents, values, titled = map(np.concatenate, zip(*parts, strict=True))
            titles.append(documents[titled])
            total: Any = np.bincount(documents, values, self._documents)
            rows = (total > 0).nonzero()[0]
            mine = min(idf(self._documents, rows.size), ceiling)
            value = saturate(total[rows], scoring.k1)
            if scoring.delta:
                value += scoring.delta
            value *= expansion.weight * mine
            scores[rows] = np.maximum(scores[rows], value)
        matched = scores > 0
        titled = np.zeros(self._documents, np.bool_)
        titled[np.concatenate(titles)] = True
        titled &= matched
        rows = matched.nonzero()[0]
        return Matches(rows, scores[rows], titled.nonzero()[0])

    def share(self, entry: int, exact: str) -> float:
        """How much of the gain for the word as written an entry earns: less when its folded form fits."""
        written = self._dictionary.exact.get(entry, self._dictionary.words[entry])
        return 1.0 if written == exact else self.weights.scoring.folded

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
