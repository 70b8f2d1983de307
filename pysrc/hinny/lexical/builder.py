"""Documents to sorted postings, vectorised: one sort of packed numbers does all the grouping.

Each token becomes one integer that packs (entry, document, field, position). Sorted, those integers list
each entry's documents, each document's fields and each field's positions in order, and counting runs of
equal prefixes gives the term frequencies. Python touches each white-space chunk once, to number it.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidInput
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.options import FieldOptions
from hinny.lexical.postings import ranges
from hinny.lexical.vocabulary import Vocabulary
from hinny.records import Document, MetadataValue
from hinny.text.analyzer import Analyzer, for_language, get_analyzer

_MAX_BITS = 62

Key = tuple[int, str, str, str]
"""An entry: analyzer number, stem, folded form, exact form. Entries are sorted by it."""


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """A corpus as arrays. P postings are sorted by (entry, document)."""

    ids: list[str]
    fields: dict[str, FieldOptions]
    analyzers: list[str]
    document_analyzers: NDArray[np.int64]
    """[N]: the analyzer number of each document's language."""
    dictionary: Dictionary
    documents: NDArray[np.int64]
    """[P]: each posting's document row."""
    frequencies: NDArray[np.int64]
    """[P, F]: how often the entry stands in each stored field."""
    positions: NDArray[np.int64]
    """[T]: each token's position, in the order of (entry, document, field, position)."""
    lengths: NDArray[np.int64]
    """[F, N]: tokens of each field of each document."""
    own_lengths: NDArray[np.int64]
    """[F, N]: tokens of each field's last line."""
    metadata: list[Mapping[str, MetadataValue]]
    literals: dict[str, list[str]]
    """Texts of the fields that literal lookup is asked for."""


def stored_fields(fields: Mapping[str, FieldOptions]) -> list[str]:
    """The fields that have postings of their own: all but surface companions that share their source's."""
    return [name for name, options in fields.items() if not options.surface]


def collect(
    documents: Iterable[Document],
    fields: dict[str, FieldOptions],
    *,
    literal: Iterable[str] = (),
    titles: Collection[str] = (),
    registry: Mapping[str, Analyzer] | None = None,
    phonetic: bool = False,
) -> Collected:
    """Analyse all documents; `phonetic` gives English words phonetic keys.

    Raises `InvalidInput` for an id that is used twice, or is no string.
    """
    names = stored_fields(fields)
    literals: dict[str, list[str]] = {name: [] for name in literal}
    analyzers: dict[str, int] = {}
    vocabularies: list[Vocabulary] = []
    ids: list[str] = []
    metadata: list[Mapping[str, MetadataValue]] = []
    document_analyzers: list[int] = []
    chunks = array("q")
    runs: list[tuple[int, int, int, int, int]] = []  # analyzer, document, field, chunks, last line's

    def number(analyzer: Analyzer) -> int:
        if analyzer.id not in analyzers:
            analyzers[analyzer.id] = len(analyzers)
            vocabularies.append(Vocabulary(analyzer))
        return analyzers[analyzer.id]

    def by_id(id: str) -> Analyzer:
        return registry[id] if registry and id in registry else get_analyzer(id)

    fixed = [by_id(found) if (found := fields[name].analyzer) else None for name in names]
    for row, document in enumerate(documents):
        id: object = document.id
        if not isinstance(id, str) or not id:
            raise InvalidInput(f"document {row}: its id is {id!r}, not a string that is not empty")
        ids.append(id)
        metadata.append(document.metadata)
        for name, texts in literals.items():
            texts.append(document.fields.get(fields[name].source or name, ""))
        spoken = for_language(document.language, phonetic=phonetic)
        document_analyzers.append(number(spoken) if None in fixed else 0)
        for column, name in enumerate(names):
            text = document.fields.get(fields[name].source or name)
            if not text:
                continue
            part = number(fixed[column] or spoken)
            read = vocabularies[part].read(text)
            chunks.extend(read)
            own = len(read)
            if "\n" in text and name in titles:
                own = len(vocabularies[part].read(text.rsplit("\n", 1)[1]))
            runs.append((part, row, column, len(read), own))
    if len(set(ids)) != len(ids):
        seen: set[str] = set()
        twice = next(id for id in ids if id in seen or seen.add(id))  # type: ignore[func-returns-value]
        raise InvalidInput(f"the id {twice!r} is used by two documents")
    table = np.array(runs, np.int64).reshape(-1, 5)
    keys, entries, owners, places, lengths = _tokens(
        vocabularies, np.frombuffer(chunks, np.int64), table, len(names), len(ids)
    )
    dictionary, holders, frequencies, ordered = group_tokens(
        keys, len(analyzers), len(ids), len(names), entries, owners, places
    )
    return Collected(
        ids,
        fields,
        list(analyzers),
        np.array(document_analyzers, np.int64),
        dictionary,
        holders,
        frequencies,
        ordered,
        lengths[0],
        lengths[1],
        metadata,
        literals,
    )


