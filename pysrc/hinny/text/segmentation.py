"""Texts to tokens: the same cut for every language and script, on the page's side and on the query's.

A text falls apart at white space first. Each chunk is cut on its own and remembered, so that a common
chunk costs one look-up: a manual of a million words is cut in about a second. Inside a chunk, in order of
first match (`characters.py` has the class letters):

- words, numbers, dates and identifiers: `identifiers.py` says into what they fall;
- runs of scripts written without spaces (Chinese, Japanese, Thai, Khmer, Lao, Burmese): every character with
  its marks, and every two neighbours;
- Korean words: the word, and its pairs of syllables when it has three or more.
"""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import accumulate, chain, pairwise
from operator import itemgetter

from hinny.text.characters import classes_of, normalize
from hinny.text.folding import fold, lower
from hinny.text.identifiers import MAX_LENGTH, Row, cut_identifier
from hinny.text.tokens import BIGRAM, UNIGRAM, WORD, Columns, Token

_WORD = "[aA0][aA0m]*"
_JOIN = r"(?:_+|[./\\@#-]|::|i|(?<=[aAm])'(?=[aA])|(?<=A)&(?=A)|(?<=0),(?=000(?!0)))"
_FLAG = r"(?<![^(\[{\"'`,=|])--?(?=[aA_])"
_SIGIL = rf"(?:{_FLAG}|(?<![aA0mhtk.)\]}}>_-])\.(?=[aA_])|(?<![aA0mhtk])[@$#\\](?=[aA0_]))?_*"
_SUFFIX = r"(?:_+|(?<=[aA])\+\+0*(?![aA0])|(?<=[aA])#(?![aA0]))?"
_ITEM = (
    rf"(?P<word>{_SIGIL}{_WORD}(?:{_JOIN}{_WORD})*{_SUFFIX})"
    r"|(?P<run>h[hm]*|t[tm]*)"
    r"|(?P<korean>k[km]*)"
)
_CLUSTER = "[htk]m*"

_OPENING = "(\"'[{"
_CLOSING = ".,;:!?)\"']}"
_MAX_CACHED = 100_000
_MAX_CACHED_CHUNK = 40

# Of one chunk: how many positions it takes, then terms, relative positions, kinds and exact forms.
Forms = tuple[int, tuple[str, ...], tuple[int, ...], tuple[int, ...], tuple[str, ...]]
_ONE = (0,)


