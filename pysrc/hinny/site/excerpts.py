"""Excerpts: the stretch of a text that says most about why it was found, with its matches marked by offsets.

The best window of a given length is the one whose matched words weigh most (by idf: each word of the query
in full once, its repetitions a quarter in all, words that follow each other as in a phrase half as much
again), found by one sliding pass, linear in the text's length. Nothing here makes or reads markup.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from hinny.lexical.syntax import ParsedQuery, Term
from hinny.text.analyzer import BIGRAM, PART, UNIGRAM, Analyzer, Token
from hinny.text.characters import class_of
from hinny.text.folding import fold
from hinny.text.languages import LANGUAGES

Pattern = Literal["prefix", "suffix", "substring"]


class Match(NamedTuple):
    """A matched stretch of a text: code-point offsets, weight, and the query's word that it stands for."""

    start: int
    end: int
    position: int
    weight: float
    concept: str


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


class Wanted:
    """The words to look for in texts of one analyzer.

    `concept` is the query's word that a form stands for: forms of one concept count once in a window.
    """

    def __init__(self, analyzer: Analyzer, words: Mapping[str, float] | None = None) -> None:
        self.analyzer = analyzer
        self._words: dict[str, tuple[float, str]] = {}
        self._stems: dict[str, tuple[float, str]] = {}
        self._patterns: list[tuple[Pattern, str, float, str]] = []
        for word, weight in (words or {}).items():
            self.add_word(word, weight)

    def __bool__(self) -> bool:
        return bool(self._words or self._stems or self._patterns)

    def add_word(self, word: str, weight: float, concept: str | None = None) -> None:
        """A word of the index, folded or exact, as a lexical search says it matched."""
        _keep_best(self._words, word, weight, concept or word)

    def add_stem(self, word: str, weight: float, concept: str | None = None) -> None:
        """Every word with the same stem as this one."""
        _keep_best(self._stems, self.analyzer.stem(word), weight, concept or fold(word))

    def add_pattern(self, kind: Pattern, text: str, weight: float, concept: str | None = None) -> None:
        """Every word that starts with, ends with or holds the folded text."""
        if text:
            self._patterns.append((kind, fold(text), weight, concept or text))

    def find(self, text: str) -> list[Match]:
        """All matches in the order of their start; those of one identifier may overlap."""
        if not self:
            return []
        segmenter = self.analyzer.segmenter
        weigh = self._weigher()
        known: dict[str, tuple[int, list[Match]]] = {}
        matches: list[Match] = []
        position = 0
        for found in re.finditer(r"\S+", text):
            chunk = found.group()
            learned = known.get(chunk)
            if learned is None:
                count, terms, _, _, exacts = segmenter.forms(chunk)
                inside: list[Match] = []
                if any(weigh(term, exact) for term, exact in zip(terms, exacts, strict=True)):
                    for term, relative, start, end, _, exact in segmenter.rows(chunk):
                        hit = weigh(term, exact)
                        if hit is not None:
                            inside.append(Match(start, end, relative, *hit))
                    inside.sort()
                learned = known[chunk] = (count, inside)
            offset = found.start()
            matches.extend(
                Match(start + offset, end + offset, relative + position, weight, concept)
                for start, end, relative, weight, concept in learned[1]
            )
            position += learned[0]
        return matches

    def _weigher(self) -> Callable[[str, str], tuple[float, str] | None]:
        """A function from a token's term and exact form to its weight and concept, None for no match."""
        words, stems, patterns = self._words, self._stems, self._patterns
        language = LANGUAGES.get(self.analyzer.language or "")
        # Where a language's stemmer leaves the first letter alone, most words need not be stemmed.
        initials = None if language is not None and language.prefixes else {stem[:1] for stem in stems}
        stem_of = self.analyzer.stem

        def weigh(term: str, exact: str) -> tuple[float, str] | None:
            hit = words.get(exact) or words.get(term)
            if hit is None and stems and (initials is None or term[:1] in initials):
                hit = stems.get(stem_of(exact))
            if hit is None:
                for kind, part, weight, concept in patterns:
                    if (
                        (kind == "prefix" and term.startswith(part))
                        or (kind == "suffix" and term.endswith(part))
                        or (kind == "substring" and part in term)
                    ):
                        return weight, concept
            return hit

        return weigh


def _keep_best(known: dict[str, tuple[float, str]], word: str, weight: float, concept: str) -> None:
    if word and weight > known.get(word, (0.0, ""))[0]:
        known[word] = (weight, concept)


