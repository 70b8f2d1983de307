"""A slice made ready for scoring: what each posting weighs, worked out once when it arrives.

BM25F's sum over the fields of weight * frequency / norm does not depend on the query: a posting has it as one
number, and so has a stem group in each of its documents. What is left for a word of a query are the steps
from that number to its score, over its own postings only.
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
        "group_documents",
        "group_offsets",
        "groups",
        "place",
        "table",
        "title_documents",
        "title_offsets",
        "titled",
        "totals",
        "values",
        "written",
    )

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        dictionary: Dictionary,
        layout: Layout,
        number: int,
        order: NDArray[np.int64],
        width: int,
        titles: NDArray[np.int64],
    ) -> None:
        self.first_group = int(layout.bounds[number])
        self.groups = layout.order[self.first_group : int(layout.bounds[number + 1])]
        entries = entry_order(dictionary, self.groups)
        df = dictionary.df[entries]
        rows, self.codes, self.table = decode(arrays, df, order, width)
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
            pairs = owner * max(order.size, 1) + rows
            sorted_ = np.argsort(pairs, kind="stable")
            pairs = pairs[sorted_]
            new = np.ones(pairs.size, np.bool_)
            np.not_equal(pairs[1:], pairs[:-1], out=new[1:])
            self.place = np.empty(pairs.size, np.int32)
            self.place[sorted_] = np.cumsum(new, dtype=np.int32) - 1
            self.group_documents = rows[sorted_[new]].astype(np.intp)
        has_title: NDArray[np.bool_] = self.table[:, titles].sum(axis=1) > 0
        self.titled: NDArray[np.bool_] = has_title[self.codes]
        """[P]: whether the posting has its word in a title field."""
        marked = np.zeros(self.group_documents.size, np.bool_)
        marked[self.place[self.titled]] = True
        self.title_documents = self.group_documents[marked]
        self.title_offsets = _offsets(marked)[self.group_offsets]
        self.values: NDArray[np.float64] = np.zeros(0)
        self.totals: NDArray[np.float64] = np.zeros(0)
        self.written: NDArray[np.float64] = np.zeros(0)

    def weigh(self, weights: Weights) -> None:
        """Work out float64 `values` and `written` [P] of the postings, `totals` [Q] of groups' documents."""
        self.values, self.written = weights.summed(self.documents, self.table, self.codes)
        if self.group_documents is self.documents:
            self.totals = self.values
        else:
            totals: Any = np.bincount(self.place, self.values, self.group_documents.size)
            self.totals = totals

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
