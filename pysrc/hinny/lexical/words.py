"""A query's text as the words that the index can be asked for."""

from __future__ import annotations

from collections.abc import Sequence

from hinny.text.analyzer import PART, Analyzer


class QueryWord:
    """One searchable form of the query: `term` folded, `exact` as written, `weight` how much it counts."""

    __slots__ = ("end", "exact", "kind", "start", "stop", "term", "weight")

    def __init__(self, term: str, exact: str, kind: int, start: int, end: int, stop: bool) -> None:
        self.term = term
        self.exact = exact
        self.kind = kind
        self.start = start
        self.end = end
        self.stop = stop
        self.weight = 1.0


def analyze_query(text: str, analyzers: Sequence[Analyzer], part: float = 0.5) -> list[QueryWord]:
    """The query's words, each once with its count as weight; stop words only when there is nothing else."""
    if not analyzers:
        return []
    words: dict[str, QueryWord] = {}
    for token in analyzers[0].analyze(text):
        known = words.get(token.exact)
        weight = part if token.kind == PART else 1.0
        if known is not None:
            known.weight += weight
            continue
        stop = all(analyzer.is_stop(token.term) for analyzer in analyzers)
        word = QueryWord(token.term, token.exact, token.kind, token.start, token.end, stop)
        word.weight = weight
        words[token.exact] = word
    content = [word for word in words.values() if not word.stop]
    return content or list(words.values())
