"""Bags of words: adding up ready-made impacts, and the shortest way there for the commonest kind of query.

The sums are the same whichever way a query comes; `Quick` only leaves out what a plain text with default
options does not need. Built-in analyzers cut a text at white space first, so it remembers whole chunks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from math import log
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.engine import Engine
from hinny.lexical.found import SOUND, TYPO, Found
from hinny.lexical.lookup import How
from hinny.lexical.matches import Matches
from hinny.lexical.results import LexicalResult, hits_of, top_rows
from hinny.lexical.syntax import Clause, Group, ParsedQuery, Term, parse
from hinny.lexical.words import QueryWord
from hinny.text.analyzer import Analyzer

_COMMON_IDF = log(3)
_ENOUGH = 4
_MEMO = 8192
_ALSO = 8
_LONGEST_CHUNK = 40
# What `syntax.parse` might read as more than a word: quotes, brackets, * and ~, a sign before something, a
# name before a colon, OR. It errs on the side of parsing, but for one word in brackets and brackets in words.
_OPERATORS = re.compile(
    r"[\"“”„‟«»「」『』＂*＊~～]|(?<!\w)[(（](?!\w[-/\w]*[)）][.,;]?(?:\s|$))"
    r"|(?:^|\s)[-+−–－＋]|\w[:：]|(?:^|\s)OR(?:\s|$)"
)
_CHUNK = re.compile(r"\S+")

Scores = NDArray[np.float64]


def may_have_operators(text: str) -> bool:
    """False for a text that is certainly nothing but words."""
    return _OPERATORS.search(text) is not None


def without_common(found: Sequence[Found | Word]) -> list[int] | None:
    """Numbers of the words that are searched, or None for all.

    Words that stand in more than a third of all documents are left out when four rarer ones say enough: in
    a sentence they change little, and they are most of what would have to be read.
    """
    rare = [number for number, one in enumerate(found) if one.idf > _COMMON_IDF]
    return None if len(rare) < _ENOUGH or len(rare) == len(found) else rare


_also = attrgetter("also")


class Sum:
    """Scores of a bag of words, and what its title fields earned."""

    __slots__ = ("cover", "scores", "titled", "total")

    def __init__(
        self,
        made: Sequence[Matches | None],
        idfs: Sequence[float],
        weights: Sequence[float],
        documents: int,
        zeros: Scores | None = None,
    ) -> None:
        """`zeros` float64 [2N] is taken to add up in; the caller clears it when all is read."""
        total = 0.0
        titled = 0
        places: list[NDArray[np.intp]] = []
        values: list[Scores] = []
        columns: list[tuple[Scores, float]] = []
        for matches, idf, weight in zip(made, idfs, weights, strict=True):
            total += idf * weight
            if matches is None:
                continue
            where, what, dense = matches.summands(documents, idf)
            if dense:
                columns.append((matches.column(documents), weight))
            if where.size:
                places.append(where)
                values.append(what if weight == 1.0 else what * weight)
            if matches.titles.size:
                titled += 1
        self.total = total
        """The idf of all words, each times its weight in the query."""
        self.titled = titled
        """How many of the words stand in a title field at all."""
        # Scores and cover lie behind each other, so that one pass adds up both.
        both = np.zeros(2 * documents) if zeros is None else zeros
        self.scores: Scores = both[:documents]
        self.cover: Scores | None = both[documents:] if titled else None
        """[N]: how much of `total` title fields have."""
        if places:
            np.add.at(both, np.concatenate(places), np.concatenate(values))
        for column, weight in columns:
            self.scores += column if weight == 1.0 else column * weight


class Word:
    """A query word with what the dictionary has for it."""

    __slots__ = ("found", "idf", "word")

    def __init__(self, word: QueryWord, found: Found) -> None:
        self.word = word
        self.found = found
        self.idf = found.idf


Weighted = Sequence[tuple[Word, float]]


class Chunk(NamedTuple):
    """What a piece of text between white space adds to a query."""

    content: Weighted
    """Its words, each with its weight, without function words."""
    words: Weighted
    corrected: str | None
    """The chunk with the words that the index lacks put right."""


class Quick:
    """Plain texts with default options, when all they need is loaded."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._splits = all(isinstance(analyzer, Analyzer) for analyzer in engine.analyzers)
        self._chunks: dict[str, Chunk] = {}
        """Chunks that hold no operator. No operator reaches over white space."""
        self._words: dict[str, Word] = {}
        self._how = How(edits=-1)
        self._spare: list[Scores] = []
        """Cleared arrays that no search is using."""

    def search(self, text: str, limit: int) -> LexicalResult | None:
        """The hits, or None when the text is not that plain or something is still to be fetched."""
        if not self._splits:
            return None
        engine = self._engine
        weights: dict[Word, float] = {}
        right: dict[str, str] = {}
        query = self._read(text, weights, right)
        if query is None:
            return None
        words = list(weights)
        rare = without_common(words)
        if rare is not None:
            words = [words[number] for number in rare]
        asked, founds = [word.word for word in words], [word.found for word in words]
        made = self._matches(asked, founds)
        if made is None:
            return None
        ids = engine.resident.ids
        documents = len(ids)
        # Memory that was just in use is in the processor's cache, and the system need not give it again.
        zeros = self._spare.pop() if self._spare else np.zeros(2 * documents)
        added = Sum(made, [word.idf for word in words], [weights[word] for word in words], documents, zeros)
        total = int(np.count_nonzero(added.scores > 0))
        add_titles(engine, added, asked, founds)
        hits = hits_of(*top_rows(added.scores, None, limit, ids), ids)
        zeros.fill(0.0)
        self._spare.append(zeros)
        if not any(map(_also, founds)):
            return LexicalResult(hits, total, query, query.problems)
        pairs = list(zip(asked, founds, strict=True))
        if asked[0].stop:
            meant = did_you_mean(engine, text, pairs)
        else:
            meant = _CHUNK.sub(lambda one: right.get(one.group(), one.group()), text) if right else None
        return LexicalResult(hits, total, query, query.problems, meant, also_searched(pairs))

    def _read(self, text: str, weights: dict[Word, float], right: dict[str, str]) -> ParsedQuery | None:
        """Fill in the words that count and corrected chunks; None for a text that is no bag of words."""
        query: ParsedQuery | None = None
        words: list[Weighted] = []
        chunks = text.split()
        for chunk in chunks:
            known = self._chunks.get(chunk)
            if known is None:
                operators = may_have_operators(chunk)
                if operators and query is None:
                    query = parse(text, fields=self._engine.resident.fields)
                    if query.problems or not is_bag(query.clauses):
                        return None
                known = self._learn(chunk, keep=not operators)
            if not known[0]:
                words.append(known[1])  # counts when no chunk has more than function words
            for word, weight in known[0]:
                weights[word] = weights.get(word, 0.0) + weight
            if known[2] is not None:
                right[chunk] = known[2]
        reader = self._engine.reader
        if reader.may_be_foreign(chunks) and reader.reader_for(text) is not reader:
            return None
        if not weights:
            for word, weight in chain.from_iterable(words):
                weights[word] = weights.get(word, 0.0) + weight
        return query or ParsedQuery(text)

    def _matches(self, words: Sequence[QueryWord], founds: Sequence[Found]) -> list[Matches | None] | None:
        """The documents of each word; None when a slice is not there yet."""
        slices = self._engine.store.slices
        for found in founds:
            if found.arrays is None:
                for number in found.slices:
                    if slices[number] is None:
                        return None
        return self._engine.own.matches_all(words, founds)

    def _learn(self, chunk: str, *, keep: bool) -> Chunk:
        engine = self._engine
        words: list[tuple[Word, float]] = []
        for one in engine.reader.chunk(chunk):
            known = self._words.get(one.exact)
            if known is None or known.word.kind != one.kind:
                known = self._words[one.exact] = Word(one, engine.lookup.find(one, self._how))
            words.append((known, one.weight))
        content = [pair for pair in words if not pair[0].word.stop]
        pairs = [(word.word, word.found) for word, _ in content]
        learned = Chunk(content, words, did_you_mean(engine, chunk, pairs))
        if keep and len(chunk) <= _LONGEST_CHUNK:
            if len(self._chunks) >= _MEMO:
                self._chunks.clear()
                self._words.clear()
            self._chunks[chunk] = learned
        return learned

    def clear(self) -> None:
        """Forget everything remembered."""
        self._chunks.clear()
        self._words.clear()


