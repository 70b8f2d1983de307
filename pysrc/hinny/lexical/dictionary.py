"""The words of an index, resident: found by stem, by word, by pieces, all without the network.

An *entry* is one written form of a word: the folded form that the analyzer makes (`resume`) and, where it
differs, the form before folding (`résumé`). Entries are sorted by (analyzer, stem, folded form, exact
form), so that a stem's forms are neighbours: a *group*. A stem that a query brings is found by bisection
over the groups; no table of stems is kept, because a stem is nearly always the beginning of its group's
first word, so a length is enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError
from hinny.lexical.codec import common_prefix
from hinny.lexical.sets import BlockReader, BlockWriter
from hinny.lexical.texts import TextReader, TextWriter

_STEPS = 8


class Dictionary:
    """Entries, groups and their document frequencies.

    `words` are the folded forms [E]; `exact` holds the unfolded form of those entries that have one;
    `parts` [A + 1] cuts the entries by analyzer and `group_parts` [A + 1] the groups; `starts` [G + 1] cuts
    the entries by group; `df` int64 [E] and `group_df` int64 [G] count documents.
    """

    __slots__ = (
        "_firsts",
        "_stem_tails",
        "_stems",
        "df",
        "exact",
        "group_df",
        "group_parts",
        "groups",
        "parts",
        "starts",
        "words",
    )

    def __init__(
        self,
        words: list[str],
        exact: dict[int, str],
        parts: NDArray[np.int64],
        starts: NDArray[np.int64],
        df: NDArray[np.int64],
        group_df: NDArray[np.int64],
        stems: Sequence[int],
        stem_tails: dict[int, str],
    ) -> None:
        self.words = words
        self.exact = exact
        self.parts = parts
        self.starts = starts
        self.df = df
        self.group_df = group_df
        self.groups = int(starts.size) - 1
        self.group_parts = np.searchsorted(starts, parts).astype(np.int64)
        self._firsts: list[int] = starts[:-1].tolist()
        self._stems = stems
        self._stem_tails = stem_tails

    @classmethod
    def make(
        cls,
        keys: Sequence[tuple[int, str, str, str]],
        df: NDArray[np.int64],
        group_df: NDArray[np.int64],
        analyzers: int,
    ) -> Dictionary:
        """From sorted keys (analyzer number, stem, folded form, exact form)."""
        words = [key[2] for key in keys]
        exact = {row: key[3] for row, key in enumerate(keys) if key[3] != key[2]}
        parts = np.zeros(analyzers + 1, np.int64)
        for key in keys:
            parts[key[0] + 1] += 1
        first = [row for row, key in enumerate(keys) if row == 0 or keys[row - 1][:2] != key[:2]]
        stems: list[int] = []
        tails: dict[int, str] = {}
        for group, row in enumerate(first):
            stem, word = keys[row][1], keys[row][2]
            shared = common_prefix(stem, word)
            stems.append(shared)
            if shared < len(stem):
                tails[group] = stem[shared:]
        starts = np.array([*first, len(keys)], np.int64)
        return cls(words, exact, np.cumsum(parts), starts, df, group_df, stems, tails)

    def __len__(self) -> int:
        return len(self.words)

    def stem(self, group: int) -> str:
        """The stem that a group's words share."""
        return self.words[self._firsts[group]][: self._stems[group]] + self._stem_tails.get(group, "")

    def find(self, part: int, stem: str) -> int:
        """The group of `stem` among the words of analyzer number `part`, or -1."""
        low, high = int(self.group_parts[part]), int(self.group_parts[part + 1])
        at = bisect_left(range(self.groups), stem, low, high, key=self.stem)
        return at if at < high and self.stem(at) == stem else -1

    def entries(self, group: int, word: str) -> tuple[int, int]:
        """The range of entries of `group` whose folded form is `word`; empty when there is none."""
        start, stop = int(self.starts[group]), int(self.starts[group + 1])
        low = bisect_left(self.words, word, start, stop)
        high = low
        while high < stop and self.words[high] == word:
            high += 1
        return low, high

    def group_of(self, entry: int) -> int:
        """The group that an entry belongs to."""
        return int(np.searchsorted(self.starts, entry, "right")) - 1

    def part_of(self, entry: int) -> int:
        """The number of the analyzer that an entry belongs to."""
        return int(np.searchsorted(self.parts, entry, "right")) - 1

    def write(self, block: BlockWriter, texts: TextWriter) -> None:
        """Add everything but `df` to a part's block and texts."""
        block.put_number(self.parts.size - 1)
        for size in np.diff(self.parts).tolist():
            block.put_number(size)
        coding = texts.put_front_coded(self.words)
        order = coding.by_ending()
        first = np.zeros(len(self.words), np.bool_)
        first[self.starts[:-1]] = True
        block.put_set(first.size, np.flatnonzero(~first[order]))
        cut = np.zeros(len(self.words), np.int64)
        cut[first] = coding.lengths[first] - np.array(self._stems, np.int64)
        block.put_numbers(cut[order[first[order]]], _STEPS)
        groups, twice, order = _several(self.df, self.starts)
        block.put_own_numbers((twice - self.group_df[groups])[order], _STEPS)
        block.put_set(self.groups, np.fromiter(self._stem_tails, np.int64, len(self._stem_tails)))
        block.put_set(len(self.words), np.fromiter(self.exact, np.int64, len(self.exact)))
        texts.put(self._stem_tails.values())
        texts.put(self.exact.values())

    @classmethod
    def read(
        cls, block: BlockReader, texts: TextReader, df: NDArray[np.int64]
    ) -> tuple[int, Callable[[], Dictionary]]:
        """How many groups there are, and what makes the dictionary once the block is read.

        Both raise `BundleError` for damage.
        """
        sizes = [block.number() for _ in range(block.number())]
        count = sum(sizes)
        words, coding = texts.take_front_coded(count)
        later = block.set(count)
        groups = count - later.size
        cuts = block.numbers(groups, _STEPS)
        excess = block.own_numbers(_STEPS)
        tails, variants = block.set(groups), block.set(count)
        tail_texts, variant_texts = texts.take(tails.size), texts.take(variants.size)

        def make() -> Dictionary:
            order = coding.by_ending()
            first = np.ones(count, np.bool_)
            first[order[block.take(later)]] = False
            starts = np.append(np.flatnonzero(first), count).astype(np.int64)
            parts = np.cumsum([0, *sizes], dtype=np.int64)
            if df.size != count:
                raise BundleError("the lexical dictionary's arrays do not fit together")
            stems = coding.lengths.copy()
            stems[order[first[order]]] -= block.take_numbers(cuts)
            group_df = df[starts[:-1]]
            several, total, spread = _several(df, starts)
            less = block.take_numbers(excess)
            if (
                less.size != several.size
                or (stems < 0).any()
                or not first[parts[:-1][parts[:-1] < count]].all()
            ):
                raise BundleError("the lexical dictionary's arrays do not fit together")
            group_df[several[spread]] = total[spread] - less
            stem_tails = dict(zip(block.take(tails).tolist(), tail_texts, strict=True))
            exact = dict(zip(block.take(variants).tolist(), variant_texts, strict=True))
            return cls(words, exact, parts, starts, df, group_df, stems[first].tolist(), stem_tails)

        return groups, make


def _several(
    df: NDArray[np.int64], starts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.intp]]:
    """Groups of several entries, the sum of their entries' df, and an order of them.

    In that order come groups first that can have few documents counted twice.
    """
    if not df.size:
        none = np.zeros(0, np.int64)
        return none, none, none.astype(np.intp)
    groups = np.flatnonzero(np.diff(starts) > 1).astype(np.int64)
    first = starts[:-1].astype(np.intp)
    total = np.add.reduceat(df, first)[groups]
    spread = total - np.maximum.reduceat(df, first)[groups]
    return groups, total, np.argsort(spread, kind="stable")
