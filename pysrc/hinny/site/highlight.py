"""Marks for the words that a query matched, in the page's unit of text: UTF-16 code units."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from hinny.lexical.syntax import ParsedQuery
from hinny.site.excerpts import cut, ranges
from hinny.site.lacking import lacking
from hinny.site.wanted import Match, Wanted, wanted_of
from hinny.text.analyzer import for_language

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


class Highlighter:
    """Excerpts and marks for one query, whatever the languages of the texts.

    Marked are the words of the query with all words of their stems, its patterns, and the words that were
    searched beside it (completions and corrections); nothing that the query excludes, and stop words only
    when it has nothing else. `weigh` gives a folded word's idf, which chooses what an excerpt shows.
    """

    def __init__(
        self, query: ParsedQuery, also: Iterable[str] = (), weigh: Callable[[str], float] = lambda term: 1.0
    ) -> None:
        self._query = query
        self._weigh = weigh
        self._also = {word: 0.8 * weigh(word) for word in also}
        self._wanted: dict[str, Wanted] = {}

    def section(
        self, title: str, headings: Sequence[str], text: str, language: str | None, length: int
    ) -> dict[str, Any]:
        """`pageTitle`, `headings` and `excerpt` of a hit, and which of the reader's words it lacks."""
        wanted = self._for(language)
        in_title, in_text = wanted.find(title), wanted.find(text)
        in_headings = [wanted.find(heading) for heading in headings]
        met = {match.concept for match in chain(in_title, in_text, *in_headings)}
        return {
            "pageTitle": marked(title, ranges(in_title)),
            "headings": [
                marked(heading, ranges(found)) for heading, found in zip(headings, in_headings, strict=True)
            ],
            "excerpt": _shortened(text, in_text, length),
            "missing": list(lacking(wanted.asked, met, wanted.others)),
        }

    def _for(self, language: str | None) -> Wanted:
        analyzer = for_language(language)
        wanted = self._wanted.get(analyzer.id)
        if wanted is None:
            wanted = wanted_of(self._query, analyzer, weigh=self._weigh, also=self._also)
            self._wanted[analyzer.id] = wanted
        return wanted


def _shortened(text: str, matches: list[Match], length: int) -> dict[str, Any]:
    found = cut(text, matches, length=length)
    before = ELLIPSIS if found.cut_before else ""
    after = ELLIPSIS if found.cut_after else ""
    shift = len(before)
    marks = [(start + shift, stop + shift) for start, stop in found.marks]
    return marked(f"{before}{found.text}{after}", marks)


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
