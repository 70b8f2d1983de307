"""A slice made ready for scoring: what each posting adds to its document, worked out once when it arrives.

A query word adds its stem group's impact to every document of the group, and the entry's gain to the
documents that have the word as written: idf times (saturation with the word's own frequency on top, less
saturation without). A query is then additions only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.bm25f import Weights
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.postings import Layout, decode, entry_order


class Slice:
    """The decoded postings of some whole groups. Offsets are into this slice's own arrays.

    By posting, in the order of (group, entry, document): `documents` intp [P], `codes` and `table` (its
    frequencies by field). By (group, document): `group_documents` intp [Q], and `place` [P], the one that
    each posting belongs to.
    """

    __slots__ = (
        "codes",
        "documents",
        "entry_offsets",
        "first_entry",
        "first_group",
        "gains",
        "group_documents",
        "group_offsets",
        "groups",
        "impacts",
        "place",
        "table",
        "title_documents",
        "title_offsets",
    )

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        dictionary: Dictionary,
        layout: Layout,
        number: int,
        documents: int,
        titles: NDArray[np.int64],
    ) -> None:
        self.first_group = int(layout.bounds[number])
        self.groups = layout.order[self.first_group : int(layout.bounds[number + 1])]
        entries = entry_order(dictionary, self.groups)
        df = dictionary.df[entries]
        rows, self.codes, self.table = decode(arrays, df, documents)
        self.documents = rows.astype(np.intp)
        self.entry_offsets = _offsets(df)
        sizes = dictionary.starts[self.groups + 1] - dictionary.starts[self.groups]
        self.first_entry = _offsets(sizes)
        self.group_offsets = _offsets(dictionary.group_df[self.groups])
        owner = np.repeat(
            np.repeat(np.arange(sizes.size, dtype=np.int64), sizes.astype(np.intp)), df.astype(np.intp)
        )
        if (sizes == 1).all():
            self.place = np.arange(rows.size, dtype=np.int32)
            self.group_documents = self.documents
        else:
            # Each entry's rows ascend, and a stable sort (timsort) is quick where much is in order.
            pairs = owner * max(documents, 1) + rows
            order = np.argsort(pairs, kind="stable")
            pairs = pairs[order]
            new = np.ones(pairs.size, np.bool_)
            np.not_equal(pairs[1:], pairs[:-1], out=new[1:])
            self.place = np.empty(pairs.size, np.int32)
            self.place[order] = np.cumsum(new, dtype=np.int32) - 1
            self.group_documents = rows[order[new]].astype(np.intp)
        has_title: NDArray[np.bool_] = self.table[:, titles].sum(axis=1) > 0
        marked = np.zeros(self.group_documents.size, np.bool_)
        marked[self.place[has_title[self.codes]]] = True
        self.title_documents = self.group_documents[marked]
        self.title_offsets = _offsets(marked)[self.group_offsets]
        self.impacts: NDArray[np.float64] = np.zeros(0)
        self.gains: NDArray[np.float64] = np.zeros(0)

    def weigh(self, weights: Weights, idfs: NDArray[np.float64]) -> None:
        """Work out `impacts` float64 [Q] and `gains` float64 [P]; `idfs` float64 [groups of the slice]."""
        word = weights.normalised(self.documents, self.table[self.codes])
        if self.group_documents is self.documents:
            stem = word
        else:
            stem = np.zeros((self.group_documents.size, word.shape[1]))
            for column in range(word.shape[1]):
                stem[:, column] = np.bincount(self.place, word[:, column], stem.shape[0])
        base = weights.saturated(stem)
        idf = np.repeat(idfs, np.diff(self.group_offsets).astype(np.intp))
        self.impacts = idf * (weights.scoring.delta + base)
        more = weights.saturated(stem[self.place], word) - base[self.place]
        self.gains = idf[self.place] * more

    def group(self, rank: int) -> slice:
        """Where the group at place `rank` of the layout lies in the arrays by (group, document)."""
        at = rank - self.first_group
        return slice(int(self.group_offsets[at]), int(self.group_offsets[at + 1]))

    def entries(self, rank: int, low: int, high: int) -> slice:
        """Where entries `low` to `high` (counted from 0 inside their group) lie in the arrays by posting."""
        base = int(self.first_entry[rank - self.first_group])
        return slice(int(self.entry_offsets[base + low]), int(self.entry_offsets[base + high]))

    def titles(self, rank: int) -> NDArray[np.intp]:
        """The documents that have the group in a title field."""
        at = rank - self.first_group
        return self.title_documents[int(self.title_offsets[at]) : int(self.title_offsets[at + 1])]


def _offsets(sizes: NDArray[Any]) -> NDArray[np.int64]:
    offsets = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets
