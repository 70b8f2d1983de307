"""What the dictionary has for a query word: groups, entries, and other words that stand for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.places import Piece

EXACT, STEM, SYNONYM, PREFIX, TYPO, SOUND = range(6)
"""Kinds of match, best first."""
KINDS = ("exact", "stem", "synonym", "prefix", "typo", "sound")

Pieces = NDArray[np.int64]
"""[n, 3]: groups, and in each a range of entries."""


class Expansion:
    """Other words that stand for a query word: what kind of match they are, and how much that counts."""

    __slots__ = ("kind", "table", "weight")

    def __init__(self, kind: int, weight: float, table: Pieces) -> None:
        self.kind = kind
        self.weight = weight
        self.table = table

    @property
    def pieces(self) -> list[Piece]:
        """The table's rows."""
        return list(map(tuple, self.table.tolist()))


class Found:
    """A query word in the dictionary. `arrays` keeps its postings with the index's own weights, once used."""

    __slots__ = ("also", "arrays", "expansions", "idf", "problems", "slices", "stems", "written")

    def __init__(
        self,
        stems: list[Piece],
        written: list[Piece],
        expansions: list[Expansion],
        idf: float,
        slices: tuple[int, ...],
        problems: tuple[str, ...] = (),
        also: tuple[str, ...] = (),
    ) -> None:
        self.also = also
        """Words that stand for it, the likeliest first: completions, corrections, synonyms."""
        self.stems = stems
        """Whole groups: every form of the word."""
        self.written = written
        """The same groups' entries that are the word as written; aligned with `stems`, maybe empty."""
        self.expansions = expansions
        self.idf = idf
        self.slices = slices
        self.problems = problems
        self.arrays: Any = None

    @property
    def known(self) -> bool:
        """True when the index has the word itself, in any form."""
        return bool(self.stems)

    @property
    def matches(self) -> bool:
        """True when anything stands for the word."""
        return bool(self.stems or self.expansions)
