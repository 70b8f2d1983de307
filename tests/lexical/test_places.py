"""Places of postings, against the slices' own offsets."""

from __future__ import annotations

import random

import numpy as np

from hinny.lexical.index import LexicalIndex
from hinny.lexical.places import Places
from hinny.records import Document

WORDS = ["bolt", "bolts", "bolted", "cog", "cogs", "gear", "geared", "nut", "rim", "rims", "the"]


def sliced() -> LexicalIndex:
    """Enough documents for several slices, and a word in all of them that lies apart."""
    draw = random.Random(5)
    texts = [" ".join(["gear", *draw.choices(WORDS, k=6), f"x{n % 211}y{n}"]) for n in range(900)]
    documents = [Document(f"d{n}", {"text": text}, {}, "en") for n, text in enumerate(texts)]
    return LexicalIndex.build(documents, slice_bytes=1024)


def test_spans_are_where_the_slices_have_the_entries() -> None:
    index = sliced()
    resident = index._engine.resident
    dictionary, layout = resident.dictionary, resident.layout
    assert layout.slices > 2
    index._engine.store.load_now([f"lexical/postings.{n:03d}" for n in range(layout.slices)])
    places = Places(dictionary, layout)
    for group in range(dictionary.groups):
        low, high = dictionary.starts[group : group + 2].tolist()
        number = layout.slice_of(group)
        slice = index._engine.store.slices[number]
        assert slice is not None
        for first in range(low, high):
            here = slice.entries(int(layout.rank[group]), first - low, high - low)
            assert places.spans([(group, first, high)]) == [(number, here.start, here.stop)]


def test_runs_that_touch_are_one() -> None:
    index = sliced()
    dictionary = index._engine.resident.dictionary
    places = Places(dictionary, index._engine.resident.layout)
    group = int(np.flatnonzero(np.diff(dictionary.starts) > 2)[0])
    low, high = dictionary.starts[group : group + 2].tolist()
    apart = [(group, entry, entry + 1) for entry in range(low, high)]
    assert places.spans(apart) == places.spans([(group, low, high)])
    assert len(places.spans([apart[0], apart[2]])) == 2
    assert places.spans([(group, low, low)]) == []


def test_the_table_has_the_span_of_every_entry() -> None:
    index = sliced()
    dictionary = index._engine.resident.dictionary
    places = Places(dictionary, index._engine.resident.layout)
    cuts = dictionary.starts.tolist()
    pieces = [(group, cuts[group], cuts[group + 1]) for group in range(0, dictionary.groups, 3)]
    slices, starts, stops = places.table()
    for piece in pieces:
        spans = [(int(slices[entry]), int(starts[entry]), int(stops[entry])) for entry in range(*piece[1:])]
        assert places.spans([piece]) == [(spans[0][0], spans[0][1], spans[-1][2])]
    assert places.slices(pieces) == {int(slices[low]) for _, low, _ in pieces}
    assert Places(dictionary, index._engine.resident.layout).slices(pieces[:2]) == places.slices(pieces[:2])
