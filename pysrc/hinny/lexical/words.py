"""A query's text as words to look up, and what has to match for its pieces to count as found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hinny.text.analyzer import BIGRAM, JOINED, PART, UNIGRAM, WORD, Analyzer, Token
from hinny.text.foreign import foreign_stop_words, may_be_foreign
from hinny.text.stopwords import stop_words

Holding = Callable[[int, str], int]
"""How many documents of an analyzer (by its number) have a word (or another form of it)."""


class QueryWord:
    """One searchable form of the query: `term` folded, `exact` as written, `weight` how much it counts."""

    __slots__ = ("exact", "kind", "position", "stop", "term", "weight")

    def __init__(self, term: str, exact: str, kind: int, position: int, stop: bool, weight: float) -> None:
        self.term = term
        self.exact = exact
        self.kind = kind
        self.position = position
        self.stop = stop
        self.weight = weight


class Unit:
    """One thing the reader asked for: found where all words of any one of `ways` are found.

    `node.js` is found as the whole, or as all its parts; `full-text` as both words, or as their closed
    spelling; a run of Chinese as all its pairs. Ways are numbers of the leaf's words; the first way is how it
    was written.
    """

    __slots__ = ("stop", "ways")

    def __init__(self, ways: list[list[int]], stop: bool) -> None:
        self.ways = ways
        self.stop = stop


class WordReader:
    """Reads texts for one index: its analyzers, and how much the pieces of a compound count."""

    __slots__ = ("_analyzers", "_foreign", "_holding", "_stop_words", "_stops", "_weights")

    def __init__(
        self,
        analyzers: Sequence[Analyzer],
        holding: Holding,
        part: float,
        joined: float,
        foreign: frozenset[str] = frozenset(),
    ) -> None:
        """`foreign` are further function words, of a language that no document is in."""
        self._analyzers = list(analyzers)
        self._holding = holding
        self._weights = {PART: part, JOINED: joined}
        self._foreign = foreign
        self._stops: dict[str, bool] = {}
        self._stop_words: frozenset[str] | None = None

    def reader_for(self, text: str) -> WordReader:
        """What reads a query: itself, and where that is in a language of no document, one that knows it."""
        # An index without any language knows no function words at all.
        own = self._own_stop_words()
        foreign = foreign_stop_words(text, own) if own else None
        if not foreign:
            return self
        return WordReader(self._analyzers, self._holding, self._weights[PART], self._weights[JOINED], foreign)

    def may_be_foreign(self, chunks: Sequence[str]) -> bool:
        """Whether `reader_for` is worth asking about a text of these chunks."""
        own = self._own_stop_words()
        return bool(own) and may_be_foreign(chunks, own)

    def _own_stop_words(self) -> frozenset[str]:
        if self._stop_words is None:
            languages = [getattr(analyzer, "language", None) for analyzer in self._analyzers]
            self._stop_words = frozenset().union(*map(stop_words, languages))
        return self._stop_words

    def is_stop(self, term: str) -> bool:
        """True for a function word: in most of the documents that have it, where languages disagree."""
        if term in self._foreign:
            return True
        known = self._stops.get(term)
        if known is None:
            votes = [analyzer.is_stop(term) for analyzer in self._analyzers]
            known = any(votes)
            if known and not all(votes):
                having = [self._holding(part, term) for part in range(len(votes))]
                known = 2 * sum(n for n, vote in zip(having, votes, strict=True) if vote) >= sum(having)
            if len(self._stops) > 100_000:
                self._stops.clear()
            self._stops[term] = known
        return known

    def plain(self, text: str) -> tuple[list[QueryWord], list[QueryWord]]:
        """The words of a plain query, a repeated one once with the sum of its weights; and the last ones.

        The last ones are what may still be growing: the last word, and the last part of an identifier.
        """
        words: dict[str, QueryWord] = {}
        if not self._analyzers:
            return [], []
        columns = self._analyzers[0].analyze_columns(text)
        for term, position, kind, exact in zip(*columns, strict=True):
            if exact is not term and exact.isascii():
                exact = term  # only its punctuation differs
            weight = 1.0 if kind == WORD else self._weights.get(kind, 1.0)
            known = words.get(exact)
            if known is None:
                words[exact] = QueryWord(term, exact, kind, position, self.is_stop(term), weight)
            else:
                known.weight += weight
        if not words:
            return [], []
        end = columns.positions[-1]
        last = [
            word
            for word in words.values()
            if (word.position == end and word.kind == WORD) or word.term == columns.terms[-1]
        ]
        return list(words.values()), last

    def chunk(self, chunk: str) -> list[QueryWord]:
        """The words of a text without white space, as `plain` gives them; for built-in analyzers."""
        if not self._analyzers:
            return []
        _, terms, _, kinds, exacts = self._analyzers[0].segmenter.forms(chunk)
        if len(terms) != 1:
            return self.plain(chunk)[0] if terms else []
        (term,), (kind,), (exact,) = terms, kinds, exacts
        exact = term if exact.isascii() else exact
        weight = 1.0 if kind == WORD else self._weights.get(kind, 1.0)
        return [QueryWord(term, exact, kind, 0, self.is_stop(term), weight)]

    def leaf(self, text: str) -> tuple[list[QueryWord], list[Unit]]:
        """The words of one clause in their order, and its units."""
        if not self._analyzers:
            return [], []
        tokens = self._analyzers[0].analyze(text)
        words = [
            QueryWord(
                token.term,
                token.term if token.exact.isascii() else token.exact,
                token.kind,
                token.position,
                self.is_stop(token.term),
                self._weights.get(token.kind, 1.0),
            )
            for token in tokens
        ]
        return words, _units(tokens, words)


def phrase_words(words: Sequence[QueryWord]) -> list[QueryWord]:
    """The words whose places make a phrase: one way to write each position.

    Whole words win over their parts; of an unspaced run the pairs, which hold every character.
    """
    best: dict[int, QueryWord] = {}
    for word in words:
        if word.kind in (PART, JOINED):
            continue
        known = best.get(word.position)
        if known is None or _RANK[word.kind] > _RANK[known.kind]:
            best[word.position] = word
    return [
        word
        for position, word in sorted(best.items())
        if not (word.kind == UNIGRAM and (before := best.get(position - 1)) and before.kind == BIGRAM)
    ]


_RANK = {WORD: 2, BIGRAM: 1, UNIGRAM: 0}


def _units(tokens: Sequence[Token], words: Sequence[QueryWord]) -> list[Unit]:
    units: list[Unit] = []
    at_position: dict[int, Unit] = {}
    for number, token in enumerate(tokens):
        here = at_position.get(token.position)
        if token.kind == JOINED:
            continue
        if token.kind in (WORD, UNIGRAM) or here is None:
            here = at_position[token.position] = Unit([[number]], words[number].stop)
            units.append(here)
        elif len(here.ways) == 1 and tokens[here.ways[0][0]].kind == WORD:
            here.ways.append([number])  # parts of an identifier, pairs of a Korean word: all of them
        elif tokens[here.ways[0][0]].kind == WORD:
            here.ways[1].append(number)
        else:
            here.ways[0] = [number]  # a pair says more than its first character
    units = _without_covered(units, tokens)
    for number, token in enumerate(tokens):
        if token.kind == JOINED:
            inside = [
                unit
                for unit in units
                if token.start <= tokens[unit.ways[0][0]].start and tokens[unit.ways[0][0]].end <= token.end
            ]
            for unit in inside:
                unit.ways.append([number])
    return units


def _without_covered(units: list[Unit], tokens: Sequence[Token]) -> list[Unit]:
    """Leaves out the last character of an unspaced run, which the pair before it holds."""
    kept: list[Unit] = []
    for unit in units:
        token = tokens[unit.ways[0][0]]
        if kept and token.kind == UNIGRAM:
            before = tokens[kept[-1].ways[0][0]]
            if before.kind == BIGRAM and before.end == token.end:
                continue
        kept.append(unit)
    return kept
