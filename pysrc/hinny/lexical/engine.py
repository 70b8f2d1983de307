"""What all searches of one index share: its words, its slices, its weights."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidInput
from hinny.lexical.bm25f import Weights, idfs
from hinny.lexical.expansion import edits_for
from hinny.lexical.literal import Literals
from hinny.lexical.lookup import How, Lookup
from hinny.lexical.metadata import Metadata, read_metadata
from hinny.lexical.options import FieldOptions
from hinny.lexical.phrases import PhraseFinder
from hinny.lexical.places import Places
from hinny.lexical.resident import Resident
from hinny.lexical.scorer import Scorer
from hinny.lexical.search_options import Exact
from hinny.lexical.storage import LITERAL, METADATA
from hinny.lexical.store import Arrays, Store
from hinny.lexical.words import WordReader
from hinny.protocols import PartSource
from hinny.text.analyzer import Analyzer, get_analyzer


class Engine:
    """The parts that are loaded and what reads them. Its length is the number of documents."""

    def __init__(
        self,
        resident: Resident,
        parts: Mapping[str, bytes | Arrays] | None,
        source: PartSource | None,
        registry: Mapping[str, Analyzer],
    ) -> None:
        self.resident = resident
        self.analyzers = [registry[id] if id in registry else get_analyzer(id) for id in resident.analyzers]
        self.columns = columns_of(resident.fields, resident.stored)
        """Field name to the column of its frequencies; a surface companion shares its source's."""
        self._idfs = idfs(resident.documents, resident.dictionary.group_df)
        self._weights = Weights(resident.fields, self.columns, resident.lengths, resident.scoring)
        self.store = Store(resident, parts, source)
        self.store.weigh = lambda slice: slice.weigh(self._weights)
        self._places = Places(resident.dictionary, resident.layout)
        self.lookup = Lookup(
            resident.dictionary, self._places, self.analyzers, resident.documents, resident.scoring
        )
        self.reader = WordReader(
            self.analyzers, self.lookup.holding, resident.scoring.part, resident.scoring.joined
        )
        self.own = Scorer(self.store, self._places, self._idfs, self._weights, own=True)
        """The scorer with the index's own weights."""
        self.phrases = PhraseFinder(self.store)
        self._rows: dict[str, int] | None = None
        self._metadata: Metadata | None = None
        self._literals: Literals | None = None

    def __len__(self) -> int:
        return self.resident.documents

    def rows_of(self, ids: Collection[str]) -> NDArray[np.intp]:
        """The rows of those of `ids` that the index has, ascending."""
        if self._rows is None:
            self._rows = {id: row for row, id in enumerate(self.resident.ids)}
        rows = self._rows
        return np.array(sorted({rows[id] for id in ids if id in rows}), np.intp)

    def row_of(self, id: str) -> int:
        """The row of a document. Raises `InvalidInput` when there is none of that id."""
        rows = self.rows_of([id])
        if not rows.size:
            raise InvalidInput(f"the index has no document {id!r}")
        return int(rows[0])

    def scorer(self, fields: Mapping[str, float | None] | None) -> Scorer:
        """The scorer for some fields with their weights; the index's own for None."""
        if fields is None:
            return self.own
        own = self.resident.fields
        chosen = {
            name: options if weight is None else replace(options, weight=weight)
            for name, options in own.items()
            if name in fields or (options.surface and _source_of(own, name) in fields)
            for weight in [fields.get(name)]
        }
        weights = Weights(
            chosen, self.columns, self.resident.lengths, self.resident.scoring, self._weights.inverse
        )
        return Scorer(self.store, self._places, self._idfs, weights, own=False)

    def average_length(self, fields: Collection[str] | None) -> float:
        """Mean number of analysed terms a document over some fields or all; companions do not count."""
        searched = [self.columns[name] for name in self.resident.stored if not fields or name in fields]
        return int(self.resident.lengths[searched].sum()) / len(self) if len(self) else 0.0

    def suggest(self, word: str, limit: int) -> list[str]:
        """Words that `word` may have been meant to be, the likeliest first."""
        words, _ = self.reader.plain(word)
        if not words:
            return []
        term = words[0].term
        near = self.lookup.expander.fuzzy(term, edits_for(term), 4 * limit)
        return list(dict.fromkeys(self.resident.dictionary.words[entry] for entry, _ in near))[:limit]

    def idf(self, word: str) -> float:
        """The inverse document frequency of a word, all its forms taken together; stop words have 0."""
        words, _ = self.reader.plain(word)
        return max((0.0 if w.stop else self.lookup.find(w, How()).idf for w in words), default=0.0)

    def metadata(self) -> Metadata:
        """The documents' attributes; their part must be loaded."""
        if self._metadata is None:
            arrays = self.store.others.get(METADATA)
            self._metadata = read_metadata(arrays, len(self)) if arrays else Metadata({}, len(self))
        return self._metadata

    def literals(self) -> Literals:
        """The fields kept as written; their part must be loaded."""
        if self._literals is None:
            self._literals = Literals(self.store.others[LITERAL], len(self))
        return self._literals

    def equal(self, text: str, exact: Exact) -> NDArray[np.bool_]:
        """Documents [N] of which one of the fields is `text` as written; the literal part must be loaded."""
        equal = np.zeros(len(self), np.bool_)
        for name in exact.fields:
            equal |= self.literals().equal(name, text, case_sensitive=exact.case_sensitive)
        return equal


def columns_of(fields: Mapping[str, FieldOptions], stored: Collection[str]) -> dict[str, int]:
    """Column numbers of fields: those of the `stored` ones, and of companions that share them."""
    columns = {name: column for column, name in enumerate(stored)}
    for name, options in fields.items():
        if options.surface:
            columns[name] = columns[_source_of(fields, name)]
    return columns


def _source_of(fields: Mapping[str, FieldOptions], companion: str) -> str:
    text = fields[companion].source or companion
    for name, options in fields.items():
        if not options.surface and (options.source or name) == text:
            return name
    raise InvalidInput(f"the surface companion {companion!r} has no field to go with")
