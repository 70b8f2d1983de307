"""Synonyms from a file of the site's own, applied when a query is asked.

One group a line; `#` starts a comment:

    k8s, kubernetes            any of them finds the others
    db => database, data base  the left finds the right too, not the other way round
    laptop, notebook ^0.4      what is found through this line counts 0.4 instead of 0.6

A synonym may have several words. Nothing is chained: `a, b` and `b, c` do not make c a synonym of a.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hinny.errors import InvalidInput
from hinny.text.segmentation import get_segmenter
from hinny.text.tokens import BIGRAM, PART

DEFAULT_WEIGHT = 0.6

Words = tuple[str, ...]


class Alternative(NamedTuple):
    """Another way to say the `length` words of a query from word `start` on."""

    start: int
    length: int
    words: Words
    """Folded."""
    weight: float
    """Above 0, at most 1."""


class Synonyms:
    """What may stand for what; look it up with `expand`."""

    def __init__(self, table: Mapping[Words, Mapping[Words, float]] | None = None) -> None:
        self._table: dict[Words, dict[Words, float]] = {
            key: dict(value) for key, value in (table or {}).items()
        }
        self._longest = max(map(len, self._table), default=0)

    def __len__(self) -> int:
        return len(self._table)

    @classmethod
    def parse(cls, text: str) -> Synonyms:
        """Read a file's text. `InvalidInput` names the line that makes no sense."""
        table: dict[Words, dict[Words, float]] = {}
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.partition("#")[0].strip()
            if line:
                _add_line(table, line, number)
        return cls(table)

    def expand(self, terms: Sequence[str]) -> list[Alternative]:
        """All alternatives for a query's folded whole words, in the order of where they start."""
        found: list[Alternative] = []
        for start in range(len(terms)):
            for length in range(1, min(self._longest, len(terms) - start) + 1):
                known = self._table.get(tuple(terms[start : start + length]), {})
                found.extend(Alternative(start, length, words, weight) for words, weight in known.items())
        return found

    def single_words(self) -> dict[str, dict[str, float]]:
        """The synonyms of one word that are one word: what `LexicalIndex.search(synonyms=...)` takes."""
        found: dict[str, dict[str, float]] = {}
        for key, value in self._table.items():
            others = {words[0]: weight for words, weight in value.items() if len(words) == 1}
            if len(key) == 1 and others:
                found[key[0]] = others
        return found

    def to_data(self) -> list[Any]:
        """As JSON data, sorted: [[words, [[words, weight], ...]], ...]."""
        return [
            [list(key), [[list(words), weight] for words, weight in sorted(value.items())]]
            for key, value in sorted(self._table.items())
        ]

    @classmethod
    def from_data(cls, data: Iterable[Any]) -> Synonyms:
        """What `to_data` wrote."""
        return cls(
            {tuple(key): {tuple(words): float(weight) for words, weight in value} for key, value in data}
        )


def words_of(text: str) -> Words:
    """A synonym's words: the whole words of every analyzer, and the characters of unspaced scripts."""
    return tuple(token.term for token in get_segmenter().tokens(text) if token.kind not in (PART, BIGRAM))


def _add_line(table: dict[Words, dict[Words, float]], line: str, number: int) -> None:
    line, weight = _take_weight(line, number)
    left, arrow, right = line.partition("=>")
    if "=>" in right:
        raise InvalidInput(f"synonyms, line {number}: more than one =>")
    given, found = _group(left, number), _group(right if arrow else left, number)
    if not arrow and len(given) < 2:
        raise InvalidInput(f"synonyms, line {number}: a group needs two words or more, or an =>")
    for key in given:
        for other in found:
            if other != key:
                entry = table.setdefault(key, {})
                entry[other] = max(weight, entry.get(other, 0.0))


def _take_weight(line: str, number: int) -> tuple[str, float]:
    head, hat, tail = line.rpartition("^")
    if not hat:
        return line, DEFAULT_WEIGHT
    try:
        weight = float(tail)
    except ValueError:
        weight = 0.0
    if not 0.0 < weight <= 1.0:
        raise InvalidInput(
            f"synonyms, line {number}: weight {tail.strip()!r} is no number above 0 and at most 1"
        )
    return head, weight


def _group(text: str, number: int) -> list[Words]:
    members = [words_of(member) for member in text.split(",")]
    if not all(members):
        raise InvalidInput(f"synonyms, line {number}: an empty place, or one without letter or digit")
    return members
