"""Query words looked up in the dictionary: under their stem, as written, and through expansions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.bm25f import idf
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.expansion import MAX_EDITS, MAX_WORDS, Expander, edits_for
from hinny.lexical.found import PREFIX, SOUND, SYNONYM, TYPO, Expansion, Found, Pieces
from hinny.lexical.options import Scoring
from hinny.lexical.places import Piece, Places
from hinny.lexical.words import QueryWord
from hinny.text.analyzer import Analyzer

_SOUND = 0.8
"""A word that only sounds alike counts so much of one with the most typos that are looked for."""
_TOLD = 20
"""The reader is told of longer words that are at least one of so many times as frequent as what was typed."""


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
        self._nearest: dict[tuple[str, int], tuple[list[int], int, Pieces]] = {}
        """What is nearest to a term with so many edits, looked up ahead of the words."""
        self._sounding = [
            part for part, analyzer in enumerate(analyzers) if getattr(analyzer, "phonetic_keys", False)
        ]
        """Numbers of the analyzers whose words have phonetic keys."""
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
        if asked:
            self._nearest = self._look_ahead(asked)
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
            for group, low, high in self._table(np.array(self.expander.find(word.term), np.int64)).tolist():
                if group in had:
                    continue
                if written and stems[-1][0] == group:  # two spellings of one stem are neighbours
                    written[-1] = (group, written[-1][1], high)
                else:
                    stems.append((group, int(starts[group]), int(starts[group + 1])))
                    written.append((group, low, high))
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
                expansions.append(Expansion(SYNONYM, weight, np.array(pieces, np.int64)))
                also.append(synonym)
        if how.prefix and word.term:
            expansions += self._completions(word.term, holding, also)
        known = bool(stems or expansions)
        edits = self._edits(word.term, how.edits, known)
        if edits:
            expansions += self._typos(word.term, edits, also)
        if self._sounding and how.edits and not (known and how.edits < 0):
            expansions += self._sounds(word.term, expansions, also)
        return self._found(stems, written, expansions, holding, also=also)

    def _completions(self, term: str, holding: int, also: list[str]) -> list[Expansion]:
        """The likeliest words that begin with the term, which `holding` documents have."""
        entries, _ = self.expander.completions(term, min(MAX_WORDS, 8 << (2 * (len(term) - 1))))
        if not entries.size:
            return []
        words, counts = self.dictionary.words, self.dictionary.df[entries]
        order = (-counts).argsort(kind="stable")
        order = order[counts[order] * _TOLD >= max(holding, int(counts[order[0]]))]
        also += [words[entry] for entry in entries[order].tolist()]
        return [Expansion(PREFIX, self._scoring.prefix, self._table(entries))]

    def _edits(self, term: str, edits: int | None, known: bool) -> int:
        if edits is None:
            return 0
        if edits >= 0:
            return min(edits, max(0, len(term) - 1))
        return 0 if known or not term.isalpha() else edits_for(term)

    def _typos(self, term: str, edits: int, also: list[str]) -> list[Expansion]:
        """The words with the fewest edits, and every form of them."""
        ahead = self._nearest.get((term, edits)) or self._look_ahead({term: edits})[term, edits]
        entries, fewest, forms = ahead
        if not entries:
            return []
        also += [self.dictionary.words[entry] for entry in entries]
        return [Expansion(TYPO, self._scoring.typo**fewest, forms)]

    def _sounds(self, term: str, nearer: Sequence[Expansion], also: list[str]) -> list[Expansion]:
        """The words that sound like the term, and every form of them, but for those that are nearer."""
        starts = self.dictionary.starts
        groups = {int(group) for expansion in nearer for group in expansion.table[:, 0]}
        entries = []
        for part in self._sounding:
            low, high = self.dictionary.parts[part : part + 2].tolist()
            entries += self.expander.sounding(self._analyzers[part].phonetic(term), low, high, term)
        found = dict(zip((starts.searchsorted(entries, "right") - 1).tolist(), entries, strict=True))
        found = {group: entry for group, entry in found.items() if group not in groups}
        if not found:
            return []
        also += [self.dictionary.words[entry] for entry in found.values()]
        flat = np.array(list(found), np.int64)
        weight = _SOUND * self._scoring.typo**MAX_EDITS
        return [Expansion(SOUND, weight, np.stack([flat, starts[flat], starts[flat + 1]], axis=1))]

    def _look_ahead(self, asked: Mapping[str, int]) -> dict[tuple[str, int], tuple[list[int], int, Pieces]]:
        """By term and its edits: the nearest entries, how many edits those take, and their whole groups."""
        near = self.expander.nearest_all(asked)
        starts = self.dictionary.starts
        entries = list(chain.from_iterable([each for each, _ in near.values()]))
        owners = iter((starts.searchsorted(np.array(entries, np.int64), "right") - 1).tolist())
        groups = [list(dict.fromkeys(islice(owners, len(each)))) for each, _ in near.values()]
        flat = np.array(list(chain.from_iterable(groups)), np.int64)
        table = np.stack([flat, starts[flat], starts[flat + 1]], axis=1)
        ends = list(accumulate(map(len, groups), initial=0))
        return {
            (term, asked[term]): (*found, table[low:high])
            for (term, found), low, high in zip(near.items(), ends, ends[1:], strict=False)
        }

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
        table = self._table(np.array(sorted({*entries, *same}), np.int64))
        holding = int(self.dictionary.df[table[:, 1]].max(initial=0))
        expansions = [Expansion(PREFIX, 1.0, table)] if table.size else []
        also = [self.dictionary.words[entry] for entry in entries]
        return self._found([], [], expansions, holding, problems, also)

    def _table(self, entries: NDArray[np.int64]) -> Pieces:
        """Entries, each by itself, as ranges inside their groups."""
        table = np.empty((entries.size, 3), np.int64)
        table[:, 0] = self.dictionary.starts.searchsorted(entries, "right") - 1
        table[:, 1] = entries
        table[:, 2] = entries + 1
        return table

    def _found(
        self,
        stems: list[Piece],
        written: list[Piece],
        expansions: list[Expansion],
        holding: int,
        problems: Sequence[str] = (),
        also: Sequence[str] = (),
    ) -> Found:
        slices = self._places.slices(stems)
        for expansion in expansions:
            slices.update(self._places.table()[0][expansion.table[:, 1]].tolist())
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
