"""Words of at most one stem group scored together, from what their slices worked out on arrival.

A score starts from one number a posting (`impacts.py`), so words need not be taken one by one: what stands
for all of them is read slice by slice, added up in one pass over (expansion, document), and saturated once.
The sums of a document are in the order of its postings, so that a word has the same score to the bit whatever
words it comes with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.bm25f import Weights, idf, saturate
from hinny.lexical.found import Expansion, Found
from hinny.lexical.matches import Matches, Rows
from hinny.lexical.places import Places
from hinny.lexical.store import Store
from hinny.lexical.words import QueryWord

_CELLS = 1 << 20
"""Sums (words x documents) held at once."""


class ImpactScorer:
    """Scores words with the index's own weights, where all fields share one saturation."""

    def __init__(self, store: Store, places: Places, idfs: NDArray[np.float64], weights: Weights) -> None:
        self._store = store
        self._dictionary = store.resident.dictionary
        self._layout = store.resident.layout
        self._documents = store.resident.documents
        self._places = places
        self._idfs = idfs
        self._scoring = weights.scoring

    def matches(self, words: Sequence[QueryWord], founds: Sequence[Found]) -> list[Matches]:
        """The documents of each word. Each has one stem group at most, whole; its slices must be loaded."""
        made = self._groups(words, founds)
        wide = [number for number, found in enumerate(founds) if found.expansions]
        step = max(1, _CELLS // max(1, self._documents))
        for low in range(0, len(wide), step):
            some = wide[low : low + step]
            widened = self._widened([founds[number] for number in some], [made[number] for number in some])
            for number, matches in zip(some, widened, strict=True):
                made[number] = matches
        return made

    def share(self, entry: int, exact: str) -> float:
        """How much of the gain for the word as written an entry earns: less when its folded form fits."""
        written = self._dictionary.exact.get(entry, self._dictionary.words[entry])
        return 1.0 if written == exact else self._scoring.folded

    def _groups(self, words: Sequence[QueryWord], founds: Sequence[Found]) -> list[Matches]:
        """Each word's stem group and nothing else; no documents without one."""
        none = np.zeros(0, np.intp)
        rows, titles = [none] * len(words), [none] * len(words)
        totals: list[NDArray[np.float64]] = []
        at: list[NDArray[np.integer]] = []
        written: list[NDArray[np.float64]] = []
        shares: list[float] = []
        factors: list[float] = []
        ends = [0] * (len(words) + 1)
        end, several = 0, False
        for number, (word, found) in enumerate(zip(words, founds, strict=True)):
            if found.stems:
                group, base, last = found.stems[0]
                _, low, high = found.written[0]
                rank = int(self._layout.rank[group])
                slice = self._store.slices[self._layout.slice_of(group)]
                assert slice is not None, "a slice is used before it is loaded"
                here = slice.group(rank)
                for entry in range(low, high):
                    inside = slice.entries(rank, entry - base, entry + 1 - base)
                    # Where the entry is the whole group, its postings are the group's documents.
                    alone = last - base == 1
                    place = (
                        np.arange(inside.stop - inside.start) if alone else slice.place[inside] - here.start
                    )
                    at.append(place + end)
                    written.append(slice.written[inside])
                    shares.append(self.share(entry, word.exact))
                several |= high - low > 1
                rows[number], titles[number] = slice.group_documents[here], slice.titles(rank)
                totals.append(slice.totals[here])
                factors.append(self._idfs[group])
                end += here.stop - here.start
            ends[number + 1] = end
        scores = self._grown(totals, at, written, shares, factors, several=several)
        return [
            Matches(documents, scores[low:high], titled)
            for documents, titled, low, high in zip(rows, titles, ends, ends[1:], strict=False)
        ]

    def _grown(
        self,
        totals: list[NDArray[np.float64]],
        at: list[NDArray[np.integer]],
        written: list[NDArray[np.float64]],
        shares: list[float],
        factors: list[float],
        *,
        several: bool,
    ) -> NDArray[np.float64]:
        """Scores of groups' documents, group after group; `at` are the places among them that gain."""
        if not totals:
            return np.zeros(0)
        k1 = self._scoring.k1
        total = np.concatenate(totals)
        score = saturate(total, k1)
        if at:
            places = np.concatenate(at)
            gain = saturate(total[places] + np.concatenate(written), k1)
            gain -= score[places]
            if min(shares) != 1.0:
                gain *= np.array(shares).repeat([each.size for each in at])
            if several:  # a document may have two spellings of a word
                np.add.at(score, places, gain)
            else:
                score[places] += gain
        if self._scoring.delta:
            score += self._scoring.delta
        score *= np.array(factors).repeat([each.size for each in totals])
        return score

    def _widened(self, founds: Sequence[Found], bases: Sequence[Matches]) -> list[Matches]:
        """The words' groups, and whatever else stands for the words."""
        n, count = self._documents, len(founds)
        most = max(len(found.expansions) for found in founds)
        # First all words' first expansion, then their second.
        turns = [
            [w for w, found in enumerate(founds) if len(found.expansions) > turn] for turn in range(most)
        ]
        owners = [word for turn in turns for word in turn]
        expansions = [founds[word].expansions[turn] for turn, words in enumerate(turns) for word in words]
        cells, values, title_cells = self._postings(expansions)
        total: Any = np.bincount(cells, values, len(expansions) * n)
        places = (total > 0).nonzero()[0]
        edges = places.searchsorted(np.arange(len(expansions) + 1) * n)
        sizes = edges[1:] - edges[:-1]
        value = saturate(total[places], self._scoring.k1)
        if self._scoring.delta:
            value += self._scoring.delta
        factors = [
            expansion.weight * min(idf(n, size), founds[word].idf if founds[word].stems else np.inf)
            for expansion, word, size in zip(expansions, owners, sizes.tolist(), strict=True)
        ]
        value *= np.array(factors).repeat(sizes)
        places += np.array([(word - turn) * n for turn, word in enumerate(owners)]).repeat(sizes)
        titled = np.zeros((len(expansions), n), np.bool_)
        titled.reshape(-1)[title_cells] = True
        scores, titles = np.zeros((count, n)), np.zeros((count, n), np.bool_)
        for word, base in enumerate(bases):
            scores[word, base.rows] = base.scores
            titles[word, base.titles] = True
        flat, first = scores.reshape(-1), 0
        for words in turns:
            last = first + len(words)
            here, there = places[edges[first] : edges[last]], value[edges[first] : edges[last]]
            flat[here] = np.maximum(flat[here], there)
            titles[words] |= titled[first:last]
            first = last
        matched = scores > 0
        titles &= matched
        return _split(matched, scores, titles)

    def _postings(self, expansions: Sequence[Expansion]) -> tuple[Rows, NDArray[np.float64], Rows]:
        """The postings of expansions: cell [P] (number of the expansion * N + document), value [P].

        And the cells of those in a title field. Slice by slice; inside, expansion after expansion.
        """
        tables = [expansion.table for expansion in expansions]
        owner = (np.arange(len(tables)) * self._documents).repeat([len(table) for table in tables])
        slices, starts, stops = self._places.table()
        _, lows, highs = np.concatenate(tables).T
        numbers = slices[lows]
        order = numbers.argsort(kind="stable")
        numbers, lows, highs = numbers[order], starts[lows[order]], stops[highs[order] - 1]
        sizes = (highs - lows).astype(np.intp)
        ends = sizes.cumsum()
        inside = np.arange(int(ends[-1])) + (lows - (ends - sizes)).astype(np.intp).repeat(sizes)
        edges = (numbers[1:] != numbers[:-1]).nonzero()[0]
        cuts = [0, *ends[edges].tolist(), int(ends[-1])]
        documents, values, titled = [], [], []
        for number, low, high in zip(
            numbers[[0, *(edges + 1).tolist()]].tolist(), cuts, cuts[1:], strict=False
        ):
            slice = self._store.slices[number]
            assert slice is not None, "a slice is used before it is loaded"
            here = inside[low:high]
            documents.append(slice.documents[here])
            values.append(slice.values[here])
            titled.append(slice.titled[here])
        cells = np.concatenate(documents)
        cells += owner[order].repeat(sizes)
        return cells, np.concatenate(values), cells[np.concatenate(titled)]


def _split(
    matched: NDArray[np.bool_], scores: NDArray[np.float64], titles: NDArray[np.bool_]
) -> list[Matches]:
    """Each word's matches from arrays [W, N]."""
    rows, edges, cells = _rows(matched)
    title_rows, title_edges, _ = _rows(titles)
    found = scores.reshape(-1)[cells]
    return [
        Matches(rows[low:high], found[low:high], title_rows[first:last])
        for low, high, first, last in zip(edges, edges[1:], title_edges, title_edges[1:], strict=False)
    ]


def _rows(matched: NDArray[np.bool_]) -> tuple[Rows, list[int], Rows]:
    """Columns of what is True [W, N], row after row; where rows begin and the last ends; places in all."""
    cells = matched.reshape(-1).nonzero()[0]
    firsts = np.arange(matched.shape[0] + 1) * matched.shape[1]
    edges = cells.searchsorted(firsts)
    return cells - firsts[:-1].repeat(edges[1:] - edges[:-1]), edges.tolist(), cells
