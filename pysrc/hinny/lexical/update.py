"""A new snapshot from an old one: documents added or removed without analysing the others again.

The old index's postings are turned back into tokens (entry, document, field, position), the new documents'
tokens are put beside them, and all is sorted and written as a build would. The old index stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.builder import Collected, Key, group_tokens
from hinny.lexical.postings import ranges
from hinny.lexical.store import Store
from hinny.records import MetadataValue


def corpus_of(
    store: Store,
    analyzers: list[str],
    metadata: list[Mapping[str, MetadataValue]],
    literals: dict[str, list[str]],
) -> Collected:
    """An index as the corpus it was built from; all its slices must be loaded."""
    r = store.resident
    dictionary, width = r.dictionary, len(r.stored)
    first = np.concatenate([[0], np.cumsum(dictionary.df)])
    documents = np.zeros(int(first[-1]), np.int64)
    frequencies = np.zeros((documents.size, width), np.int64)
    for group in range(dictionary.groups):
        low, high = int(dictionary.starts[group]), int(dictionary.starts[group + 1])
        slice = store.slices[r.layout.slice_of(group)]
        assert slice is not None
        here = slice.entries(int(r.layout.rank[group]), 0, high - low)
        documents[first[low] : first[high]] = slice.documents[here]
        frequencies[first[low] : first[high]] = slice.table[slice.codes[here]]
    counts = frequencies.sum(axis=1)
    token = np.concatenate([[0], np.cumsum(counts)])
    positions = np.zeros(int(token[-1]), np.int64)
    if r.has_positions:
        for group in range(dictionary.groups):
            low, high = int(dictionary.starts[group]), int(dictionary.starts[group + 1])
            number = r.position_layout.slice_of(group)
            places = store.positions[number]
            assert places is not None
            at = int(r.position_layout.rank[group] - r.position_layout.bounds[number])
            part = frequencies[first[low] : first[high]]
            positions[token[first[low]] : token[first[high]]] = places.positions(at, 0, high - low, part)
    else:  # any order will do
        cells = frequencies.reshape(-1)
        positions = ranges(np.zeros(cells.size, np.int64), cells)
    return Collected(
        r.ids,
        r.fields,
        analyzers,
        r.languages,
        dictionary,
        documents,
        frequencies,
        positions,
        r.lengths,
        r.own_lengths,
        metadata,
        literals,
    )


def keep(corpus: Collected, removed: Collection[int]) -> NDArray[np.bool_]:
    """Which rows stay: bool [N]."""
    stays = np.ones(len(corpus.ids), np.bool_)
    stays[list(removed)] = False
    return stays


def merge(parts: Sequence[tuple[Collected, NDArray[np.bool_]]], stem: Callable[[str, str], str]) -> Collected:
    """One corpus from several with the same fields, each with the rows of it that stay.

    `stem` gives a word's stem by analyzer id and exact form.
    """
    named = list(dict.fromkeys(name for corpus, _ in parts for name in corpus.analyzers))
    tokens = [_tokens(corpus, stays) for corpus, stays in parts]
    live: set[tuple[str, str, str]] = set()
    spoken: set[str] = set()
    for (corpus, stays), (_, _, _, left) in zip(parts, tokens, strict=True):
        live |= {key for at, (key, _) in enumerate(_keys(corpus)) if left[at]}
        if any(options.analyzer is None for options in corpus.fields.values()):
            spoken |= {corpus.analyzers[at] for at in set(corpus.document_analyzers[stays].tolist())}
    used = spoken | {key[0] for key in live}
    analyzers = [name for name in named if name in used]
    known = {key: found for corpus, _ in parts for key, found in _keys(corpus)}
    forms: dict[tuple[str, str], str] = {}
    for name, word, exact in live:
        forms[name, word] = min(exact, forms.get((name, word), exact))
    varied = {(name, word) for name, word, exact in known if exact != word}
    keys: list[Key] = sorted(
        (
            analyzers.index(name),
            stem(name, forms[name, word]) if (name, word) in varied else known[name, word, exact],
            word,
            exact,
        )
        for name, word, exact in live
    )
    place = {(analyzers[part], word, exact): at for at, (part, _, word, exact) in enumerate(keys)}
    width = parts[0][0].frequencies.shape[1]
    entries, owners, positions = [], [], []
    shift = 0
    for (entry, owner, position, _), (corpus, stays) in zip(tokens, parts, strict=True):
        rank = np.array([place.get(key, -1) for key, _ in _keys(corpus)], np.int64)
        row = np.cumsum(stays) - 1 + shift
        entries.append(rank[entry] if rank.size else entry)
        owners.append(row[owner // width] * width + owner % width if row.size else owner)
        positions.append(position)
        shift += int(stays.sum())
    dictionary, documents, frequencies, ordered = group_tokens(
        keys,
        len(analyzers),
        shift,
        width,
        np.concatenate(entries),
        np.concatenate(owners),
        np.concatenate(positions),
    )
    first = parts[0][0]
    return Collected(
        [id for corpus, stays in parts for id, stay in zip(corpus.ids, stays.tolist(), strict=True) if stay],
        first.fields,
        analyzers,
        np.concatenate([_languages(corpus, analyzers)[stays] for corpus, stays in parts]),
        dictionary,
        documents,
        frequencies,
        ordered,
        np.concatenate([corpus.lengths[:, stays] for corpus, stays in parts], axis=1),
        np.concatenate([corpus.own_lengths[:, stays] for corpus, stays in parts], axis=1),
        [
            m
            for corpus, stays in parts
            for m, stay in zip(corpus.metadata, stays.tolist(), strict=True)
            if stay
        ],
        {
            name: [
                t
                for corpus, stays in parts
                for t, stay in zip(corpus.literals[name], stays.tolist(), strict=True)
                if stay
            ]
            for name in first.literals
        },
    )


def _keys(corpus: Collected) -> list[tuple[tuple[str, str, str], str]]:
    """Of every entry: analyzer id, folded form and exact form; and its stem."""
    dictionary = corpus.dictionary
    keys: list[tuple[tuple[str, str, str], str]] = []
    for group in range(dictionary.groups):
        name = corpus.analyzers[dictionary.part_of(int(dictionary.starts[group]))]
        stem = dictionary.stem(group)
        for entry in range(int(dictionary.starts[group]), int(dictionary.starts[group + 1])):
            word = dictionary.words[entry]
            keys.append(((name, word, dictionary.exact.get(entry, word)), stem))
    return keys


def _tokens(
    corpus: Collected, stays: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Entry, (document * F + field) and position of every token that stays; and which entries are left."""
    width = corpus.frequencies.shape[1]
    df = corpus.dictionary.df.astype(np.intp)
    entry = np.repeat(np.arange(df.size, dtype=np.int64), df)
    cells = corpus.frequencies.reshape(-1).astype(np.intp)
    owners = np.repeat((corpus.documents[:, None] * width + np.arange(width)).reshape(-1), cells)
    entries = np.repeat(np.repeat(entry, width), cells)
    good = stays[owners // width] if stays.size else np.zeros(0, np.bool_)
    live = np.zeros(df.size, np.bool_)
    live[entries[good]] = True
    return entries[good], owners[good], corpus.positions[good], live


def _languages(corpus: Collected, analyzers: Sequence[str]) -> NDArray[np.int64]:
    number = np.array([analyzers.index(n) if n in analyzers else 0 for n in corpus.analyzers] or [0])
    return number[corpus.document_analyzers].astype(np.int64)
