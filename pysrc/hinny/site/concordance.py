"""Which chunks of the texts that were shown have a word, a form of a stem, or a word that fits a pattern.

A chunk is what stands between white space: a word and its punctuation, an identifier, a run of Chinese. Texts
of one site repeat them, so each is read once, and what a query looks for is then found by its words, without
going through the texts again. Reading is what costs, so a chunk in which no word can begin like one that is
looked for waits until one can. What it gives may be too much, never too little.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import cache, lru_cache

from hinny.text.analyzer import Analyzer, get_analyzer
from hinny.text.folding import fold
from hinny.text.identifiers import Row
from hinny.text.languages import LANGUAGES

LONGEST = 40
"""Longer chunks are hardly met again: they are not kept, and always given."""
_MOST = 100_000
_DOTLESS = {"\N{LATIN SMALL LETTER DOTLESS I}": "i"}
"""Turkic lower case: what a capital I becomes."""


class Concordance:
    """The chunks seen so far, read with one analyzer; get it from `concordance_of`."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._seen: set[str] = set()
        self._by_exact: dict[str, list[str]] = {}
        self._by_term: dict[str, list[str]] = {}
        """Only of terms that differ from their exact form."""
        self._rows: dict[str, list[Row]] = {}
        self._words: dict[str, list[tuple[str, str]]] = {}
        """First letter of a term to its (term, exact form), in the order in which they were met."""
        self._by_stem: dict[str, list[str]] = {}
        self._stemmed: dict[str, int] = {}
        """How many of the words with a first letter have their stem in `_by_stem`."""
        language = LANGUAGES.get(analyzer.language or "")
        self._fixed = language is None or not language.prefixes
        """True where no stem begins with another letter than its word."""

    @property
    def size(self) -> int:
        """How many chunks it has."""
        return len(self._seen)

    def unread(self, chunks: Set[str], initials: frozenset[str] | None = None) -> set[str]:
        """Read those of the chunks that are new and may have a word with one of these first letters.

        None stands for any letter. Gives the long chunks, which are not kept.
        """
        long = set()
        forms = self._analyzer.segmenter.forms
        may_have = _beginning(initials).search if initials is not None else None
        for chunk in chunks - self._seen:
            if len(chunk) > LONGEST:
                long.add(chunk)
                continue
            if may_have and chunk.isascii() and not may_have(chunk):
                continue
            self._seen.add(chunk)
            _, terms, _, _, exacts = forms(chunk)
            for term, exact in zip(terms, exacts, strict=True):
                known = self._by_exact.get(exact)
                if known is None:
                    self._by_exact[exact] = [chunk]
                    self._words.setdefault(term[:1], []).append((term, exact))
                else:
                    known.append(chunk)
                if term != exact:
                    self._by_term.setdefault(term, []).append(chunk)
        return long

    def with_form(self, form: str) -> list[str]:
        """Chunks with a word of this exact or folded form."""
        return self._by_exact.get(form, []) + self._by_term.get(form, [])

    def may_begin(self, initial: str, initials: Set[str]) -> bool:
        """Whether a word that begins with `initial` may have a stem that begins with one of `initials`."""
        return initial in initials or not self._fixed

    def with_stem(self, stem: str, initials: Set[str]) -> list[str]:
        """Chunks with a word of this stem; `initials` holds its first letter."""
        for initial in initials if self._fixed else self._words:
            words = self._words.get(initial, ())
            for _, exact in words[self._stemmed.get(initial, 0) :]:
                self._by_stem.setdefault(self._analyzer.stem(exact), []).append(exact)
            self._stemmed[initial] = len(words)
        return [chunk for exact in self._by_stem.get(stem, ()) for chunk in self._by_exact[exact]]

    def rows(self, chunk: str) -> list[Row]:
        """The words of a chunk and where they stand in it."""
        known = self._rows.get(chunk)
        if known is None:
            known = self._analyzer.segmenter.rows(chunk)
            if len(chunk) <= LONGEST:
                self._rows[chunk] = known
        return known

    def words(self, initial: str, start: int) -> list[tuple[str, str]]:
        """(term, exact form) of the words with a first letter, from the `start`-th that was met."""
        return self._words.get(initial, [])[start:]

    @property
    def stems_keep_initials(self) -> bool:
        """True where a stem begins like its word."""
        return self._fixed

    def initials(self) -> list[str]:
        """First letters of all words."""
        return list(self._words)


@lru_cache(64)
def _beginning(initials: frozenset[str]) -> re.Pattern[str]:
    """Fits ASCII chunks that may have a word with one of these first letters.

    Inside a chunk a word begins after what is no letter, or with a capital.
    """
    folded = {form for initial in initials for form in (fold(initial)[:1], _DOTLESS.get(initial, initial))}
    letters = "".join(sorted(letter for letter in folded if "a" <= letter <= "z"))
    others = "".join(sorted(letter for letter in folded if letter.isascii() and letter not in letters))
    ways = [rf"(?<![A-Za-z])[{letters}]", f"[{letters.upper()}]"] if letters else []
    if others:
        ways.append(f"[{re.escape(others)}]")
    return re.compile("|".join(ways) or "(?!)")


@cache
def _kept(analyzer: str) -> list[Concordance]:
    return [Concordance(get_analyzer(analyzer))]


def concordance_of(analyzer: Analyzer) -> Concordance:
    """The one for an analyzer, which all queries share; a new one when it has become too large."""
    kept = _kept(analyzer.id)
    if kept[0].size > _MOST:
        kept[0] = Concordance(analyzer)
    return kept[0]
