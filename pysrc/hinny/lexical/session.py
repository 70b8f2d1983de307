"""One search, from its text to its hits: look up, name what must be loaded, score, rank."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleMissing, UnknownField
from hinny.lexical.engine import Engine
from hinny.lexical.evaluate import Evaluator
from hinny.lexical.explain import Explainer, LexicalExplanation, TermExplanation
from hinny.lexical.found import Found
from hinny.lexical.lookup import How
from hinny.lexical.matches import Matches
from hinny.lexical.plain import (
    Sum,
    add_titles,
    also_searched,
    did_you_mean,
    is_bag,
    may_have_operators,
    without_common,
)
from hinny.lexical.results import LexicalResult, by_id_where_equal, hits_of, top_rows
from hinny.lexical.scorer import Scorer
from hinny.lexical.search_options import SearchOptions
from hinny.lexical.storage import LITERAL, METADATA, positions_name, postings_name
from hinny.lexical.syntax import ParsedQuery, Phrase, Term, parse
from hinny.lexical.tiers import tier_name, tiers_of
from hinny.lexical.tree import Compiler, Leaf, Node, leaves
from hinny.lexical.words import QueryWord

_OPERATORS = frozenset('"“”„‟«»「」『』＂－−–＋＊：（）～-+*:()~')
_PLAIN = How(edits=-1)
_postings_name = cache(postings_name)


class Session:
    """A search under way. `needs` are the parts to load before `run`."""

    def __init__(
        self, engine: Engine, query: str | ParsedQuery, options: SearchOptions, *, as_tree: bool = False
    ) -> None:
        self._engine = engine
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
        self._reader = engine.reader.reader_for(self._text)
        if not as_tree and self._may_be_plain() and (self.parsed is None or is_bag(self.parsed.clauses)):
            self._plan_plain()
        else:
            self._plan_tree()
        for found in (*self._found, *self._more):
            self.needs.update(map(_postings_name, found.slices))
        if engine.resident.has_metadata and (options.where or options.sort or options.facets):
            self.needs.add(METADATA)
        if options.exact is not None:
            for name in options.exact.fields:
                if name not in engine.resident.literal:
                    kept = ", ".join(engine.resident.literal) or "none: build with exact=(...)"
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
        engine, options = self._engine, self._options
        words, last = self._reader.plain(self._text)
        typing = options.as_you_type and not self._text[-1:].isspace()
        content = [word for word in words if not word.stop] or words
        if typing or options.prefix or not options.stem or options.synonyms or options.fuzzy != "auto":
            how = Compiler(self._reader, engine.lookup, options).how
            hows = [how("typing" if typing and word in last else "word", None, word) for word in content]
            found = engine.lookup.find_all(content, hows)
        else:
            found = [engine.lookup.find(word, _PLAIN) for word in content]
        rare = without_common(found)
        self._words = content if rare is None else [content[number] for number in rare]
        self._found = found if rare is None else [found[number] for number in rare]

    def _plan_tree(self) -> None:
        engine = self._engine
        if self.parsed is None:
            self.parsed = self._parse()
        self._nodes = Compiler(self._reader, engine.lookup, self._options).compile(self.parsed)
        for leaf, out in leaves(self._nodes):
            if out or leaf.synonym:
                self._more += leaf.found
            else:
                self._words += leaf.words
                self._found += leaf.found
            if leaf.phrase is not None:
                self._plan_positions(leaf)

    def _plan_positions(self, leaf: Leaf) -> None:
        resident = self._engine.resident
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
                return parse(text, fields=self._engine.resident.fields, as_you_type=options.as_you_type)
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
        engine = self._engine
        scores, good = self._score()
        explainers: dict[str | None, Explainer] = {}
        terms: list[TermExplanation] = []
        pairs: list[tuple[QueryWord, Found, str | None]] = []
        if self._nodes is None:
            pairs = [(word, found, None) for word, found in zip(self._words, self._found, strict=True)]
        else:
            evaluator = Evaluator(self._scorer, len(engine), engine.phrases)
            for leaf, out in leaves(self._nodes):
                if leaf.phrase is not None and not evaluator.node(leaf)[1][row]:
                    continue  # without the phrase its words add nothing
                content = leaf.phrase is None or any(not word.stop for word in leaf.words)
                for word, found in zip(leaf.words, leaf.found, strict=True):
                    if not out and not (leaf.phrase is not None and word.stop and content):
                        pairs.append((word, found, leaf.field))
        for word, found, field in pairs:
            if field not in explainers:
                explainers[field] = Explainer(self._scorer(field), row, len(engine), engine.resident.stored)
            terms += explainers[field].word(word, found)
        earned, exact, gain = self._titles
        return LexicalExplanation(
            engine.resident.ids[row],
            float(scores[row]),
            bool(good[row]),
            tuple(terms),
            float(earned[row]) if earned is not None else 0.0,
            gain if exact is not None and row in exact else 0.0,
        )

    def share(self) -> tuple[NDArray[np.float64], float]:
        """For each document the idf of the query's units that it matches; and the idf of all units."""
        assert self._nodes is not None
        evaluator = Evaluator(self._scorer, len(self._engine), self._engine.phrases)
        covered, total, _ = evaluator.covered(self._nodes)
        return covered, total

    # -- running ----------------------------------------------------------------------------------------

    def run(self) -> LexicalResult:
        """The hits. Everything in `needs` must be loaded."""
        options, engine = self._options, self._engine
        scores, good = self._score()
        literal = None if options.exact is None else engine.equal(self._text, options.exact)
        if literal is not None:
            if options.mode == "literal":
                good = literal
                scores = literal.astype(np.float64)
            else:
                # A document that is the query word for word is found even where no word of it is searchable.
                good = good | literal
        if options.ids is not None:
            allowed = np.zeros(len(engine), np.bool_)
            allowed[engine.rows_of(options.ids)] = True
            good = good & allowed
        before = good
        if options.where:
            good = good & engine.metadata().where(options.where)
        facets = {name: engine.metadata().facet(name, before, good) for name in options.facets}
        tiers = None
        if options.ranking == "exact-first":
            tiers = tiers_of(self._nodes or [], self._scorer, good, literal)
        rows = self._order(scores, good, tiers)
        ids = engine.resident.ids
        hits = hits_of(rows, scores[rows].tolist(), ids)
        if tiers is not None:
            hits = tuple(hit._replace(tier=tier_name(tiers, hit.row)) for hit in hits)
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
            did_you_mean(engine, self._text, pairs),
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
            self._scorers[field] = self._engine.scorer(wanted)
        return self._scorers[field]

    def _score_plain(self) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        engine, scorer = self._engine, self._scorer(None)
        added = Sum(
            scorer.matches_all(self._words, self._found),
            [found.idf for found in self._found],
            [word.weight for word in self._words],
            len(engine),
        )
        good = added.scores > 0
        self._titles = add_titles(engine, added, self._words, self._found)
        return added.scores, good

    def _score_tree(self, nodes: list[Node]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        engine = self._engine
        evaluator = Evaluator(self._scorer, len(engine), engine.phrases)
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
                if not out and not word.stop and not leaf.synonym:
                    made.append(scorer.matches(word, found) if found.matches else None)
                    words.append(word)
                    founds.append(found)
        added = Sum(made, [f.idf for f in founds], [w.weight for w in words], len(engine))
        added.scores = scores
        self._titles = add_titles(engine, added, words, founds)
        return added.scores * good, good

    def _order(
        self, scores: NDArray[np.float64], good: NDArray[np.bool_], tiers: NDArray[np.int64] | None
    ) -> list[int]:
        options, ids = self._options, self._engine.resident.ids
        most = options.limit + options.offset
        if options.sort is None and tiers is None:
            return top_rows(scores, good, most, ids)[0][options.offset :]
        rows = np.flatnonzero(good)
        keys: list[NDArray[Any]] = [-scores[rows]]
        if tiers is not None:
            keys.append(tiers[rows])
        if options.sort is not None:
            name = options.sort.removeprefix("-")
            column = self._engine.metadata().column(name, "sort")
            keys.append(column.order(len(self._engine), descending=options.sort.startswith("-"))[rows])
        order = np.lexsort(keys)
        ranked = by_id_where_equal(rows[order], [key[order] for key in keys], ids)
        return ranked[options.offset : most]
