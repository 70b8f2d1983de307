"""One search, from its text to its hits: look up, name what must be loaded, score, rank."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleMissing, UnknownField
from hinny.lexical.evaluate import Evaluator
from hinny.lexical.explain import Explainer, LexicalExplanation, TermExplanation
from hinny.lexical.lookup import EXACT, KINDS, PREFIX, STEM, SYNONYM, TYPO, Found, How
from hinny.lexical.plain import (
    Sum,
    add_titles,
    also_searched,
    did_you_mean,
    is_bag,
    may_have_operators,
    without_common,
)
from hinny.lexical.results import LexicalHit, LexicalResult, top_rows
from hinny.lexical.scorer import Matches, Scorer
from hinny.lexical.search_options import SearchOptions
from hinny.lexical.storage import LITERAL, METADATA, positions_name, postings_name
from hinny.lexical.syntax import ParsedQuery, Phrase, Term, parse
from hinny.lexical.tree import Compiler, Leaf, Node, leaves
from hinny.lexical.words import QueryWord

if TYPE_CHECKING:
    from hinny.lexical.index import LexicalIndex

_OPERATORS = frozenset('"“”„‟«»「」『』＂－−–＋＊：（）～-+*:()~')
_PLAIN = How(edits=-1)


class Session:
    """A search under way. `needs` are the parts to load before `run`."""

    def __init__(
        self, index: LexicalIndex, query: str | ParsedQuery, options: SearchOptions, *, as_tree: bool = False
    ) -> None:
        self._index = index
        self._options = options
        self._nodes: list[Node] | None = None
        self._words: list[QueryWord] = []
        self._found: list[Found] = []
        """What the dictionary has for each of the words."""
        self._more: list[Found] = []
        """The same for words that only decide what matches."""
        self._scorers: dict[str | None, Scorer] = {}
        self._titles: tuple[NDArray[np.float64] | None, NDArray[np.intp] | None, float] = (None, None, 0.0)
        self.needs: set[str] = set()
        self.parsed: ParsedQuery | None = query if isinstance(query, ParsedQuery) else None
        self._text = query.text if isinstance(query, ParsedQuery) else query
        if not as_tree and self._may_be_plain() and (self.parsed is None or is_bag(self.parsed.clauses)):
            self._plan_plain()
        else:
            self._plan_tree()
        for found in (*self._found, *self._more):
            self.needs.update(map(postings_name, found.slices))
        if index._resident.has_metadata and (options.where or options.sort or options.facets):
            self.needs.add(METADATA)
        if options.exact is not None:
            for name in options.exact.fields:
                if name not in index._resident.literal:
                    kept = ", ".join(index._resident.literal) or "none: build with exact=(...)"
                    raise UnknownField("exact", name, f"fields kept as written: {kept}")
            self.needs.add(LITERAL)

    # -- planning ---------------------------------------------------------------------------------------

    def _may_be_plain(self) -> bool:
        """True for a bag of words, if the text is one: the fast way through.

        A text that might hold operators is parsed here.
        """
        options = self._options
        if options.mode != "words" or options.match != "any" or options.ranking != "relevance":
            return False
        if self.parsed is None and options.syntax and may_have_operators(self._text):
            self.parsed = self._parse()
        return True

    def _plan_plain(self) -> None:
        index, options = self._index, self._options
        words, last = index._reader.plain(self._text)
        typing = options.as_you_type and not self._text[-1:].isspace()
        content = [word for word in words if not word.stop] or words
        find = index._lookup.find
        if typing or options.prefix or not options.stem or options.synonyms or options.fuzzy != "auto":
            how = Compiler(index._reader, index._lookup, options).how
            found = [
                find(word, how("typing" if typing and word in last else "word", None, word))
                for word in content
            ]
        else:
            found = [find(word, _PLAIN) for word in content]
        rare = without_common(found)
        self._words = content if rare is None else [content[number] for number in rare]
        self._found = found if rare is None else [found[number] for number in rare]

    def _plan_tree(self) -> None:
        index = self._index
        if self.parsed is None:
            self.parsed = self._parse()
        self._nodes = Compiler(index._reader, index._lookup, self._options).compile(self.parsed)
        for leaf, out in leaves(self._nodes):
            if out:
                self._more += leaf.found
            else:
                self._words += leaf.words
                self._found += leaf.found
            if leaf.phrase is not None:
                self._plan_positions(leaf)

    def _plan_positions(self, leaf: Leaf) -> None:
        resident = self._index._resident
        assert leaf.phrase is not None
        if not resident.has_positions:
            raise BundleMissing("a phrase needs positions, and this index was built with positions=False")
        for _, found in leaf.phrase:
            self._more.append(found)
            for group, low, high in found.written:
                if low < high:
                    self.needs.add(positions_name(resident.position_layout.slice_of(group)))

    def _parse(self) -> ParsedQuery:
        options, text = self._options, self._text
        if options.mode == "words":
            if options.syntax:
                return parse(text, fields=self._index._resident.fields, as_you_type=options.as_you_type)
            pieces = text.split()
            terms = [Term(piece) for piece in pieces]
            if options.as_you_type and terms and not text[-1:].isspace():
                terms[-1] = Term(pieces[-1], "typing")
            return ParsedQuery(text, tuple(terms))
        if options.mode == "phrase":
            return ParsedQuery(text, (Phrase(text, options.slop),) if text.strip() else ())
        if options.mode == "literal":
            return ParsedQuery(text)
        return ParsedQuery(text, tuple(Term(piece, options.mode) for piece in text.split()))

    # -- explaining -------------------------------------------------------------------------------------

    def explain(self, row: int) -> LexicalExplanation:
        """The score of one document, taken apart. Everything in `needs` must be loaded."""
        index = self._index
        scores, good = self._score()
        explainers: dict[str | None, Explainer] = {}
        terms: list[TermExplanation] = []
        pairs: list[tuple[QueryWord, Found, str | None]] = []
        if self._nodes is None:
            pairs = [(word, found, None) for word, found in zip(self._words, self._found, strict=True)]
        else:
            for leaf, out in leaves(self._nodes):
                content = leaf.phrase is None or any(not word.stop for word in leaf.words)
                for word, found in zip(leaf.words, leaf.found, strict=True):
                    if not out and not (leaf.phrase is not None and word.stop and content):
                        pairs.append((word, found, leaf.field))
        for word, found, field in pairs:
            if field not in explainers:
                explainers[field] = Explainer(self._scorer(field), row, len(index), index._resident.stored)
            terms += explainers[field].word(word, found)
        earned, exact, gain = self._titles
        return LexicalExplanation(
            index._resident.ids[row],
            float(scores[row]),
            bool(good[row]),
            tuple(terms),
            float(earned[row]) if earned is not None else 0.0,
            gain if exact is not None and row in exact else 0.0,
        )

    def share(self) -> tuple[NDArray[np.float64], float]:
        """For each document the idf of the query's units that it matches; and the idf of all units."""
        assert self._nodes is not None
        evaluator = Evaluator(self._scorer, len(self._index), self._index._phrases)
        covered, total, _ = evaluator.covered(self._nodes)
        return covered, total

    # -- running ----------------------------------------------------------------------------------------

    def run(self) -> LexicalResult:
        """The hits. Everything in `needs` must be loaded."""
        options, index = self._options, self._index
        scores, good = self._score()
        literal = self._literal()
        if literal is not None:
            if options.mode == "literal":
                good = literal
                scores = literal.astype(np.float64)
            else:
                # A document that is the query word for word is found even where no word of it is searchable.
                good = good | literal
        if options.ids is not None:
            allowed = np.zeros(len(index), np.bool_)
            allowed[index.rows_of(options.ids)] = True
            good = good & allowed
        before = good
        if options.where:
            good = good & index.metadata().where(options.where)
        facets = {name: index.metadata().facet(name, before, good) for name in options.facets}
        tiers = self._tiers(good, literal) if options.ranking == "exact-first" else None
        rows = self._order(scores, good, tiers)
        ids = index._resident.ids
        hits = tuple(LexicalHit(ids[row], row, float(scores[row]), _tier_name(tiers, row)) for row in rows)
        pairs = list(zip(self._words, self._found, strict=True))
        problems = (
            *(self.parsed.problems if self.parsed else ()),
            *(p for f in self._found for p in f.problems),
        )
        return LexicalResult(
            hits,
            int(np.count_nonzero(good)),
            self.parsed or ParsedQuery(self._text),
            tuple(dict.fromkeys(problems)),
            did_you_mean(index, self._text, pairs),
            also_searched(pairs),
            facets,
        )

    def _score(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        return self._score_plain() if self._nodes is None else self._score_tree(self._nodes)

    def _scorer(self, field: str | None) -> Scorer:
        if field not in self._scorers:
            wanted = self._options.fields
            if field is not None:
                weight = wanted.get(field) if wanted else None
                wanted = {field: weight}
            self._scorers[field] = self._index.scorer(wanted)
        return self._scorers[field]

    def _score_plain(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        index, scorer = self._index, self._scorer(None)
        added = Sum(
            [
                scorer.matches(word, found) if found.matches else None
                for word, found in zip(self._words, self._found, strict=True)
            ],
            [found.idf for found in self._found],
            [word.weight for word in self._words],
            len(index),
        )
        good = added.scores > 0
        self._titles = add_titles(index, added, self._words, self._found)
        return added.scores, good

    def _score_tree(self, nodes: list[Node]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        index = self._index
        evaluator = Evaluator(self._scorer, len(index), index._phrases)
        scores, good = evaluator.top(nodes)
        if self._options.match != "any":
            covered, total, everything = evaluator.covered(nodes)
            if self._options.match == "all":
                good = good & everything
            else:
                good = good & (covered >= float(self._options.match) * total - 1e-9)
        made: list[Matches | None] = []
        words: list[QueryWord] = []
        founds: list[Found] = []
        for leaf, out in leaves(nodes):
            scorer = self._scorer(leaf.field)
            for word, found in zip(leaf.words, leaf.found, strict=True):
                if not out and not word.stop:
                    made.append(scorer.matches(word, found) if found.matches else None)
                    words.append(word)
                    founds.append(found)
        added = Sum(made, [f.idf for f in founds], [w.weight for w in words], len(index))
        added.scores = scores
        self._titles = add_titles(index, added, words, founds)
        return added.scores * good, good

    def _literal(self) -> NDArray[np.bool_] | None:
        exact = self._options.exact
        if exact is None:
            return None
        equal = np.zeros(len(self._index), np.bool_)
        for name in exact.fields:
            equal |= self._index.literals().equal(name, self._text, case_sensitive=exact.case_sensitive)
        return equal

    def _tiers(self, good: NDArray[np.bool_], literal: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """A class for each document, better first: literal, the worst kind of its words, or partial."""
        tiers = np.full(len(self._index), EXACT, np.int64)
        for leaf, out in leaves(self._nodes or []):
            if out:
                continue
            scorer = self._scorer(leaf.field)
            for word, found in zip(leaf.words, leaf.found, strict=True):
                if word.stop:
                    continue
                kind = np.full(len(self._index), _PARTIAL, np.int64)
                if found.matches:
                    made = scorer.matches(word, found, kinds=True)
                    assert made.kinds is not None
                    kind[made.rows] = made.kinds
                np.maximum(tiers, kind, out=tiers)
        if literal is not None:
            tiers[literal] = _LITERAL
        tiers[~good] = _PARTIAL
        return tiers

    def _order(
        self, scores: NDArray[np.float64], good: NDArray[np.bool_], tiers: NDArray[np.int64] | None
    ) -> list[int]:
        options, ids = self._options, self._index._resident.ids
        most = options.limit + options.offset
        if options.sort is None and tiers is None:
            return top_rows(scores, good, most, ids)[0][options.offset :]
        rows = np.flatnonzero(good)
        keys: list[NDArray[Any]] = [-scores[rows]]
        if tiers is not None:
            keys.append(tiers[rows])
        if options.sort is not None:
            name = options.sort.removeprefix("-")
            column = self._index.metadata().column(name, "sort")
            keys.append(column.order(len(self._index), descending=options.sort.startswith("-"))[rows])
        order = np.lexsort(keys)
        ranked = _by_id_where_equal(rows[order], [key[order] for key in keys], ids)
        return ranked[options.offset : most]


_LITERAL, _PARTIAL = -1, 9
_TIERS: Mapping[int, str] = {
    _LITERAL: "literal",
    **{kind: KINDS[kind] for kind in (EXACT, STEM, SYNONYM, PREFIX, TYPO)},
    _PARTIAL: "partial",
}


def _tier_name(tiers: NDArray[np.int64] | None, row: int) -> str | None:
    return None if tiers is None else _TIERS[int(tiers[row])]


def _by_id_where_equal(rows: NDArray[np.intp], keys: list[NDArray[Any]], ids: Any) -> list[int]:
    """Rows in their order, those that all keys hold equal sorted by document id."""
    result: list[int] = rows.tolist()
    if not result:
        return result
    new = np.zeros(rows.size, np.bool_)
    new[0] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    starts = [*np.flatnonzero(new).tolist(), rows.size]
    for low, high in pairwise(starts):
        if high - low > 1:
            result[low:high] = sorted(result[low:high], key=ids.__getitem__)
    return result
