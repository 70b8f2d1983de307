"""BM25F (Zaragoza et al. 2004; Robertson and Zaragoza 2009) with the Lucene idf.

Each field's term frequency is divided by that field's own length norm, weighted, and summed; the sum is
saturated once, with one idf for the document:

    norm_f = 1 - b_f + b_f * length_f / average_f
    tf     = sum over f of weight_f * tf_f / norm_f
    score  = idf * (delta + tf / (k1 + tf)),        idf = ln(1 + (N - n + 0.5) / (n + 0.5))

The average length of a field is taken over the documents that have the field. With one field, weight 1 and
delta 0 this is Lucene's BM25. `combine="sum"` is the alternative that adds up each field's own saturation.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.options import FieldOptions, Scoring


def idf(documents: int, holding: int) -> float:
    """Lucene's inverse document frequency: of a word that `holding` of `documents` documents contain."""
    return log(1.0 + (documents - holding + 0.5) / (holding + 0.5))


def idfs(documents: int, holding: NDArray[np.int64]) -> NDArray[np.float64]:
    """`idf` of many words at once: float64 [n]."""
    result: NDArray[np.float64] = np.log1p((documents - holding + 0.5) / (holding + 0.5))
    return result


def averages(lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean length of each field over the documents that have it: float64 [F]; 1 for a field that none has."""
    having = np.count_nonzero(lengths, axis=1)
    return np.where(having > 0, lengths.sum(axis=1) / np.maximum(having, 1), 1.0)


def inverse_norms(lengths: NDArray[np.int64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / norm of every field of every document: float64 [F, N]."""
    relative = lengths / averages(lengths)[:, None]
    return 1.0 / np.maximum(1.0 - b[:, None] + b[:, None] * relative, 1e-9)


class Weights:
    """How one search weighs the stored fields: for stems, and for words as written.

    `stem` and `word` are float64 [F]: a field's weight for any form of a word, and what a surface
    companion of it adds for the word as written. `inverse` float64 [F, N] is 1 / norm.
    """

    __slots__ = ("inverse", "scoring", "stem", "word")

    def __init__(
        self,
        fields: Mapping[str, FieldOptions],
        columns: Mapping[str, int],
        lengths: NDArray[np.int64],
        scoring: Scoring,
        inverse: NDArray[np.float64] | None = None,
    ) -> None:
        width = lengths.shape[0]
        self.stem = np.zeros(width)
        self.word = np.zeros(width)
        b = np.zeros(width)
        for name, options in fields.items():
            if options.surface:
                self.word[columns[name]] += options.weight
            else:
                self.stem[columns[name]] += options.weight
                b[columns[name]] = options.b
        self.inverse = inverse_norms(lengths, b) if inverse is None else inverse
        self.scoring = scoring

    def normalised(self, rows: NDArray[np.integer], tf: NDArray[np.int64]) -> NDArray[np.float64]:
        """Frequencies [P, F] of documents `rows` [P], each divided by its field's norm: float64 [P, F]."""
        result: NDArray[np.float64] = tf * self.inverse[:, rows].T
        return result

    def summed(
        self, rows: NDArray[np.integer], table: NDArray[np.int64], codes: NDArray[np.integer]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Weighted sums over the fields of `normalised(rows, table[codes])`: float64 [P] each.

        The first for any form of a word, the second what the word as written has on top. One field after
        the other, so that they are the same to the bit wherever they are worked out.
        """
        total, more = np.zeros(rows.size), np.zeros(rows.size)
        for column in range(table.shape[1]):
            if not (self.stem[column] or self.word[column]):
                continue
            value = table[:, column].astype(np.float64).take(codes)
            value *= self.inverse[column].take(rows)
            total += value * self.stem[column]
            if self.word[column]:
                more += value * self.word[column]
        more += total * self.scoring.exact
        return total, more

    def saturated(
        self, stem: NDArray[np.float64], word: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """The part of the score that idf multiplies, without delta: float64 [P].

        `stem` [P, F] are normalised frequencies of all forms of a word, `word` [P, F] those of the form
        that the query has, where that is to count.
        """
        k1, written = self.scoring.k1, self.scoring.exact * self.stem + self.word
        if self.scoring.combine == "sum":
            summed: NDArray[np.float64] = (self.stem * saturate(stem, k1)).sum(axis=1)
            return summed if word is None else summed + (written * saturate(word, k1)).sum(axis=1)
        total: NDArray[np.float64] = stem @ self.stem
        return saturate(total if word is None else total + word @ written, k1)


def saturate(tf: NDArray[np.float64], k1: float) -> NDArray[np.float64]:
    """tf / (k1 + tf), and 0 for 0."""
    most = tf + k1
    result: NDArray[np.float64] = tf / (most if k1 > 0 else np.maximum(most, 1e-12))
    return result
