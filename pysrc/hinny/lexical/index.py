"""The lexical index: built once, never changed, searched whole or slice by slice."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleMissing, InvalidOption
from hinny.lexical.bm25f import Weights, idf, idfs
from hinny.lexical.builder import collect
from hinny.lexical.impacts import Slice
from hinny.lexical.options import DEFAULT_FIELDS, TITLE_FIELDS, FieldOptions, Scoring, field_options
from hinny.lexical.results import LexicalHit, LexicalResult, top_rows
from hinny.lexical.storage import (
    DICTIONARY,
    SLICE,
    WHOLE,
    Resident,
    postings_name,
    split_whole,
    take,
    write_parts,
)
from hinny.lexical.words import QueryWord, analyze_query
from hinny.npz import unpack
from hinny.protocols import PartSource, resolve
from hinny.records import Document
from hinny.text.analyzer import Analyzer, get_analyzer

MAX_LIMIT = 10_000
_MEMO = 4096


class Term:
    """A query word found in the dictionary: its groups, and, once their slices are there, its postings."""

    __slots__ = ("arrays", "found", "idf", "slices")

    def __init__(self, found: list[tuple[int, int, int, int]], idf: float, slices: list[int]) -> None:
        self.found = found
        """(analyzer number, group, first entry, entry after the last) with entries as written."""
        self.idf = idf
        self.slices = slices
        self.arrays: tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.intp]] | None = None


class LexicalIndex:
    """BM25F over the fields of a fixed set of documents.

    Build with `build`, keep with `to_parts`, load with `from_parts` or `open`. Searching never changes it.
    """

    def __init__(
        self,
        resident: Resident,
        parts: Mapping[str, bytes] | None,
        source: PartSource | None,
        registry: Mapping[str, Analyzer] | None = None,
    ) -> None:
        self._resident = resident
        self._parts = dict(parts) if parts is not None else None
        self._source = source
        self._analyzers = [
            registry[id] if registry and id in registry else get_analyzer(id) for id in resident.analyzers
        ]
        self._slices: list[Slice | None] = [None] * resident.layout.slices
        self._pending: dict[int, asyncio.Task[None]] = {}
        self._columns = {name: column for column, name in enumerate(resident.stored)}
        for name, options in resident.fields.items():
            if options.surface:
                source_name = options.source or name
                self._columns[name] = self._columns[
                    next(n for n in resident.stored if (resident.fields[n].source or n) == source_name)
                ]
        self._titles = np.array([self._columns[name] for name in resident.titles], np.int64)
        self._weights = Weights(resident.fields, self._columns, resident.lengths, resident.scoring)
        self._idfs = idfs(resident.documents, resident.dictionary.group_df)
        self._rows: dict[str, int] | None = None
        self._memo: dict[tuple[str, str], Term] = {}

    # -- making and keeping -----------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        documents: Iterable[Document],
        fields: Mapping[str, FieldOptions | float] | Iterable[str] | None = None,
        *,
        analyzer: str | None = None,
        scoring: Scoring | None = None,
        titles: Collection[str] | None = None,
        slice_bytes: int = SLICE,
        whole: bool | None = None,
    ) -> LexicalIndex:
        """Index `documents`.

        `fields`: names, or names to weights or `FieldOptions`; None takes every field that occurs.
        `analyzer`: an analyzer id for all fields that name none; None follows each document's language.
        `titles`: the fields that name a document, the most specific last.
        """
        documents = list(documents)
        if fields is None:
            seen = dict.fromkeys(name for document in documents for name in document.fields)
            fields = [name for name in DEFAULT_FIELDS if name in seen] + [
                n for n in seen if n not in DEFAULT_FIELDS
            ]
            fields = fields or list(DEFAULT_FIELDS)
        chosen = field_options(fields, analyzer)
        scoring = scoring or Scoring()
        scoring.check()
        if titles is None:
            titles = [name for name in TITLE_FIELDS if name in chosen]
        parts = write_parts(collect(documents, chosen), scoring, list(titles), slice_bytes, whole)
        return cls.from_parts(parts)

    @classmethod
    def from_parts(
        cls, parts: Mapping[str, bytes], *, analyzers: Mapping[str, Analyzer] | None = None
    ) -> LexicalIndex:
        """The index that `to_parts` wrote, all in memory."""
        name = WHOLE if WHOLE in parts else DICTIONARY
        arrays = take(parts, name)
        index = cls(Resident(arrays), parts, None, analyzers)
        if name == WHOLE:
            index._adopt(arrays)
        return index

    @classmethod
    async def open(
        cls, source: PartSource, *, analyzers: Mapping[str, Analyzer] | None = None
    ) -> LexicalIndex:
        """The index in a bundle: the resident part now, the others when a query needs them."""
        name = WHOLE if WHOLE in source.names else DICTIONARY
        arrays = unpack(await resolve(source.read(name)))
        index = cls(Resident(arrays), None, source, analyzers)
        if name == WHOLE:
            index._adopt(arrays)
        return index

    def to_parts(self) -> dict[str, bytes]:
        """Named parts that `from_parts` and `open` read. Only an index that is all in memory can be kept."""
        if self._parts is None:
            raise InvalidOption(
                "to_parts", "an opened index", "an index that was built or read with from_parts"
            )
        return dict(self._parts)

    def _adopt(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for number in range(len(self._slices)):
            self._put(number, split_whole(arrays, number))

    def _put(self, number: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        r = self._resident
        made = Slice(arrays, r.dictionary, r.layout, number, r.documents, self._titles)
        made.weigh(self._weights, self._idfs[made.groups])
        self._slices[number] = made

    # -- what it holds ----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._resident.documents

    @property
    def ids(self) -> list[str]:
        """Document ids by row."""
        return self._resident.ids.tolist()

    @property
    def fields(self) -> Mapping[str, FieldOptions]:
        """The fields and how they are weighed."""
        return dict(self._resident.fields)

    @property
    def analyzers(self) -> tuple[str, ...]:
        """Ids of the analyzers that made it."""
        return tuple(self._resident.analyzers)

    @property
    def terms(self) -> int:
        """How many different words it knows."""
        return len(self._resident.dictionary)

    # -- searching --------------------------------------------------------------------------------------

    def search(self, text: str, *, limit: int = 10, ids: Collection[str] | None = None) -> LexicalResult:
        """Ranked hits for `text`; every slice it needs must be in memory (see `search_async`)."""
        words, terms = self._plan(text, limit)
        for number in self._missing(terms):
            self._load_now(number)
        return self._run(text, words, terms, limit, ids)

    async def search_async(
        self, text: str, *, limit: int = 10, ids: Collection[str] | None = None
    ) -> LexicalResult:
        """`search`, fetching the slices that it needs first."""
        words, terms = self._plan(text, limit)
        await self._load(self._missing(terms))
        return self._run(text, words, terms, limit, ids)

    def _plan(self, text: str, limit: int) -> tuple[list[QueryWord], list[Term]]:
        if not isinstance(limit, int) or not 0 <= limit <= MAX_LIMIT:
            raise InvalidOption("limit", limit, f"a whole number from 0 to {MAX_LIMIT}")
        words = analyze_query(text, self._analyzers)
        return words, [self._term(word) for word in words]

    def _term(self, word: QueryWord) -> Term:
        key = (word.term, word.exact)
        term = self._memo.get(key)
        if term is None:
            term = self._find(word)
            if len(self._memo) >= _MEMO:
                self._memo.clear()
            self._memo[key] = term
        return term

    def _find(self, word: QueryWord) -> Term:
        dictionary, layout = self._resident.dictionary, self._resident.layout
        found: list[tuple[int, int, int, int]] = []
        holding = 0
        for part, analyzer in enumerate(self._analyzers):
            group = dictionary.find(part, analyzer.stem(word.exact))
            if group >= 0:
                low, high = dictionary.entries(group, word.term)
                found.append((part, group, low, high))
                holding += int(dictionary.group_df[group])
        return Term(
            found,
            idf(len(self), min(holding, len(self))),
            sorted({layout.slice_of(g) for _, g, _, _ in found}),
        )

    def _arrays(self, term: Term) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.intp]]:
        if term.arrays is None:
            pieces = [self._piece(term, *found) for found in term.found]
            if len(pieces) == 1:
                term.arrays = pieces[0]
            else:
                empty = np.zeros(0, np.intp)
                pieces.append((empty, empty.astype(np.float32), empty))
                a, b, c = zip(*pieces, strict=True)
                term.arrays = (np.concatenate(a), np.concatenate(b), np.concatenate(c))
        return term.arrays

    def _piece(
        self, term: Term, part: int, group: int, low: int, high: int
    ) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.intp]]:
        dictionary, layout = self._resident.dictionary, self._resident.layout
        rank = int(layout.rank[group])
        slice = self._slices[layout.slice_of(group)]
        assert slice is not None
        here = slice.group(rank)
        impacts = slice.impacts[here]
        if low < high and self._resident.scoring.exact:
            base = int(dictionary.starts[group])
            inside = slice.entries(rank, low - base, high - base)
            impacts = impacts.copy()
            impacts[slice.place[inside] - here.start] += slice.gains[inside]
        if len(term.found) > 1:
            impacts = impacts * np.float32(term.idf / self._idfs[group])
        return slice.group_documents[here], impacts, slice.titles(rank)

    def _run(
        self,
        text: str,
        words: list[QueryWord],
        terms: list[Term],
        limit: int,
        ids: Collection[str] | None,
    ) -> LexicalResult:
        scoring = self._resident.scoring
        rows: list[NDArray[np.intp]] = []
        impacts: list[NDArray[np.float32]] = []
        titled: list[NDArray[np.intp]] = []
        shares: list[float] = []
        total = 0.0
        for word, term in zip(words, terms, strict=True):
            total += term.idf * word.weight
            if not term.found:
                continue
            documents, impact, title = self._arrays(term)
            rows.append(documents)
            impacts.append(impact if word.weight == 1 else impact * np.float32(word.weight))
            titled.append(title)
            shares.append(term.idf * word.weight)
        if not rows:
            return LexicalResult((), 0, text)
        scores = np.bincount(np.concatenate(rows), np.concatenate(impacts), len(self))
        if scoring.title and self._titles.size:
            cover = np.bincount(
                np.concatenate(titled), np.repeat(shares, [t.size for t in titled]), len(self)
            )
            scores += (scoring.title / total) * cover * cover
        if ids is not None:
            scores *= self._allowed(ids)
        best = top_rows(scores, limit, self._resident.ids)
        hits = tuple(LexicalHit(self._resident.ids[row], row, float(scores[row])) for row in best)
        return LexicalResult(hits, int(np.count_nonzero(scores)), text)

    def _allowed(self, ids: Collection[str]) -> NDArray[np.bool_]:
        if self._rows is None:
            self._rows = {id: row for row, id in enumerate(self._resident.ids.tolist())}
        allowed = np.zeros(len(self), np.bool_)
        allowed[[self._rows[id] for id in ids if id in self._rows]] = True
        return allowed

    # -- slices -----------------------------------------------------------------------------------------

    def _missing(self, terms: list[Term]) -> list[int]:
        return sorted({n for term in terms for n in term.slices if self._slices[n] is None})

    def _load_now(self, number: int) -> None:
        if self._parts is None:
            raise BundleMissing(
                f"slice {number} of the lexical index is not loaded yet: use search_async, or load() first"
            )
        self._put(number, take(self._parts, postings_name(number)))

    async def _load(self, numbers: list[int]) -> None:
        """Fetch slices together, each once however many searches want it."""
        if self._source is None:
            for number in numbers:
                self._load_now(number)
            return
        tasks = []
        for number in numbers:
            task = self._pending.get(number)
            if task is None:
                task = asyncio.ensure_future(self._fetch(number))
                self._pending[number] = task
            tasks.append(task)
        # A search that is cancelled lets go of its slices without taking them from another search.
        await asyncio.gather(*(asyncio.shield(task) for task in tasks))

    async def _fetch(self, number: int) -> None:
        assert self._source is not None
        try:
            data = await resolve(self._source.read(postings_name(number)))
            self._put(number, unpack(data))
        finally:
            del self._pending[number]
