"""Marks for the words that a query matched, in the page's unit of text: UTF-16 code units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hinny.site.excerpts import Wanted, excerpt, mark
from hinny.text.analyzer import Analyzer, for_language

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class Highlighter:
    """Excerpts and marks for one query, whatever the languages of the texts."""

    def __init__(self, text: str) -> None:
        self._text = text
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
        for token in analyzer.analyze(self._text):
            # A stop word is worth marking beside other words, never worth choosing an excerpt by.
            wanted.add_stem(token.exact, 0.05 if analyzer.is_stop(token.term) else 1.0)
        return wanted


def marked(text: str, marks: Iterable[tuple[int, int]]) -> dict[str, Any]:
    """A `MarkedText`: code-point ranges become ranges of UTF-16 code units.

    >>> marked("𝛼 beta", [(2, 6)])
    {'text': '𝛼 beta', 'marks': [[3, 7]]}
    """
    marks = list(marks)
    if marks and max(text) > "\uffff":
        wide = [place for place, sign in enumerate(text) if sign > "\uffff"]
        from bisect import bisect_left

        marks = [(start + bisect_left(wide, start), stop + bisect_left(wide, stop)) for start, stop in marks]
    return {"text": text, "marks": [list(pair) for pair in marks]}