class Segmenter:
    """Cuts texts and remembers chunks; `turkic` changes the exact forms only."""

    def __init__(self, *, turkic: bool = False) -> None:
        self._lower = partial(lower, turkic=True) if turkic else lower
        self._turkic = turkic
        self._forms: dict[str, Forms] = {}

    def tokens(self, text: str) -> list[Token]:
        """Tokens with their offsets in the original text."""
        tokens: list[Token] = []
        position = 0
        for match in re.finditer(r"\S+", text):
            offset = match.start()
            rows = self.rows(match.group())
            for term, relative, start, end, kind, exact in rows:
                tokens.append(Token(term, position + relative, offset + start, offset + end, kind, exact))
            if rows:
                position += rows[-1][1] + 1
        return tokens

    def words(self, text: str) -> tuple[list[str], list[int]]:
        """Terms and positions."""
        forms = self._all_forms(text)
        return list(chain.from_iterable(map(itemgetter(1), forms))), _positions(forms)

    def columns(self, text: str) -> Columns:
        """Terms, positions, kinds and exact forms."""
        forms = self._all_forms(text)
        terms, kinds, exacts = (
            list(chain.from_iterable(map(itemgetter(column), forms))) for column in (1, 3, 4)
        )
        return Columns(terms, _positions(forms), kinds, exacts)

    def _all_forms(self, text: str) -> list[Forms]:
        chunks = text.split()
        forms = list(map(self._forms.get, chunks))
        return [
            self.forms(chunk) if known is None else known for chunk, known in zip(chunks, forms, strict=True)
        ]

    def forms(self, chunk: str) -> Forms:
        """What one chunk without white space gives, remembered; see `Forms`."""
        known = self._forms.get(chunk)
        if known is not None:
            return known
        rows = self.rows(chunk)
        forms: Forms
        if len(rows) == 1 and rows[0][4] == WORD:
            terms = (rows[0][0],)
            exacts = terms if rows[0][5] is rows[0][0] else (rows[0][5],)
            forms = (1, terms, _ONE, _ONE, exacts)
        elif rows:
            columns = tuple(zip(*rows, strict=True))
            forms = (rows[-1][1] + 1, columns[0], columns[1], columns[4], columns[5])
        else:
            forms = (0, (), (), (), ())
        if len(chunk) <= _MAX_CACHED_CHUNK:
            if len(self._forms) >= _MAX_CACHED:
                self._forms.clear()
            self._forms[chunk] = forms
        return forms

    def rows(self, chunk: str) -> list[Row]:
        """The rows of one chunk in the order of their positions, offsets within the chunk."""
        if chunk.isascii():  # the common case: a plain word, perhaps with punctuation around it
            core = chunk.lstrip(_OPENING)
            start = len(chunk) - len(core)
            core = core.rstrip(_CLOSING)
            if core.isalpha() and 1 < len(core) <= MAX_LENGTH and (core[1:].islower() or core.isupper()):
                term = core.lower()
                exact = self._lower(core) if self._turkic else term
                return [(term, 0, start, start + len(core), WORD, term if exact == term else exact)]
        text, starts, ends = normalize(chunk)
        rows = self._cut_normal(text)
        if starts is None or ends is None:
            return rows
        return [
            (term, position, starts[start], ends[end - 1], kind, exact)
            for term, position, start, end, kind, exact in rows
        ]

    def _cut_normal(self, text: str) -> list[Row]:
        classes = classes_of(text)
        rows: list[Row] = []
        position = 0
        for match in re.finditer(_ITEM, classes):
            kind, start, end = match.lastgroup, match.start(), match.end()
            if kind == "run":
                self._cut_run(text, classes, start, end, position, rows)
            elif kind == "korean":
                self._cut_korean(text, classes, start, end, position, rows)
            else:
                cut_identifier(text, classes, start, end, position, rows, self._lower)
            if rows:
                position = rows[-1][1] + 1
        return rows

    def _cut_run(self, text: str, classes: str, start: int, end: int, position: int, rows: list[Row]) -> None:
        clusters = _clusters(classes, start, end)
        for index, (first, last) in enumerate(clusters):
            rows.append(self._row(text, first, last, position + index, UNIGRAM))
            if index + 1 < len(clusters):
                rows.append(self._row(text, first, clusters[index + 1][1], position + index, BIGRAM))

    def _cut_korean(
        self, text: str, classes: str, start: int, end: int, position: int, rows: list[Row]
    ) -> None:
        clusters = _clusters(classes, start, end)
        for first in range(0, len(clusters), MAX_LENGTH):
            word = clusters[first : first + MAX_LENGTH]
            rows.append(self._row(text, word[0][0], word[-1][1], position, WORD))
            if len(word) > 2:
                for left, right in pairwise(word):
                    rows.append(self._row(text, left[0], right[1], position, BIGRAM))
            position += 1

    def _row(self, text: str, start: int, end: int, position: int, kind: int) -> Row:
        piece = text[start:end]
        term, exact = fold(piece), self._lower(piece)
        return (term, position, start, end, kind, term if exact == term else exact)


def _positions(forms: list[Forms]) -> list[int]:
    starts = accumulate(map(itemgetter(0), forms), initial=0)
    return [start + relative for start, form in zip(starts, forms, strict=False) for relative in form[2]]


def _clusters(classes: str, start: int, end: int) -> list[tuple[int, int]]:
    """Each character of a run with its marks."""
    return [
        (start + match.start(), start + match.end()) for match in re.finditer(_CLUSTER, classes[start:end])
    ]


@cache
def get_segmenter(*, turkic: bool = False) -> Segmenter:
    """The segmenter that all analyzers of the kind share, with what it remembers."""
    return Segmenter(turkic=turkic)
