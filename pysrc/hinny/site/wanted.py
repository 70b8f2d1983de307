"""The words that a query looks for in texts, and where they stand there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from hinny.lexical.syntax import ParsedQuery, Term
from hinny.site.concordance import concordance_of
from hinny.site.lacking import Asked, stands_for, words_of
from hinny.text.analyzer import BIGRAM, PART, UNIGRAM, Analyzer, Token
from hinny.text.folding import fold
from hinny.text.foreign import foreign_stop_words
from hinny.text.stopwords import stop_words

Pattern = Literal["prefix", "suffix", "substring"]
_LEAST = 0.01  # of a word that weighs nothing: it is marked all the same


class Match(NamedTuple):
    """A matched stretch of a text: code-point offsets, weight, and the query's word that it stands for."""

    start: int
    end: int
    position: int
    weight: float
    concept: str


class Wanted:
    """The words to look for in texts of one analyzer.

    `concept` is the query's word that a form stands for: forms of one concept count once in a window. All is
    added before the first `find`.
    """

    def __init__(self, analyzer: Analyzer, words: Mapping[str, float] | None = None) -> None:
        self.analyzer = analyzer
        self.asked: list[Asked] = []
        """What the reader typed, where it was taken from a query; see `lacking`."""
        self.others: set[str] = set()
        """Concepts of words that were searched beside them and stand for none of them."""
        self._words: dict[str, tuple[float, str]] = {}
        self._stems: dict[str, tuple[float, str]] = {}
        self._initials: set[str] = set()
        """First letters of the stems."""
        self._patterns: list[tuple[Pattern, str, float, str]] = []
        self._concordance = concordance_of(analyzer)
        self._known_beginnings: frozenset[str] | Literal[False] | None = False
        """Once a text was searched."""
        self._learned: dict[str, tuple[int, list[Match]]] = {}
        """What was found in chunks that may have something."""
        self._maybe: set[str] = set()
        self._size = -1
        """How large the concordance was when `_maybe` was taken from it."""
        self._fit: list[str] = []
        self._asked: dict[str, int] = {}
        """How many words of a first letter `_fit` was chosen from."""
        for word, weight in (words or {}).items():
            self.add_word(word, weight)

    def __bool__(self) -> bool:
        return bool(self._words or self._stems or self._patterns)

    def add_word(self, word: str, weight: float, concept: str | None = None) -> None:
        """A word of the index, folded or exact, as a lexical search says it matched."""
        _keep_best(self._words, word, weight, concept or word)

    def add_stem(self, word: str, weight: float, concept: str | None = None) -> None:
        """Every word with the same stem as this one."""
        stem = self.analyzer.stem(word)
        self._initials.add(stem[:1])
        _keep_best(self._stems, stem, weight, concept or fold(word))

    def add_pattern(self, kind: Pattern, text: str, weight: float, concept: str | None = None) -> None:
        """Every word that starts with, ends with or holds the folded text."""
        if text:
            self._patterns.append((kind, fold(text), weight, concept or text))

    def find(self, text: str) -> list[Match]:
        """All matches in the order of their start; those of one identifier may overlap."""
        if not self:
            return []
        chunks = text.split()
        hits = self._hits(set(chunks))
        if not hits:
            return []
        forms, make = self.analyzer.segmenter.forms, tuple.__new__  # half the time of calling Match
        matches: list[Match] = []
        position = before = end = 0
        for number in [number for number, chunk in enumerate(chunks) if chunk in hits]:
            chunk = chunks[number]
            count, inside = hits[chunk]
            # Words between two chunks part them, however many they are; lone punctuation does not.
            if before < number and (
                forms(chunks[before])[0] or any(forms(between)[0] for between in chunks[before:number])
            ):
                position += 1
            offset = _place(text, chunk, end)
            end = offset + len(chunk)
            for start, stop, relative, weight, concept in inside:
                place = (start + offset, stop + offset, relative + position, weight, concept)
                matches.append(make(Match, place))
            position += count
            before = number + 1
        return matches

    def _hits(self, chunks: set[str]) -> dict[str, tuple[int, list[Match]]]:
        """Those of the chunks that have a match: how many words each takes, and its matches."""
        long = self._concordance.unread(chunks, self._beginnings())
        if self._size != self._concordance.size:
            self._size, self._maybe = self._concordance.size, self._candidates()
        hits = {}
        for chunk in (self._maybe & chunks) | long if long else self._maybe & chunks:
            learned = self._learned.get(chunk)
            if learned is None:
                learned = self._learned[chunk] = self._read(chunk)
            if learned[1]:
                hits[chunk] = learned
        return hits

    def _beginnings(self) -> frozenset[str] | None:
        """First letters of the words that may match; None where it may be any."""
        if self._known_beginnings is False:
            patterned = {part[:1] if kind == "prefix" else "" for kind, part, _, _ in self._patterns}
            found = {word[:1] for word in self._words} | self._initials | patterned
            anything = "" in found or (self._stems and not self._concordance.stems_keep_initials)
            self._known_beginnings = None if anything else frozenset(found)
        return self._known_beginnings

    def _candidates(self) -> set[str]:
        """Of the chunks that were met so far, those that may have a match."""
        concordance, found = self._concordance, set[str]()
        for form in self._words:
            found.update(concordance.with_form(form))
        for stem in self._stems:
            found.update(concordance.with_stem(stem, self._initials))
        if self._patterns:
            for term in self._fitting():
                found.update(concordance.with_form(term))
        return found

    def _fitting(self) -> list[str]:
        """Terms that the patterns fit, of all that were met so far."""
        concordance = self._concordance
        some = {part[:1] if kind == "prefix" else "" for kind, part, _, _ in self._patterns}
        for initial in concordance.initials() if "" in some else some:
            words = concordance.words(initial, self._asked.get(initial, 0))
            self._asked[initial] = self._asked.get(initial, 0) + len(words)
            self._fit += [term for term, _ in words if self._pattern(term) is not None]
        return self._fit

    def _read(self, chunk: str) -> tuple[int, list[Match]]:
        count, terms, _, _, exacts = self.analyzer.segmenter.forms(chunk)
        weigh = self._weigh
        if not any(weigh(term, exact) for term, exact in zip(terms, exacts, strict=True)):
            return count, []
        inside: list[Match] = []
        for term, relative, start, end, _, exact in self._concordance.rows(chunk):
            hit = weigh(term, exact)
            if hit is not None:
                inside.append(Match(start, end, relative, *hit))
        inside.sort()
        return count, inside

    def _weigh(self, term: str, exact: str) -> tuple[float, str] | None:
        """A token's weight and concept, None for no match."""
        hit = self._words.get(exact) or self._words.get(term)
        if hit is None and self._stems and self._concordance.may_begin(term[:1], self._initials):
            hit = self._stems.get(self.analyzer.stem(exact))
        return self._pattern(term) if hit is None else hit

    def _pattern(self, term: str) -> tuple[float, str] | None:
        for kind, part, weight, concept in self._patterns:
            if (
                (kind == "prefix" and term.startswith(part))
                or (kind == "suffix" and term.endswith(part))
                or (kind == "substring" and part in term)
            ):
                return weight, concept
        return None