def _tokens(
    vocabularies: list[Vocabulary],
    chunks: NDArray[np.int64],
    runs: NDArray[np.int64],
    width: int,
    documents: int,
) -> tuple[list[Key], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Entry keys; entry, owner (document * F + field) and position of each token; lengths [2, F, N]."""
    made = [vocabulary.analyse() for vocabulary in vocabularies]
    keys, ranks = _sort_entries(vocabularies, [each.words for each in made])
    none = np.zeros(0, np.int64)
    tokens = np.concatenate([none, *(each.tokens for each in made)])
    spans = np.concatenate([none, *(each.spans for each in made)])
    entries = np.concatenate([none, *(rank[each.numbers] for rank, each in zip(ranks, made, strict=True))])
    places = np.concatenate([none, *(each.places for each in made)])
    # Chunk numbers count on from one analyzer to the next.
    base = np.cumsum([0, *(each.tokens.size for each in made)])
    sizes = runs[:, 3].astype(np.intp)
    chunks = chunks + np.repeat(base[runs[:, 0]], sizes)
    first = np.cumsum(tokens) - tokens
    picked = ranges(first[chunks], first[chunks] + tokens[chunks])
    counts = tokens[chunks]
    total = np.concatenate([[0], np.cumsum(counts)])
    ends = np.cumsum(runs[:, 3])
    lengths = np.zeros((2, width, documents), np.int64)
    lengths[0, runs[:, 2], runs[:, 1]] = total[ends] - total[ends - runs[:, 3]]
    lengths[1, runs[:, 2], runs[:, 1]] = total[ends] - total[ends - runs[:, 4]]
    before = np.cumsum(spans[chunks]) - spans[chunks]  # positions before each chunk, in all
    starts = ends - runs[:, 3]
    here = (
        before - np.repeat(before[np.minimum(starts, max(chunks.size - 1, 0))], sizes)
        if chunks.size
        else before
    )
    wide = counts.astype(np.intp)
    owners = np.repeat(np.repeat(runs[:, 1] * width + runs[:, 2], sizes), wide)
    return keys, entries[picked], owners, places[picked] + np.repeat(here, wide), lengths


def _sort_entries(
    vocabularies: list[Vocabulary], words: list[list[object]]
) -> tuple[list[Key], list[NDArray[np.int64]]]:
    """Sorted entry keys, and for each analyzer the sorted place of each of its words."""
    keys: list[Key] = []
    ranks: list[NDArray[np.int64]] = []
    for part, (vocabulary, mine) in enumerate(zip(vocabularies, words, strict=True)):
        stem = vocabulary.analyzer.stem
        pairs = [key if isinstance(key, tuple) else (key, key) for key in mine]
        # Forms that fold alike belong together, whatever a stemmer says of each: the first in order decides.
        first: dict[str, str] = {}
        for term, exact in pairs:
            if exact < first.get(term, "\U0010ffff"):
                first[term] = exact
        stems = {term: stem(exact) for term, exact in first.items()}
        raw = [(stems[term], term, exact) for term, exact in pairs]
        order = sorted(range(len(raw)), key=raw.__getitem__)
        rank = np.empty(len(raw), np.int64)
        rank[order] = np.arange(len(raw), dtype=np.int64) + len(keys)
        ranks.append(rank)
        keys.extend((part, *raw[row]) for row in order)
    return keys, ranks


def group_tokens(
    keys: list[Key],
    analyzers: int,
    documents: int,
    width: int,
    entries: NDArray[np.int64],
    owners: NDArray[np.int64],
    positions: NDArray[np.int64],
) -> tuple[Dictionary, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """From tokens in any order: the dictionary, and documents [P], frequencies [P, F] and positions [T]."""
    bits = int(positions.max()).bit_length() if positions.size else 0
    span = max(documents * width, 1)
    if (len(keys) * span).bit_length() + bits > _MAX_BITS:
        raise InvalidInput("the corpus is too large for one index: split it")
    packed = ((entries * span + owners) << bits) | positions
    packed.sort()
    cells, _, tf = _runs(packed >> bits)
    postings, first, _ = _runs(cells // width)
    column = cells % width
    frequencies = np.zeros((postings.size, width), np.int64)
    row = np.zeros(cells.size, np.int64)
    row[first[1:]] = 1
    frequencies[np.cumsum(row), column] = tf
    entry, document = postings // max(documents, 1), postings % max(documents, 1)
    df = np.bincount(entry.astype(np.intp), minlength=len(keys)).astype(np.int64)
    dictionary = Dictionary.make(keys, df, _group_df(keys, entry, document, documents), analyzers)
    return dictionary, document, frequencies, packed & ((1 << bits) - 1)


def _runs(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct values of a sorted array, where each begins, and how often it stands there."""
    if not values.size:
        return values, np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]])).astype(np.int64)
    return values[starts], starts, np.diff(np.append(starts, values.size))


def _group_df(
    keys: list[Key],
    entries: NDArray[np.int64],
    documents: NDArray[np.int64],
    count: int,
) -> NDArray[np.int64]:
    """Distinct documents of each stem group."""
    new = np.array([row > 0 and keys[row - 1][:2] != key[:2] for row, key in enumerate(keys)], np.int64)
    groups = np.cumsum(new)
    total = int(groups[-1]) + 1 if keys else 0
    pairs = groups[entries] * max(count, 1) + documents
    pairs.sort()
    distinct, _, _ = _runs(pairs)
    return np.bincount((distinct // max(count, 1)).astype(np.intp), minlength=total).astype(np.int64)
