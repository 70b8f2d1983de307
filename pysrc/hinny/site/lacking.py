"""Which of a reader's words a hit lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from hinny.text.analyzer import JOINED, PART, WORD, Token


class Asked(NamedTuple):
    """A word of the reader's, as it was typed."""

    text: str
    concept: str
    parts: frozenset[str] = frozenset()
    """Concepts of an identifier's parts: all of them are as good as the whole."""
    joined: frozenset[str] = frozenset()
    """Concepts of closed spellings that hold it: `fulltext` of `full-text`."""


def words_of(text: str, tokens: Sequence[Token], is_stop: Callable[[str], bool]) -> Iterator[Asked]:
    """The words of an analysed text that a reader would call so.

    Stop words are none, nor are the pieces of writing without spaces: their number says nothing.
    """
    for token in tokens:
        if token.kind == WORD and not is_stop(token.term):
            parts = (other for other in tokens if other.kind == PART and _inside(other, token))
            joined = (other for other in tokens if other.kind == JOINED and _inside(token, other))
            yield Asked(text[token.start : token.end], token.term, _terms(parts), _terms(joined))


def _inside(inner: Token, outer: Token) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _terms(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset(token.term for token in tokens)


_ALIKE = 0.6


def stands_for(word: str, asked: Sequence[Asked]) -> str:
    """The concept of the reader's word that a word of the index completes or corrects; itself where none is.

    That is the longest word that it begins with, else the one with most letters in common: 60 per cent
    of both words' letters at least (Dice's coefficient). A synonym has none.
    """
    begun = [one.concept for one in asked if word.startswith(one.concept)]
    if begun:
        return max(begun, key=len)
    best, chosen = _ALIKE, word
    letters = Counter(word)
    for one in asked:
        shared = (letters & Counter(one.concept)).total()
        alike = 2 * shared / (len(word) + len(one.concept))
        if alike > best:
            best, chosen = alike, one.concept
    return chosen


def lacking(asked: Sequence[Asked], met: Set[str], others: Set[str] = frozenset()) -> tuple[str, ...]:
    """Those of the reader's words that a hit lacks, as they were typed; `met` holds the concepts it has.

    Nothing where it has none of them, which only says that it was found in another way; nor where it has
    one of `others`, words such as a synonym that stand for none of them: whose place it takes, nobody knows.
    """
    if met & others:
        return ()
    absent = [one.text for one in asked if not _is_met(one, met)]
    return tuple(dict.fromkeys(absent)) if len(absent) < len(asked) else ()


def _is_met(one: Asked, met: Set[str]) -> bool:
    return one.concept in met or bool(one.joined & met) or (bool(one.parts) and one.parts <= met)
