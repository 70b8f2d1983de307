"""Excerpts: the stretch of a text that says most about why it was found, with its matches marked by offsets.

The best window of a given length is the one whose matched words weigh most (by idf: each word of the query
in full once, its repetitions a quarter in all, words that follow each other as in a phrase half as much
again), found by one sliding pass, linear in the text's length. Nothing here makes or reads markup.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from hinny.site.wanted import Match
from hinny.text.characters import class_of


class Excerpt(NamedTuple):
    """A stretch of a text, white space collapsed."""

    text: str
    marks: tuple[tuple[int, int], ...]
    """Code-point ranges [start, end) in `text`, in order, none touching another."""
    start: int
    """Where the stretch lies in the whole text."""
    end: int
    cut_before: bool
    """True when there is text before it: the place for an ellipsis."""
    cut_after: bool


def ranges(matches: list[Match]) -> tuple[tuple[int, int], ...]:
    """Code-point ranges to mark in a whole text such as a title: in order, none touching another."""
    return _merge([(match.start, match.end) for match in matches])


def cut(text: str, matches: list[Match], *, length: int) -> Excerpt:
    """The densest window of about `length` columns (a wide character takes two).

    Without a match it is the beginning of the text.
    """
    if not matches:
        start, stop = _stretch(text, 0, 0, length)
    else:
        first, last = _densest(matches, _budget(text, matches[0].start, length))
        start, stop = _stretch(text, matches[first].start, matches[last].end, length)
    return _make(text, start, stop, matches)


def _densest(matches: list[Match], length: int) -> tuple[int, int]:
    """Indices of the first and last match of the best window of at most `length` characters."""
    weights: dict[str, float] = {}
    for _, _, _, weight, concept in matches:
        if weight > weights.get(concept, -1.0):
            weights[concept] = weight
    counts = dict.fromkeys(weights, 0)
    pairs = [0.0, *map(_pair, matches, matches[1:])]
    best = -1.0
    chosen = (0, 0)
    score = 0.0
    left, begin = 0, matches[0].start
    for right, (_, end, _, weight, concept) in enumerate(matches):
        seen = counts[concept]
        score += weights[concept] * _AGAIN[min(seen, _MOST)] + _CLOSER * weight + pairs[right]
        counts[concept] = seen + 1
        while end - begin > length and left < right:
            _, _, _, weight, concept = matches[left]
            seen = counts[concept] = counts[concept] - 1
            left += 1
            score -= weights[concept] * _AGAIN[min(seen, _MOST)] + _CLOSER * weight + pairs[left]
            begin = matches[left].start
        if score > best * (1 + 1e-9):
            best, chosen = score, (left, right)
    return chosen


_MOST = 30
_AGAIN = (1.0, *(0.25 * 0.5**seen for seen in range(1, _MOST + 1)))
"""What one more match of a concept counts after so many others."""
_CLOSER = 0.05
"""Share of a match's own weight: a little more for a closer form."""


def _pair(one: Match, two: Match) -> float:
    """A bonus for a match that follows another word of the query directly."""
    if two.position - one.position == 1 and one.concept != two.concept:
        return 0.5 * min(one.weight, two.weight)
    return 0.0


_SENTENCE_END = (
    r"[.!?\u2026]+[\"'\u2019\u201d)\]]*\s+|[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\uff09]*|\n\s*\n"
)
_SPACES = re.compile(r"\s+")
_LEAD = 0.25
_LONG_WORD = 40


def _budget(text: str, around: int, length: int) -> int:
    """`length` columns in characters: half as many where the text is written in wide characters."""
    sample = text[max(0, around - 50) : around + 50]
    if sample.isascii():
        return max(1, length)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in sample)
    return max(1, length // 2 if wide * 2 > len(sample) else length)


def _stretch(text: str, first: int, last: int, length: int) -> tuple[int, int]:
    """Widen [first, last) to about `length`, from a sentence's start where one is near, else a word's."""
    budget = _budget(text, first, length)
    earliest = max(0, first - max(0, budget - (last - first)))
    start = 0 if earliest == 0 else -1
    for found in re.finditer(_SENTENCE_END, text[earliest:first]):
        start = earliest + found.end()
    if start < 0:
        start = _word_start(text, max(earliest, first - int(budget * _LEAD)), first)
    end = max(last, min(len(text), start + budget))
    if end < len(text):
        end = _word_end(text, max(last, end - _LONG_WORD), end)
    elif start > 0:  # the text ends here: give the room to what stands before
        start = min(start, _word_start(text, max(0, len(text) - budget), start))
    return start, end


def _is_inside_word(text: str, at: int) -> bool:
    """True where a cut would part a mark from its letter, or a word of a script with spaces."""
    if not 0 < at < len(text):
        return False
    here, before = text[at], text[at - 1]
    if unicodedata.category(here)[0] in "MC":
        return True
    return here.isalnum() and before.isalnum() and not ({class_of(here), class_of(before)} & {"h", "t"})


def _word_start(text: str, at: int, limit: int) -> int:
    """The first place from `at` to `limit` that cuts no word; `at` when there is none near."""
    for index in range(at, min(limit, at + _LONG_WORD) + 1):
        if not _is_inside_word(text, index):
            return index
    return at


def _word_end(text: str, floor: int, at: int) -> int:
    """The last place from `floor` to `at` that cuts no word; `at` when there is none near."""
    for index in range(at, floor - 1, -1):
        if not _is_inside_word(text, index):
            return index
    return at


def _merge(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges that overlap or touch become one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return tuple(merged)


def _make(text: str, start: int, end: int, matches: list[Match]) -> Excerpt:
    """Cut, collapse white space, and carry the marks over."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    ranges = _merge(
        [
            (max(match.start, start), min(match.end, end))
            for match in matches
            if match.end > start and match.start < end
        ],
    )
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    size = 0
    at = start
    for low, high in [*ranges, (end, end)]:
        before = _collapse(text[at:low])
        inside = _collapse(text[low:high])
        pieces += (before, inside)
        size += len(before)
        if inside:
            marks.append((size, size + len(inside)))
        size += len(inside)
        at = high
    return Excerpt(
        "".join(pieces),
        tuple(marks),
        start,
        end,
        cut_before=bool(text[:start].strip()),
        cut_after=bool(text[end:].strip()),
    )


def _collapse(text: str) -> str:
    return _SPACES.sub(" ", text)
