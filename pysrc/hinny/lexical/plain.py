"""Bags of words: adding up ready-made impacts, and the shortest way there for the commonest kind of query.

The sums are the same whichever way a query comes; `Quick` only leaves out what a plain text with default
options does not need. Built-in analyzers cut a text at white space first, so it remembers whole chunks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.lookup import TYPO, Found, How
from hinny.lexical.results import LexicalHit, LexicalResult, top_rows
from hinny.lexical.scorer import Matches
from hinny.lexical.syntax import Clause, Group, ParsedQuery, Term, parse
from hinny.lexical.words import QueryWord
from hinny.text.analyzer import Analyzer

if TYPE_CHECKING:
    from hinny.lexical.index import LexicalIndex

_COMMON_IDF = log(3)
_ENOUGH = 4
_MEMO = 8192
_ALSO = 8
_DENSE = 16
"""A word in more than one of this many documents is added as a whole column."""
_LONGEST_CHUNK = 40
# What `syntax.parse` might read as more than a word: quotes, brackets, * and ~, a sign before something, a
# name before a colon, OR. It errs on the side of parsing.
_OPERATORS = re.compile(r"[\"“”„‟«»「」『』＂*＊~～()（）]|(?:^|\s)[-+−–－＋]|\w[:：]|(?:^|\s)OR(?:\s|$)")

Scores = NDArray[np.float64]


def may_have_operators(text: str) -> bool:
    """False for a text that is certainly nothing but words."""
    return _OPERATORS.search(text) is not None


def without_common(found: Sequence[Found]) -> list[int] | None:
    """Numbers of the words that are searched, or None for all.

    Words that stand in more than a third of all documents are left out when four rarer ones say enough: in
    a sentence they change little, and they are most of what would have to be read.
    """
    rare = [number for number, one in enumerate(found) if one.idf > _COMMON_IDF]
    return None if len(rare) < _ENOUGH or len(rare) == len(found) else rare


class Sum:
    """Scores of a bag of words, and what its title fields earned."""

    __slots__ = ("cover", "scores", "titled", "total")

    def __init__(
        self, made: Sequence[Matches | None], idfs: Sequence[float], weights: Sequence[float], documents: int
    ) -> None:
        shares = [idf * weight for idf, weight in zip(idfs, weights, strict=True)]
        self.total = sum(shares)
        """The idf of all words, each times its weight in the query."""
        self.cover: Scores | None = None
        """[N]: how much of `total` title fields have."""
        rows, impacts, titles, sizes, earned, dense = [], [], [], [], [], []
        for matches, weight, share in zip(made, weights, shares, strict=True):
            if matches is None:
                continue
            if matches.rows.size * _DENSE > documents:
                dense.append((matches, weight))
            else:
                rows.append(matches.rows)
                impacts.append(matches.scores if weight == 1.0 else matches.scores * weight)
            if matches.titles.size:
                titles.append(matches.titles)
                sizes.append(matches.titles.size)
                earned.append(share)
        self.scores: Scores = (
            _bincount(rows, np.concatenate(impacts), documents) if rows else np.zeros(documents)
        )
        for matches, weight in dense:
            column = matches.spread(documents)
            self.scores += column if weight == 1.0 else column * weight
        self.titled = len(titles)
        """How many of the words stand in a title field at all."""
        if titles:
            self.cover = _bincount(titles, np.repeat(earned, sizes), documents)


def _bincount(rows: Sequence[NDArray[np.intp]], weights: NDArray[np.float64], documents: int) -> Scores:
    return np.bincount(np.concatenate(rows), weights, documents).astype(np.float64, copy=False)


class Word:
    """A query word with what the dictionary has for it."""

    __slots__ = ("found", "word")

    def __init__(self, word: QueryWord, found: Found) -> None:
        self.word = word
        self.found = found


class Quick:
    """Plain texts with default options, when all they need is loaded."""

    def __init__(self, index: LexicalIndex) -> None:
        self._index = index
        self._splits = all(isinstance(analyzer, Analyzer) for analyzer in index._analyzers)
        self._chunks: dict[str, tuple[tuple[Word, float], ...]] = {}
        self._words: dict[str, Word] = {}
        self._how = How(edits=-1)

    def search(self, text: str, limit: int) -> LexicalResult | None:
        """The hits, or None when the text is not that plain or something is still to be fetched."""
        index = self._index
        if not self._splits:
            return None
        parsed: ParsedQuery | None = None
        if _OPERATORS.search(text):
            parsed = parse(text, fields=index._resident.fields)
            if not is_bag(parsed.clauses):
                return None
        weights: dict[Word, float] = {}
        chunks = self._chunks
        for chunk in text.split():
            for word, weight in chunks.get(chunk) or self._learn(chunk):
                weights[word] = weights.get(word, 0.0) + weight
        words = [word for word in weights if not word.word.stop] or list(weights)
        rare = without_common([word.found for word in words])
        if rare is not None:
            words = [words[number] for number in rare]
        made: list[Matches | None] = []
        slices, scorer = index._store.slices, index._scorer
        for word in words:
            found = word.found
            if found.arrays is not None:
                made.append(found.arrays)
                continue
            if any(slices[number] is None for number in found.slices):
                return None
            made.append(scorer.matches(word.word, found) if found.matches else None)
        added = Sum(made, [word.found.idf for word in words], [weights[word] for word in words], len(index))
        scores = added.scores
        total = int(np.count_nonzero(scores > 0))
        add_titles(index, added, [word.word for word in words], [word.found for word in words])
        ids = index._resident.ids
        hits = tuple([LexicalHit(ids[row], row, score) for row, score in top_rows(scores, None, limit, ids)])
        query = parsed or ParsedQuery(text)
        if not any(word.found.also for word in words):
            return LexicalResult(hits, total, query, query.problems)
        pairs = [(word.word, word.found) for word in words]
        return LexicalResult(
            hits, total, query, query.problems, did_you_mean(index, text, pairs), also_searched(pairs)
        )

    def _learn(self, chunk: str) -> tuple[tuple[Word, float], ...]:
        index = self._index
        made: list[tuple[Word, float]] = []
        for one in index._reader.plain(chunk)[0]:
            known = self._words.get(one.exact)
            if known is None or known.word.kind != one.kind:
                known = self._words[one.exact] = Word(one, index._lookup.find(one, self._how))
            made.append((known, one.weight))
        if len(chunk) <= _LONGEST_CHUNK:
            if len(self._chunks) >= _MEMO:
                self._chunks.clear()
                self._words.clear()
            self._chunks[chunk] = tuple(made)
        return tuple(made)

    def clear(self) -> None:
        """Forget everything remembered."""
        self._chunks.clear()
        self._words.clear()


def add_titles(
    index: LexicalIndex, added: Sum, words: Sequence[QueryWord], founds: Sequence[Found]
) -> tuple[Scores | None, NDArray[np.intp] | None, float]:
    """Add to the scores what title fields earn: by the square of the idf they cover, and for being the query.

    Returns what the cover earned by document, the rows whose title is the query, and what those earned.
    """
    scoring, cover = index._resident.scoring, added.cover
    if cover is None or not added.total:
        return None, None, 0.0
    exact: NDArray[np.intp] | None = None
    gain = scoring.exact_title * added.total
    if gain and added.titled == len(words):
        full = np.flatnonzero(cover >= added.total * (1 - 1e-9))
        if full.size:
            from hinny.lexical.titles import exact_titles

            exact = exact_titles(index._resident, index._scorer, words, founds, full)
            added.scores[exact] += gain
    earned: Scores | None = None
    if scoring.title:
        earned = np.multiply(cover, cover, out=cover)
        earned *= scoring.title / added.total
        added.scores += earned
    return earned, exact, gain


def did_you_mean(index: LexicalIndex, text: str, pairs: Sequence[tuple[QueryWord, Found]]) -> str | None:
    """The query with the words that the index lacks put right, where that can be done for one at least."""
    right = {
        word.term: found.also[0]
        for word, found in pairs
        if not found.known and found.expansions and found.expansions[0].kind == TYPO
    }
    if not right:
        return None
    corrected, end = "", 0
    for token in index._analyzers[0].analyze(text):
        if token.term in right and token.start >= end:
            corrected += text[end : token.start] + right[token.term]
            end = token.end
    return corrected + text[end:] if corrected else None


def also_searched(pairs: Sequence[tuple[QueryWord, Found]]) -> tuple[str, ...]:
    """The likeliest words that were searched beside the reader's."""
    return tuple(dict.fromkeys(word for _, found in pairs for word in found.also[:_ALSO]))


def is_bag(clauses: Sequence[Clause]) -> bool:
    """True for words that are only wanted, brackets or not."""
    return all(
        clause.occur == "should"
        and (
            not clause.any_of and is_bag(clause.children)
            if isinstance(clause, Group)
            else isinstance(clause, Term) and clause.match in ("word", "typing") and clause.field is None
        )
        for clause in clauses
    )
