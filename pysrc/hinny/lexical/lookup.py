"""Query words looked up in the dictionary: under their stem, as written, and through expansions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from hinny.lexical.bm25f import idf
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.expansion import MAX_WORDS, Expander, edits_for
from hinny.lexical.options import Scoring
from hinny.lexical.places import Piece, Places
from hinny.lexical.words import QueryWord
from hinny.text.analyzer import Analyzer

EXACT, STEM, SYNONYM, PREFIX, TYPO = range(5)
"""Kinds of match, best first."""
KINDS = ("exact", "stem", "synonym", "prefix", "typo")
_TOLD = 20
"""The reader is told of longer words that are at least one of so many times as frequent as what was typed."""


class Expansion:
    """Other words that stand for a query word: what kind of match they are, and how much that counts."""

    __slots__ = ("kind", "pieces", "weight")

    def __init__(self, kind: int, weight: float, pieces: list[Piece]) -> None:
        self.kind = kind
        self.weight = weight
        self.pieces = pieces


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


class How:
    """How a word is to be looked up. `key` tells two ways apart, so that what was found can be remembered."""

    __slots__ = ("edits", "key", "match", "prefix", "stem", "synonyms")

    def __init__(
        self,
        match: str = "word",
        *,
        edits: int | None = None,
        prefix: bool = False,
        stem: bool = True,
        synonyms: Mapping[str, float] | None = None,
    ) -> None:
        self.match = match
        """`word`, or a pattern that replaces it: `prefix`, `suffix`, `substring`, `fuzzy`."""
        self.edits = edits
        """Typos allowed beside the word itself; -1 is by its length, and only when the index lacks it."""
        self.prefix = prefix
        """True when longer words that begin so count too."""
        self.stem = stem
        self.synonyms = tuple(sorted(synonyms.items())) if synonyms else ()
        self.key = (match, edits, prefix, stem, self.synonyms)


class Lookup:
    """The dictionary of one index, asked by query word; answers are remembered."""

    _MEMO = 4096

    def __init__(
        self,
        dictionary: Dictionary,
        places: Places,
        analyzers: Sequence[Analyzer],
        documents: int,
        scoring: Scoring,
    ) -> None:
        self.dictionary = dictionary
        self._places = places
        self.expander = Expander(dictionary)
        self._analyzers = analyzers
        self._documents = documents
        self._scoring = scoring
        self._memo: dict[Any, Found] = {}
        self._nearest: Mapping[tuple[str, int], tuple[list[int], int]] = {}
        """What is nearest to a term with so many edits, looked up ahead of the words."""
        self._varied = {dictionary.words[entry] for entry in dictionary.exact}

    def find(self, word: QueryWord, how: How) -> Found:
        """What the dictionary has for `word`."""
        key = (word.term, word.exact, how.key)
        found = self._memo.get(key)
        if found is None:
            found = self._pattern(word, how) if how.match != "word" else self._word(word, how)
            if len(self._memo) >= self._MEMO:
                self._memo.clear()
            self._memo[key] = found
        return found

    def find_all(self, words: Sequence[QueryWord], hows: Sequence[How]) -> list[Found]:
        """What the dictionary has for each word; their typos are looked up together, which is quicker."""
        asked = {
            word.term: min(how.edits, len(word.term) - 1)
            for word, how in zip(words, hows, strict=True)
            if how.match == "word" and how.edits and how.edits > 0 and word.term
            if (word.term, word.exact, how.key) not in self._memo
        }
        if len(asked) > 1:
            near = self.expander.nearest_all(asked)
            self._nearest = {(term, edits): near[term] for term, edits in asked.items()}
        found = [self.find(word, how) for word, how in zip(words, hows, strict=True)]
        self._nearest = {}
        return found

    def clear(self) -> None:
        """Forget everything remembered."""
        self._memo.clear()

    def holding(self, part: int, term: str) -> int:
        """How many documents of analyzer number `part` have a form of `term`."""
        group = self.dictionary.find(part, self._analyzers[part].stem(term))
        return int(self.dictionary.group_df[group]) if group >= 0 else 0

    def base(self, term: str, exact: str) -> tuple[list[Piece], list[Piece]]:
        """The groups of a word, by its stem in every language of the index, and its entries as written."""
        dictionary = self.dictionary
        if term == exact and len(self._analyzers) == 1 and term not in self._varied:
            entry = self.expander.entry(term)
            if entry is not None:  # the word itself: its group needs no stem
                group = dictionary.group_of(entry)
                low, high = dictionary.starts[group : group + 2].tolist()
                return [(group, low, high)], [(group, entry, entry + 1)]
        stems: list[Piece] = []
        written: list[Piece] = []
        for part, analyzer in enumerate(self._analyzers):
            group = dictionary.find(part, analyzer.stem(exact))
            if group < 0:
                continue
            low, high = dictionary.entries(group, term)
            stems.append((group, int(dictionary.starts[group]), int(dictionary.starts[group + 1])))
            written.append((group, low, high))
        return stems, written

    def _word(self, word: QueryWord, how: How) -> Found:
        if how.prefix:
            self.expander.sort(word.term)
        stems, written = self.base(word.term, word.exact)
        if word.term in self._varied:
            # A form that folds alike may stand under another stem.
            starts, had = self.dictionary.starts, {group for group, _, _ in stems}
            for piece in self._pieces(self.expander.find(word.term)):
                if piece[0] not in had:
                    stems.append((piece[0], int(starts[piece[0]]), int(starts[piece[0] + 1])))
                    written.append(piece)
        if not how.stem:
            pairs = [(w, w) for w in written if w[1] < w[2]]
            stems, written = [a for a, _ in pairs], [b for _, b in pairs]
            holding = int(sum(self.dictionary.df[low:high].max() for _, low, high in written))
        else:
            holding = int(sum(self.dictionary.group_df[group] for group, _, _ in stems))
        expansions: list[Expansion] = []
        also: list[str] = []
        for synonym, weight in how.synonyms:
            pieces, _ = self.base(synonym, synonym)
            if pieces and weight > 0:
                expansions.append(Expansion(SYNONYM, weight, pieces))
                also.append(synonym)
        if how.prefix and word.term:
            most = min(MAX_WORDS, 8 << (2 * (len(word.term) - 1)))
            entries, _ = self.expander.prefix(word.term, most)
            if entries:
                expansions.append(Expansion(PREFIX, self._scoring.prefix, self._pieces(entries)))
                words, counts = self.dictionary.words, self.dictionary.df[entries]
                told = counts * _TOLD >= max(holding, int(counts.max()))
                also += [words[entries[at]] for at in np.argsort(-counts, kind="stable").tolist() if told[at]]
        edits = self._edits(word.term, how.edits, bool(stems or expansions))
        if edits:
            expansions += self._typos(word.term, edits, also)
        return self._found(stems, written, expansions, holding, also=also)

    def _edits(self, term: str, edits: int | None, known: bool) -> int:
        if edits is None:
            return 0
        if edits >= 0:
            return min(edits, max(0, len(term) - 1))
        return 0 if known or not term.isalpha() else edits_for(term)

    def _typos(self, term: str, edits: int, also: list[str]) -> list[Expansion]:
        """The words with the fewest edits, and every form of them."""
        ahead = self._nearest.get((term, edits))
        entries, fewest = self.expander.nearest(term, edits) if ahead is None else ahead
        if not entries:
            return []
        dictionary = self.dictionary
        also += [dictionary.words[entry] for entry in entries]
        groups = list(dict.fromkeys((np.searchsorted(dictionary.starts, entries, "right") - 1).tolist()))
        cuts = dictionary.starts
        pieces = list(zip(groups, cuts[groups].tolist(), cuts[[g + 1 for g in groups]].tolist(), strict=True))
        return [Expansion(TYPO, self._scoring.typo**fewest, pieces)]

    def _pattern(self, word: QueryWord, how: How) -> Found:
        term, more = word.term, False
        if how.match == "fuzzy":
            edits = edits_for(term) if how.edits is None or how.edits < 0 else how.edits
            return self._word(word, How(edits=edits, stem=how.stem))
        if how.match == "prefix":
            entries, more = self.expander.prefix(term)
            same = self.expander.find(term)
        elif how.match == "suffix":
            entries, more = self.expander.suffix(term)
            same = []
        else:
            entries, more = self.expander.substring(term)
            same = []
        problems = [f"many words match {term!r}: the {MAX_WORDS} most frequent were searched"] if more else []
        pieces = self._pieces(sorted({*entries, *same}))
        holding = int(
            self.dictionary.df[[e for _, low, high in pieces for e in range(low, high)]].max(initial=0)
        )
        expansions = [Expansion(PREFIX, 1.0, pieces)] if pieces else []
        also = [self.dictionary.words[entry] for entry in entries]
        return self._found([], [], expansions, holding, problems, also)

    def _pieces(self, entries: Sequence[int]) -> list[Piece]:
        """Entries as ranges inside their groups."""
        pieces: list[Piece] = []
        if not entries:
            return pieces
        groups = (np.searchsorted(self.dictionary.starts, entries, "right") - 1).tolist()
        for group, entry in zip(groups, entries, strict=True):
            if pieces and pieces[-1][0] == group and pieces[-1][2] == entry:
                pieces[-1] = (group, pieces[-1][1], entry + 1)
            else:
                pieces.append((group, entry, entry + 1))
        return pieces

    def _found(
        self,
        stems: list[Piece],
        written: list[Piece],
        expansions: list[Expansion],
        holding: int,
        problems: Sequence[str] = (),
        also: Sequence[str] = (),
    ) -> Found:
        slices = self._places.slices([*stems, *chain.from_iterable(each.pieces for each in expansions)])
        value = idf(self._documents, min(holding, self._documents))
        return Found(
            stems,
            written,
            expansions,
            value,
            tuple(sorted(slices)),
            tuple(problems),
            tuple(dict.fromkeys(also)),
        )