def wanted_of(
    query: ParsedQuery,
    analyzer: Analyzer,
    *,
    weigh: Callable[[str], float] = lambda term: 1.0,
    also: Mapping[str, float] | None = None,
) -> Wanted:
    """What a query asks for, for texts of one analyzer.

    `weigh` gives a folded word's idf; `also` are further words of the index that matched (corrected
    spellings, synonyms) with their weights. Stop words count only when there is nothing else.
    """
    wanted = Wanted(analyzer, also)
    content: list[tuple[Token, bool]] = []
    stops: list[tuple[Token, bool]] = []
    for leaf in query.leaves():
        if leaf.occur == "not":
            continue
        if isinstance(leaf, Term) and leaf.match in ("prefix", "suffix", "substring"):
            wanted.add_pattern(leaf.match, leaf.text, weigh(fold(leaf.text)))
            continue
        tokens = analyzer.analyze(leaf.text)
        pairs = {end for token in tokens if token.kind == BIGRAM for end in (token.start, token.end)}
        for token in tokens:
            if token.kind == UNIGRAM and (token.start in pairs or token.end in pairs):
                continue  # its pairs say where it matters
            typing = isinstance(leaf, Term) and leaf.match == "typing" and token.end == len(leaf.text)
            (stops if analyzer.is_stop(token.term) and not typing else content).append((token, typing))
    for token, typing in content or ([] if wanted else stops):
        weight = max(weigh(token.term), _LEAST) * (0.5 if token.kind == PART else 1.0)
        wanted.add_word(token.exact, weight, token.term)
        wanted.add_word(token.term, 0.95 * weight, token.term)
        wanted.add_stem(token.exact, 0.9 * weight, token.term)
        if typing:
            wanted.add_pattern("prefix", token.term, 0.8 * weight, token.term)
    return wanted


def mark(text: str, wanted: Wanted) -> tuple[tuple[int, int], ...]:
    """Code-point ranges to mark in a short text such as a title: in order, none touching another."""
    return _merge([(match.start, match.end) for match in wanted.find(text)])


def excerpt(text: str, wanted: Wanted, *, length: int = 240) -> Excerpt:
    """The densest window of about `length` columns (a wide character takes two).

    Without a match it is the beginning of the text.
    """
    matches = wanted.find(text)
    if not matches:
        start, stop = _stretch(text, 0, 0, length)
    else:
        first, last = _densest(matches, _budget(text, matches[0].start, length))
        start, stop = _stretch(text, matches[first].start, matches[last].end, length)
    return _make(text, start, stop, matches)


def _densest(matches: list[Match], length: int) -> tuple[int, int]:
    """Indices of the first and last match of the best window of at most `length` characters."""
    weights: dict[str, float] = {}
    for match in matches:
        weights[match.concept] = max(match.weight, weights.get(match.concept, 0.0))
    counts = dict.fromkeys(weights, 0)
    best = -1.0
    chosen = (0, 0)
    score = 0.0
    left = 0
    for right, match in enumerate(matches):
        score += _gain(weights[match.concept], counts[match.concept], match) + _pair(matches, right)
        counts[match.concept] += 1
        while match.end - matches[left].start > length and left < right:
            gone = matches[left]
            counts[gone.concept] -= 1
            score -= _gain(weights[gone.concept], counts[gone.concept], gone)
            left += 1
            score -= _pair(matches, left)
        if score > best * (1 + 1e-9):
            best, chosen = score, (left, right)
    return chosen


def _gain(weight: float, seen: int, match: Match) -> float:
    """What one more match of a concept adds to the `seen` ones; a little more for a closer form."""
    again = weight if not seen else weight * 0.25 * 0.5 ** min(seen, 30)
    return again + 0.05 * match.weight


def _pair(matches: list[Match], right: int) -> float:
    """A bonus for a match that follows another word of the query directly."""
    if right == 0:
        return 0.0
    one, two = matches[right - 1], matches[right]
    if two.position - one.position == 1 and one.concept != two.concept:
        return 0.5 * min(one.weight, two.weight)
    return 0.0


_SENTENCE_END = (
    r"[.!?\u2026]+[\"'\u2019\u201d)\]]*\s+|[\u3002\uff01\uff1f]+[\u300d\u300f\u201d\uff09]*|\n\s*\n"
)
_LEAST = 0.01  # of a word that weighs nothing: it is marked all the same
_LEAD = 0.25
_LONG_WORD = 40


def _budget(text: str, around: int, length: int) -> int:
    """`length` columns in characters: half as many where the text is written in wide characters."""
    sample = text[max(0, around - 50) : around + 50]
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
    return re.sub(r"\s+", " ", text)
