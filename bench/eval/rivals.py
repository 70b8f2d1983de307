"""bm25s, the rival in words: Lucene's BM25 with k1 = 1.5 and b = 0.75 over title and text as one field.

Each language as bm25s's own documentation sets it up: its stop words and a Snowball stemmer where there are
such; Chinese in single characters and pairs, since it brings no segmenter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import bm25s
import Stemmer
from bench.eval.metrics import DEPTH

STEMMERS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "ar": "arabic",
}
STOPWORDS = frozenset(("en", "de", "fr", "es", "it"))
_IDEOGRAPHS = re.compile("([\u3400-\u9fff\uf900-\ufaff]+)")
_WORDS = r"(?u)\b\w\w+\b"
"""bm25s's own: two characters or more."""
_CHARACTERS = r"(?u)\b\w+\b"


def bm25s_rankings(
    ids: Sequence[str], texts: Sequence[str], asked: Sequence[str], language: str
) -> list[list[str]]:
    """The first 100 ids for each question; documents that match no word are left out."""
    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index(_tokens(texts, language), show_progress=False)
    depth = min(DEPTH, len(ids))
    rows, scores = model.retrieve(_tokens(asked, language), k=depth, show_progress=False)
    return [
        [ids[row] for row, score in zip(*pair, strict=True) if score > 0]
        for pair in zip(rows.tolist(), scores.tolist(), strict=True)
    ]


def _tokens(texts: Sequence[str], language: str) -> list[list[str]]:
    chosen = STEMMERS.get(language)
    found: list[list[str]] = bm25s.tokenize(
        [pairs(text) for text in texts] if language == "zh" else list(texts),
        stopwords=language if language in STOPWORDS else None,
        stemmer=Stemmer.Stemmer(chosen) if chosen else None,
        token_pattern=_CHARACTERS if language == "zh" else _WORDS,
        return_ids=False,
        show_progress=False,
    )
    return found


def pairs(text: str) -> str:
    """Runs of ideographs as single characters and as pairs, set off by spaces."""

    def split(run: re.Match[str]) -> str:
        characters = run.group()
        both = pairwise(characters)
        return f" {' '.join(characters)} {' '.join(map(''.join, both))} "

    return _IDEOGRAPHS.sub(split, text)