def add_titles(
    engine: Engine, added: Sum, words: Sequence[QueryWord], founds: Sequence[Found]
) -> tuple[Scores | None, NDArray[np.intp] | None, float]:
    """Add to the scores what title fields earn: by the square of the idf they cover, and for being the query.

    Returns what the cover earned by document, the rows whose title is the query, and what those earned.
    """
    scoring, cover = engine.resident.scoring, added.cover
    if cover is None or not added.total:
        return None, None, 0.0
    exact: NDArray[np.intp] | None = None
    gain = scoring.exact_title * added.total
    if gain and added.titled == len(words):
        full = np.flatnonzero(cover >= added.total * (1 - 1e-9))
        if full.size:
            from hinny.lexical.titles import exact_titles

            exact = exact_titles(engine.resident, engine.own, words, founds, full)
            added.scores[exact] += gain
    earned: Scores | None = None
    if scoring.title:
        earned = np.multiply(cover, cover, out=cover)
        earned *= scoring.title / added.total
        added.scores += earned
    return earned, exact, gain


def did_you_mean(engine: Engine, text: str, pairs: Sequence[tuple[QueryWord, Found]]) -> str | None:
    """The query with the words that the index lacks put right, where that can be done for one at least."""
    right = {
        word.term: found.also[0]
        for word, found in pairs
        if not found.known and found.expansions and found.expansions[0].kind in (TYPO, SOUND)
    }
    if not right:
        return None
    corrected, end = "", 0
    for token in engine.analyzers[0].analyze(text):
        if token.term in right and token.start >= end:
            corrected += text[end : token.start] + right[token.term]
            end = token.end
    return corrected + text[end:] if corrected else None


def also_searched(pairs: Sequence[tuple[QueryWord, Found]]) -> tuple[str, ...]:
    """The likeliest words that were searched beside the reader's."""
    return tuple(dict.fromkeys(chain.from_iterable([found.also[:_ALSO] for _, found in pairs])))


def is_bag(clauses: Sequence[Clause]) -> bool:
    """True for words that are only wanted, brackets or not."""
    return all(
        clause.occur == "should"
        and (
            not clause.any_of and is_bag(clause.children)
            if isinstance(clause, Group)
            else isinstance(clause, Term)
            and clause.match in ("word", "typing")
            and clause.field is None
            and not clause.synonym
        )
        for clause in clauses
    )
