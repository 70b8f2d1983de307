"""What an analyzer hands out: tokens, and the same as columns for bulk indexing."""

from __future__ import annotations

from typing import NamedTuple

WORD = 0
"""A whole word, number or identifier."""
PART = 1
"""A part of the identifier before it, at the identifier's position (`user` of `createUser`)."""
UNIGRAM = 2
"""One character of a script written without spaces."""
BIGRAM = 3
"""Two neighbouring characters of such a script, or of a Korean word, at the first one's position."""
JOINED = 4
"""The closed spelling of a hyphenated word, at its first word's position (`fulltext` of `full-text`)."""


class Token(NamedTuple):
    """One searchable form. Several forms can stand at one position."""

    term: str
    """Folded: NFKC, casefolded, diacritics removed, apostrophes resolved."""
    position: int
    """Counted in words from 0. Parts of an identifier share its position."""
    start: int
    """Code-point offset in the original text."""
    end: int
    """Code-point offset in the original text, exclusive."""
    kind: int
    """`WORD`, `PART`, `UNIGRAM`, `BIGRAM` or `JOINED`."""
    exact: str
    """The lower-case NFKC spelling as written; the same object as `term` when they are equal."""


class Columns(NamedTuple):
    """The tokens of a text without offsets, as parallel lists."""

    terms: list[str]
    positions: list[int]
    kinds: list[int]
    exacts: list[str]
