"""The words of an index, resident: found by stem, by word, by pieces, all without the network.

An *entry* is one written form of a word: the folded form that the analyzer makes (`resume`) and, where it
differs, the form before folding (`résumé`). Entries are sorted by (analyzer, stem, folded form, exact
form), so that a stem's forms are neighbours: a *group*. A stem that a query brings is found by bisection
over the groups; no table of stems is kept, because a stem is nearly always the beginning of its group's
first word, so a length is enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError
from hinny.lexical.codec import (
    Strings,
    common_prefix,
    get_front_coded,
    get_uints,
    put_front_coded,
    put_strings,
    put_uints,
)


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

    def store(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Add everything to a part's arrays."""
        put_front_coded(arrays, "words", self.words)
        arrays["parts"] = self.parts.astype(np.uint32)
        new = np.zeros(len(self.words), np.bool_)
        new[self.starts[:-1]] = True
        arrays["groups"] = np.packbits(new)
        put_uints(arrays, "df", self.df)
        several = np.diff(self.starts) > 1
        put_uints(arrays, "group_df", self.group_df[several])
        firsts = [len(self.words[row]) for row in self.starts[:-1].tolist()]
        put_uints(arrays, "stems", np.array(firsts, np.int64) - np.array(self._stems, np.int64))
        put_uints(arrays, "tails", np.fromiter(self._stem_tails, np.int64, len(self._stem_tails)))
        put_strings(arrays, "tail", list(self._stem_tails.values()))
        put_uints(arrays, "variants", np.fromiter(self.exact, np.int64, len(self.exact)))
        put_strings(arrays, "variant", list(self.exact.values()))

    @classmethod
    def load(cls, arrays: Mapping[str, NDArray[Any]]) -> Dictionary:
        """From a part's arrays. Raises `BundleError` when they do not fit together."""
        try:
            words = get_front_coded(arrays, "words")
            parts = arrays["parts"].astype(np.int64)
            new = np.unpackbits(arrays["groups"], count=len(words)).astype(np.bool_)
        except (KeyError, ValueError) as problem:
            raise BundleError(f"the lexical dictionary is damaged: {problem}") from problem
        starts = np.append(np.flatnonzero(new), len(words)).astype(np.int64)
        df = get_uints(arrays, "df")
        tails_cut = get_uints(arrays, "stems")
        several = np.diff(starts) > 1
        if df.size != len(words) or tails_cut.size != starts.size - 1 or (words and not new[0]):
            raise BundleError("the lexical dictionary's arrays do not fit together")
        firsts = [len(words[row]) for row in starts[:-1].tolist()]
        stems = np.array(firsts, np.int64) - tails_cut
        group_df = df[starts[:-1]].copy()
        group_df[several] = get_uints(arrays, "group_df")
        tails = dict(zip(get_uints(arrays, "tails").tolist(), Strings(arrays, "tail").tolist(), strict=True))
        exact = dict(
            zip(get_uints(arrays, "variants").tolist(), Strings(arrays, "variant").tolist(), strict=True)
        )
        return cls(words, exact, parts, starts, df, group_df, stems.tolist(), tails)