def _place(text: str, chunk: str, start: int) -> int:
    """Where `chunk` stands between white space, from `start` on."""
    while True:
        start = text.index(chunk, start)
        end = start + len(chunk)
        if (start == 0 or text[start - 1].isspace()) and (end == len(text) or text[end].isspace()):
            return start
        start += 1


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
    wanted = Wanted(analyzer)
    own = stop_words(analyzer.language)
    foreign = foreign_stop_words(query.text, own) if own else own

    def is_stop(term: str) -> bool:
        return analyzer.is_stop(term) or term in foreign

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
            (stops if is_stop(token.term) and not typing else content).append((token, typing))
        wanted.asked += words_of(leaf.text, tokens, is_stop)
    for word, weight in (also or {}).items():
        concept = stands_for(word, wanted.asked)
        wanted.add_word(word, weight, concept)
        if concept == word:
            wanted.others.add(word)
    for token, typing in content or ([] if wanted else stops):
        weight = max(weigh(token.term), _LEAST) * (0.5 if token.kind == PART else 1.0)
        wanted.add_word(token.exact, weight, token.term)
        wanted.add_word(token.term, 0.95 * weight, token.term)
        wanted.add_stem(token.exact, 0.9 * weight, token.term)
        if typing:
            wanted.add_pattern("prefix", token.term, 0.8 * weight, token.term)
    return wanted
