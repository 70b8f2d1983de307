"""Why a document has its score: what each word adds in each field, and what the title adds.

The contributions sum to the score. A word's saturation is one for all fields, so its score is shared out
among them in proportion to their weighted, normalised frequencies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.bm25f import idf
from hinny.lexical.found import EXACT, KINDS, STEM, Found
from hinny.lexical.places import Piece
from hinny.lexical.scorer import Scorer
from hinny.lexical.words import QueryWord


@dataclass(frozen=True, slots=True)
class TermExplanation:
    """One word in one field."""

    word: str
    """As the reader typed it, folded."""
    match: str
    """How it was found: exact, stem, synonym, prefix, typo or sound."""
    field: str
    tf: int
    """How often its forms stand there."""
    idf: float
    norm: float
    """By how much the field's length divides the frequency."""
    weight: float
    """The field's weight times the word's own in the query and that of the kind of match."""
    contribution: float


@dataclass(frozen=True, slots=True)
class LexicalExplanation:
    """The score of one document, taken apart."""

    id: str
    score: float
    matched: bool
    """False when the document is no hit; its contributions are then what it would have earned."""
    terms: tuple[TermExplanation, ...]
    title: float = 0.0
    """What the title fields earn by the share of the query's idf that they cover."""
    exact_title: float = 0.0
    """What is added because the title is the query."""


class Explainer:
    """Takes apart the scores of one document with one scorer."""

    def __init__(self, scorer: Scorer, row: int, documents: int, fields: Sequence[str]) -> None:
        self._scorer = scorer
        self._row = row
        self._documents = documents
        self._fields = fields

    def word(self, word: QueryWord, found: Found) -> list[TermExplanation]:
        """What `word` adds; nothing when the document does not have it."""
        weights, scoring = self._scorer.weights, self._scorer.weights.scoring
        best: tuple[float, int, NDArray[np.int64], NDArray[np.float64], float, float] | None = None
        if found.stems:
            counts, stem = self._frequencies(found.stems)
            value, kind, share = self._base(word, found, stem)
            if value > 0:
                best = (found.idf * (scoring.delta + value), kind, counts, share, found.idf, 1.0)
        ceiling = found.idf if found.known else np.inf
        for expansion in found.expansions:
            counts, stem = self._frequencies(expansion.pieces)
            value = float(weights.saturated(stem)[0])
            if value <= 0:
                continue
            mine = min(idf(self._documents, self._scorer.holding(expansion.pieces)), ceiling)
            score = expansion.weight * mine * (scoring.delta + value)
            if best is None or score > best[0]:
                best = (score, expansion.kind, counts, stem[0] * weights.stem, mine, expansion.weight)
        if best is None:
            return []
        score, kind, counts, share, value, factor = best
        share = share / share.sum()
        return [
            TermExplanation(
                word.term,
                KINDS[kind],
                self._fields[column],
                int(counts[column]),
                value,
                float(1.0 / weights.inverse[column, self._row]),
                float(weights.stem[column]) * factor * word.weight,
                float(score * share[column] * word.weight),
            )
            for column in np.flatnonzero(share).tolist()
        ]

    def _base(
        self, word: QueryWord, found: Found, stem: NDArray[np.float64]
    ) -> tuple[float, int, NDArray[np.float64]]:
        """Saturation, kind, and each field's share of the word itself in any form."""
        weights = self._scorer.weights
        base = float(weights.saturated(stem)[0])
        value, kind, share = base, STEM, stem[0] * weights.stem
        for group, low, high in found.written:
            for entry in range(low, high):
                _, one = self._frequencies([(group, entry, entry + 1)])
                if not (one @ (weights.stem + weights.word))[0]:
                    continue
                part = self._scorer.share(entry, word.exact)
                value += part * (float(weights.saturated(stem, one)[0]) - base)
                share = share + part * one[0] * (weights.scoring.exact * weights.stem + weights.word)
                kind = EXACT
        return value, kind, share

    def _frequencies(self, pieces: Sequence[Piece]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Counts [F] and normalised frequencies [1, F] of some entries in the document."""
        gathered = self._scorer.gather(pieces)
        here = gathered.documents == self._row
        counts: NDArray[np.int64] = gathered.frequencies[here].sum(axis=0)
        return counts, counts * self._scorer.weights.inverse[:, self._row][None, :]
