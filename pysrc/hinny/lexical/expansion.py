"""From what a reader typed to words that the index has: by prefix, suffix, piece, or with typos.

All of it runs on the resident dictionary. Whole words in one text, separated by line feeds, make the first
three plain string searches.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.dictionary import Dictionary
from hinny.lexical.osa import Letters

MAX_WORDS = 50
"""How many words one pattern stands for at most: the ones in most documents."""
MAX_TYPOS = 8
"""How many spellings one mistyped word stands for at most."""
MAX_EDITS = 3


def edits_for(word: str) -> int:
    """How many typos a word of this length may hold: none under 3 letters, one under 8, then two."""
    return 0 if len(word) < 3 else 1 if len(word) < 8 else 2


class Expander:
    """Pattern searches over a dictionary's words; its tables are made on first use."""

    __slots__ = ("_dictionary", "_letters", "_starts", "_text")

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._text: str | None = None
        self._starts = np.zeros(0, np.int64)
        self._letters: Letters | None = None

    def find(self, word: str) -> list[int]:
        """Entries whose folded form is `word`, whatever their stem."""
        return self._matching(f"\n{word}\n", MAX_WORDS)[0] if word else []

    def prefix(self, piece: str, most: int = MAX_WORDS) -> tuple[list[int], bool]:
        """Entries that begin with `piece` and are longer, and whether there were more than `most`."""
        found, more = self._matching(f"\n{piece}", most, len(piece))
        return found, more

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
        if self._letters is None:
            self._letters = Letters(self._dictionary.words)
        rows, distance = self._letters.near(word, edits)
        if not rows.size:
            return []
        words, groups = self._dictionary.words, np.searchsorted(self._dictionary.starts, rows, "right") - 1
        frequency = self._dictionary.group_df[groups]
        first = np.array([words[row][0] != word[0] for row in rows.tolist()])
        order = np.lexsort((rows, -frequency, first, distance))
        return [(int(rows[at]), int(distance[at])) for at in order[:most]]

    def _matching(self, needle: str, most: int, longer_than: int = 0) -> tuple[list[int], bool]:
        if self._text is None:
            words = self._dictionary.words
            self._text = "\n" + "\n".join(words) + "\n"
            sizes = np.fromiter(map(len, words), np.int64, len(words)) + 1
            self._starts = np.cumsum(sizes) - sizes
        at = np.fromiter(_occurrences(self._text, needle), np.int64)
        # A match may begin with the line feed before its word.
        entries = np.unique(np.searchsorted(self._starts, at, "right") - 1)
        if longer_than:
            words = self._dictionary.words
            entries = np.array([e for e in entries.tolist() if len(words[e]) > longer_than], np.int64)
        more = entries.size > most
        if more:
            order: NDArray[np.int64] = np.lexsort((entries, -self._dictionary.df[entries]))[:most]
            entries = np.sort(entries[order])
        return entries.tolist(), more


def _occurrences(text: str, needle: str) -> Iterator[int]:
    at = text.find(needle)
    while at >= 0:
        yield at
        at = text.find(needle, at + 1)
