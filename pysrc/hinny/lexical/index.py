"""The lexical index: built once, never changed, searched whole or slice by slice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hinny.errors import InvalidOption
from hinny.lexical.engine import Engine
from hinny.lexical.explain import LexicalExplanation
from hinny.lexical.making import build_parts
from hinny.lexical.metadata import Metadata
from hinny.lexical.options import FieldOptions, Scoring
from hinny.lexical.plain import Quick
from hinny.lexical.resident import Resident
from hinny.lexical.results import LexicalResult
from hinny.lexical.search_options import DEFAULT, MAX_LIMIT, Exact, SearchOptions
from hinny.lexical.session import Session
from hinny.lexical.snapshot import parts_of_snapshot, to_snapshot
from hinny.lexical.storage import (
    DICTIONARY,
    SLICE,
    WHOLE,
    pack_parts,
    postings_name,
    split_whole,
    take,
)
from hinny.lexical.store import Arrays
from hinny.lexical.syntax import ParsedQuery
from hinny.lexical.updating import updated_parts
from hinny.npz import unpack
from hinny.protocols import PartSource, resolve
from hinny.records import Document
from hinny.text.analyzer import Analyzer


class LexicalIndex:
    """BM25F over the fields of a fixed set of documents.

    Build with `build`, keep with `to_parts`, load with `from_parts` or `open`. Searching never changes it.
    """

    def __init__(
        self,
        resident: Resident,
        parts: Mapping[str, bytes | Arrays] | None,
        source: PartSource | None,
        registry: Mapping[str, Analyzer] | None = None,
    ) -> None:
        self._registry = dict(registry or {})
        self._engine = Engine(resident, parts, source, self._registry)
        self._resident = resident
        self._store = self._engine.store
        self._quick = Quick(self._engine)
        self._whole: bool | None = None
        self._packed: dict[str, bytes] | None = None

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
        exact: Collection[str] | None = None,
        positions: bool = True,
        slice_bytes: int = SLICE,
        whole: bool | None = None,
        analyzers: Mapping[str, Analyzer] | None = None,
        phonetic: bool = False,
    ) -> LexicalIndex:
        """Index `documents`.

        `fields`: names, or names to weights or `FieldOptions`; None takes every field that occurs.
        `analyzer`: an analyzer id for all fields that name none; None follows each document's language.
        `titles`: the fields that name what a document is about, the most specific last; None takes those of
        title and headings that there are. `exact`: fields kept as written for literal lookup; None takes
        those whose texts are short. `positions=False` leaves phrases out. `slice_bytes` is what a slice of
        postings aims at; `whole` forces one piece or forbids it, None decides by size. `analyzers` adds to
        the built-in ones by id. `phonetic` finds English words that the index lacks by their sound, too, in
        fields that follow each document's language.
        """
        more = (scoring, titles, exact, positions, slice_bytes, analyzers)
        parts = build_parts(list(documents), fields, analyzer, *more, phonetic=phonetic)
        return cls._made(parts, whole, analyzers)

    @classmethod
    def _made(
        cls, parts: Mapping[str, Arrays], whole: bool | None, analyzers: Mapping[str, Analyzer] | None
    ) -> LexicalIndex:
        index = cls(Resident(parts[DICTIONARY]), parts, None, analyzers)
        index._whole = whole
        return index

    @classmethod
    def from_parts(
        cls, parts: Mapping[str, bytes], *, analyzers: Mapping[str, Analyzer] | None = None
    ) -> LexicalIndex:
        """The index that `to_parts` wrote, all in memory. `analyzers` adds to the built-in ones by id."""
        name = WHOLE if WHOLE in parts else DICTIONARY
        arrays = take(parts, name)
        index = cls(Resident(arrays), parts, None, analyzers)
        index._packed = dict(parts)
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
        if self._store.parts is None:
            raise InvalidOption("to_parts", "an opened index", "one that was built or read with from_parts")
        if self._packed is None:
            self._packed = pack_parts(self._store.parts, self._whole)  # type: ignore[arg-type]
        return dict(self._packed)

    def updated(self, add: Iterable[Document] = (), remove: Collection[str] = ()) -> LexicalIndex:
        """A new index with documents added and others removed; one that is added again is replaced.

        This one stays as it is, and must be all in memory. Raises `InvalidInput` for an id to remove that
        the index does not have.
        """
        if self._store.parts is None:
            raise InvalidOption("updated", "an opened index", "one that was built or read with from_parts")
        parts = updated_parts(self._engine, list(add), set(remove), self._registry)
        return LexicalIndex._made(parts, self._whole, self._registry)

    def to_json(self) -> dict[str, Any]:
        """A snapshot as JSON data, which names its analyzers by id; `from_json` reads it back."""
        return to_snapshot(self.to_parts(), self.analyzers)

    @classmethod
    def from_json(
        cls, data: Mapping[str, Any], analyzers: Mapping[str, Analyzer] | None = None
    ) -> LexicalIndex:
        """The index of a snapshot. `analyzers` adds to the built-in ones by id.

        Raises `UnknownAnalyzer`, `UnsupportedVersion` or `BundleError`.
        """
        return cls.from_parts(parts_of_snapshot(data), analyzers=analyzers)

    def _adopt(self, arrays: Arrays) -> None:
        for number in range(self._resident.layout.slices):
            self._store.put(postings_name(number), split_whole(arrays, number))

    # -- what it holds ----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self._resident.documents

    @property
    def ids(self) -> list[str]:
        """Document ids by row."""
        return list(self._resident.ids)

    @property
    def fields(self) -> Mapping[str, FieldOptions]:
        """The fields and how they are weighed."""
        return dict(self._resident.fields)

    @property
    def scoring(self) -> Scoring:
        """How matches become a score."""
        return self._resident.scoring

    @property
    def analyzers(self) -> tuple[str, ...]:
        """Ids of the analyzers that made it."""
        return tuple(self._resident.analyzers)

    @property
    def terms(self) -> int:
        """How many different words it knows."""
        return len(self._resident.dictionary)

    @property
    def exact_fields(self) -> tuple[str, ...]:
        """Fields that literal lookup can be asked for."""
        return tuple(self._resident.literal)

    # -- searching --------------------------------------------------------------------------------------

    def search(self, query: str | ParsedQuery, **options: Any) -> LexicalResult:
        """Ranked hits; `SearchOptions` lists the options.

        Raises `BundleMissing` when a slice would have to be fetched: an opened index is searched with
        `search_async`.
        """
        found = self._quickly(query, options)
        if found is not None:
            return found
        session = Session(self._engine, query, self._options(options))
        self._store.load_now(session.needs)
        return session.run()

    async def search_async(self, query: str | ParsedQuery, **options: Any) -> LexicalResult:
        """`search`, fetching first what it needs."""
        found = self._quickly(query, options)
        if found is not None:
            return found
        session = Session(self._engine, query, self._options(options))
        await self._store.load(session.needs)
        return session.run()

    def needs(self, query: str | ParsedQuery, **options: Any) -> tuple[str, ...]:
        """Names of the parts that `search` with the same arguments reads beside the resident one."""
        return tuple(sorted(Session(self._engine, query, self._options(options)).needs))

    async def load(self, names: Iterable[str]) -> None:
        """Have these parts in memory: what `needs` named, say."""
        await self._store.load(list(names))

    def explain(self, query: str | ParsedQuery, id: str, **options: Any) -> LexicalExplanation:
        """Why the document has its score for the query; its contributions sum to it.

        Raises `InvalidInput` for an id that the index does not have.
        """
        session = Session(self._engine, query, self._options(options))
        self._store.load_now(session.needs)
        return session.explain(self.row_of(id))

    async def explain_async(self, query: str | ParsedQuery, id: str, **options: Any) -> LexicalExplanation:
        """`explain`, fetching first what it needs."""
        session = Session(self._engine, query, self._options(options))
        await self._store.load(session.needs)
        return session.explain(self.row_of(id))

    async def match_share(self, text: str, id: str, *, fields: Collection[str] | None = None) -> float | None:
        """Share (0 to 1) of the query's idf that the document's words match; None when no word is searchable.

        Stop words weigh nothing, words that the index lacks weigh most. Surface companions do not count.
        """
        keywords: dict[str, Any] = {"syntax": False, "fuzzy": False, "fields": fields}
        session = Session(self._engine, text, self._options(keywords), as_tree=True)
        await self._store.load(session.needs)
        covered, total = session.share()
        return float(covered[self.row_of(id)]) / total if total > 0 else None

    async def literal(self, text: str, exact: Exact) -> list[str]:
        """Ids of the documents of which one of the fields equals `text` as written, in the index's order."""
        session = Session(self._engine, text, replace(DEFAULT, mode="literal", exact=exact))
        await self._store.load(session.needs)
        equal = self._engine.equal(text, exact)
        return [self._resident.ids[row] for row in np.flatnonzero(equal).tolist()]

    def average_length(self, fields: Collection[str] | None = None) -> float:
        """Mean number of analysed terms a document, over some fields or all; companions do not count."""
        return self._engine.average_length(self._options({"fields": fields}).fields)

    def suggest(self, word: str, limit: int = 5) -> list[str]:
        """Words of the index that `word` may have been meant to be, the likeliest first."""
        return self._engine.suggest(word, limit)

    def idf(self, word: str) -> float:
        """The inverse document frequency of a word, all its forms taken together; stop words have 0."""
        return self._engine.idf(word)

    def _options(self, keywords: Mapping[str, Any]) -> SearchOptions:
        return SearchOptions.from_keywords(keywords, self._resident.fields) if keywords else DEFAULT

    def _quickly(self, query: str | ParsedQuery, keywords: Mapping[str, Any]) -> LexicalResult | None:
        """A plain text with no option but `limit`, when all that it needs is loaded."""
        if not isinstance(query, str) or keywords.keys() - {"limit"}:
            return None
        limit = keywords.get("limit", DEFAULT.limit)
        if type(limit) is not int or not 0 <= limit <= MAX_LIMIT:
            limit = self._options(keywords).limit
        return self._quick.search(query, limit)

    def row_of(self, id: str) -> int:
        """The row of a document. Raises `InvalidInput` when there is none of that id."""
        return self._engine.row_of(id)

    def metadata(self) -> Metadata:
        """The documents' attributes; their part must be loaded."""
        return self._engine.metadata()
