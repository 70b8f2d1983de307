"""Marks for the words that a query matched, in the page's unit of text: UTF-16 code units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hinny.lexical.syntax import ParsedQuery, Phrase, Term
from hinny.site.excerpts import Wanted, excerpt, mark
from hinny.text.analyzer import Analyzer, for_language

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class Highlighter:
    """Excerpts and marks for one query, whatever the languages of the texts.

    Marked are the words of the query with all words of their stems, its patterns, and the words that were
    searched beside it (completions and corrections); nothing that the query excludes.
    """

    def __init__(self, query: ParsedQuery, also: Iterable[str] = ()) -> None:
        self._leaves = [leaf for leaf in query.leaves() if leaf.occur != "not"]
        self._also = tuple(also)
        self._wanted: dict[str, Wanted] = {}

    def mark(self, text: str, language: str | None) -> dict[str, Any]:
        """A `MarkedText` of a whole text."""
        return marked(text, mark(text, self._for(language)))

    def excerpt(self, text: str, language: str | None, length: int) -> dict[str, Any]:
        """A `MarkedText` of the densest window of about `length` characters, an ellipsis where it was cut."""
        found = excerpt(text, self._for(language), length=length)
        before = ELLIPSIS if found.cut_before else ""
        after = ELLIPSIS if found.cut_after else ""
        shift = len(before)
        marks = [(start + shift, stop + shift) for start, stop in found.marks]
        return marked(f"{before}{found.text}{after}", marks)

    def _for(self, language: str | None) -> Wanted:
        analyzer = for_language(language)
        wanted = self._wanted.get(analyzer.id)
        if wanted is None:
            wanted = self._wanted[analyzer.id] = self._make(analyzer)
        return wanted

    def _make(self, analyzer: Analyzer) -> Wanted:
        wanted = Wanted(analyzer)
        for leaf in self._leaves:
            _add(wanted, analyzer, leaf)
        for word in self._also:
            wanted.add_word(word, 0.8)
        return wanted


def _add(wanted: Wanted, analyzer: Analyzer, leaf: Term | Phrase) -> None:
    match = leaf.match if isinstance(leaf, Term) else "word"
    if match == "prefix" or match == "suffix" or match == "substring":
        wanted.add_pattern(match, leaf.text, 1.0)
        return
    tokens = analyzer.analyze(leaf.text)
    for token in tokens:
        # A stop word is worth marking beside other words, never worth choosing an excerpt by.
        light = analyzer.is_stop(token.term) and not isinstance(leaf, Phrase)
        wanted.add_stem(token.exact, 0.05 if light else 1.0)
    if match == "typing" and tokens:
        wanted.add_pattern("prefix", tokens[-1].term, 0.7)


def marked(text: str, marks: Iterable[tuple[int, int]]) -> dict[str, Any]:
    """A `MarkedText`: code-point ranges become ranges of UTF-16 code units.

    >>> marked("𝛼 beta", [(2, 6)])
    {'text': '𝛼 beta', 'marks': [[3, 7]]}
    """
    marks = list(marks)
    if marks and not text.isascii() and max(text) > "\uffff":
        wide = [place for place, sign in enumerate(text) if sign > "\uffff"]
        from bisect import bisect_left

        marks = [(start + bisect_left(wide, start), stop + bisect_left(wide, stop)) for start, stop in marks]
    return {"text": text, "marks": [list(pair) for pair in marks]}
