"""From what a reader typed to words that the index has: by prefix, suffix, piece, or with typos.

All of it runs on the resident dictionary. Beginnings are found by bisection: words with one first letter
are sorted when the first of them is asked for. Whole words in one text, separated by line feeds, make the
search for endings and pieces a plain string search.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.dictionary import Dictionary
from hinny.lexical.osa import MOST, Letters
from hinny.text.phonetic import first_letters, phonetic_key

MAX_WORDS = 50
"""How many words one pattern stands for at most: the ones in most documents."""
MAX_TYPOS = 8
"""How many spellings one mistyped word stands for at most."""
MAX_EDITS = MOST
_AFTER_ALL = chr(0x10FFFF)


def edits_for(word: str) -> int:
    """How many typos a word of this length may hold: none under 3 letters, one under 8, then two."""
    return 0 if len(word) < 3 else 1 if len(word) < 8 else 2


class Expander:
    """Pattern searches over a dictionary's words; its tables are made on first use."""

    __slots__ = (
        "_bounds",
        "_by_first",
        "_df",
        "_dictionary",
        "_letters",
        "_sorted",
        "_sounds",
        "_starts",
        "_text",
    )

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._df = dictionary.df
        self._text: str | None = None
        self._starts = np.zeros(0, np.int64)
        self._letters: Letters | None = None
        self._by_first = np.zeros(0, np.int64)
        self._bounds: dict[str, tuple[int, int]] | None = None
        """Where the entries with a first letter lie in `_by_first`."""
        self._sorted: dict[str, tuple[list[str], NDArray[np.int64]]] = {}
        """First letter to its words, sorted, and their entries."""
        self._sounds: dict[str, dict[str, list[int]]] = {}
        """First letter to phonetic keys, and the entries that have each."""

    def find(self, word: str) -> list[int]:
        """Entries whose folded form is `word`, whatever their stem."""
        if not word:
            return []
        words, entries = self._beginning(word[0])
        low = bisect_left(words, word)
        found: list[int] = entries[low : bisect_right(words, word, low)].tolist()
        return found

    def sort(self, word: str) -> None:
        """Sort the words with this word's first letter, for what will be asked."""
        if word:
            self._beginning(word[0])

    def entry(self, word: str) -> int | None:
        """An entry whose folded form is `word`; None where none is, or its first letter is not sorted yet."""
        known = self._sorted.get(word[:1])
        if known is None:
            return None
        words, entries = known
        at = bisect_left(words, word)
        return int(entries[at]) if at < len(words) and words[at] == word else None

    def prefix(self, piece: str, most: int = MAX_WORDS) -> tuple[list[int], bool]:
        """Entries that begin with `piece` and are longer, and whether there were more than `most`."""
        entries, more = self.completions(piece, most)
        return entries.tolist(), more

    def completions(self, piece: str, most: int) -> tuple[NDArray[np.int64], bool]:
        """`prefix`, its entries int64 [m]."""
        if not piece:
            return np.zeros(0, np.int64), False
        words, entries = self._beginning(piece[0])
        low = bisect_right(words, piece)
        entries = entries[low : bisect_left(words, piece + _AFTER_ALL, low)].copy()
        entries.sort()
        return self._likeliest(entries, most)

    def suffix(self, piece: str, most: int = MAX_WORDS) -> tuple[list[int], bool]:
        """Entries that end in `piece`."""
        return self._matching(f"{piece}\n", most)

    def substring(self, piece: str, most: int = MAX_WORDS) -> tuple[list[int], bool]:
        """Entries that contain `piece`."""
        return self._matching(piece, most)

    def fuzzy(self, word: str, edits: int, most: int = MAX_TYPOS) -> list[tuple[int, int]]:
        """(entry, edits) of words near `word`, itself included: fewest edits first, then the likeliest.

        Likely is a word that keeps the first letter and stands in many documents.
        """
        return self._near([word], [edits], most)[0]

    def nearest(self, word: str, edits: int) -> tuple[list[int], int]:
        """The likeliest words with the fewest edits from `word`, at least one, and how many those are."""
        return self.nearest_all({word: edits})[word]

    def nearest_all(self, asked: Mapping[str, int]) -> dict[str, tuple[list[int], int]]:
        """`nearest` of words with the edits that each may have, all looked up together."""
        found = dict.fromkeys(asked, (list[int](), 0))
        open = {word: min(most, max(1, edits_for(word))) for word, most in asked.items() if most > 0}
        while open:
            for word, near in zip(open, self._near(list(open), list(open.values()), MAX_TYPOS), strict=True):
                fewest = next((distance for _, distance in near if distance), 0)
                if fewest:
                    found[word] = [entry for entry, distance in near if distance == fewest], fewest
            # More edits than are usual, which many words are within, only where fewer find nothing.
            open = {
                word: edits + 1 for word, edits in open.items() if edits < asked[word] and not found[word][1]
            }
        return found

    def _near(self, asked: Sequence[str], edits: Sequence[int], most: int) -> list[list[tuple[int, int]]]:
        """What `fuzzy` gives for each of the words."""
        found: list[list[tuple[int, int]]] = [[] for _ in asked]
        if self._letters is None:
            self._letters = Letters(self._dictionary.words)
        owners, rows, distance = self._letters.near_all(asked, edits)
        if not rows.size:
            return found
        words, groups = self._dictionary.words, self._dictionary.starts.searchsorted(rows, "right") - 1
        frequency = self._dictionary.group_df[groups]
        pairs = zip(rows.tolist(), owners.tolist(), strict=True)
        first = [words[row][0] != asked[owner][0] for row, owner in pairs]
        order = np.lexsort((rows, -frequency, first, distance, owners))
        columns = (owners[order].tolist(), rows[order].tolist(), distance[order].tolist())
        for owner, row, many in zip(*columns, strict=True):
            if len(found[owner]) < most:
                found[owner].append((row, many))
        return found

    def sounding(self, key: str, low: int, high: int, word: str) -> list[int]:
        """Entries `low` to `high` of a phonetic key but for `word` itself, the likeliest first."""
        if not key:
            return []
        found: list[int] = []
        for first in first_letters(key):
            keys = self._sounds.get(first)
            if keys is None:
                keys = self._sounds[first] = {}
                for other, entry in zip(*self._beginning(first), strict=True):
                    keys.setdefault(phonetic_key(other), []).append(int(entry))
            found += keys.get(key, ())
        words = self._dictionary.words
        found = [entry for entry in found if low <= entry < high and words[entry] != word]
        return sorted(found, key=lambda entry: (-int(self._df[entry]), entry))[:MAX_TYPOS]

    def _beginning(self, first: str) -> tuple[list[str], NDArray[np.int64]]:
        """The words with this first letter, sorted, and their entries."""
        known = self._sorted.get(first)
        if known is None:
            words = self._dictionary.words
            if self._bounds is None:
                self._bounds = self._cut(words)
            low, high = self._bounds.get(first, (0, 0))
            entries = sorted(self._by_first[low:high].tolist(), key=words.__getitem__)
            known = [words[entry] for entry in entries], np.array(entries, np.int64)
            self._sorted[first] = known
        return known

    def _cut(self, words: list[str]) -> dict[str, tuple[int, int]]:
        letters = np.frombuffer(
            "".join([word[:1] or "\0" for word in words]).encode("utf-32-le", "surrogatepass"), "<u4"
        )
        self._by_first = np.argsort(letters, kind="stable").astype(np.int64)
        letters = letters[self._by_first]
        edges = [0, *(np.flatnonzero(letters[1:] != letters[:-1]) + 1).tolist(), letters.size]
        return {chr(letters[low]): (low, high) for low, high in pairwise(edges) if low < high}

    def _matching(self, needle: str, most: int) -> tuple[list[int], bool]:
        if self._text is None:
            words = self._dictionary.words
            self._text = "\n" + "\n".join(words) + "\n"
            sizes = np.fromiter(map(len, words), np.int64, len(words)) + 1
            self._starts = np.cumsum(sizes) - sizes
        at = np.fromiter(_occurrences(self._text, needle), np.int64)
        # A match may begin with the line feed before its word.
        entries, more = self._likeliest(np.unique(np.searchsorted(self._starts, at, "right") - 1), most)
        return entries.tolist(), more

    def _likeliest(self, entries: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], bool]:
        """Entries (ascending) cut to the `most` that stand in most documents, and whether any was left."""
        more = entries.size > most
        if more:
            # Documents, then the smaller entry: one number to compare.
            keys = self._df[entries] * len(self._dictionary) - entries
            edge = np.partition(keys, entries.size - most)[entries.size - most]
            entries = entries[keys >= edge]
        return entries, more


def _occurrences(text: str, needle: str) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)
