"""How an index lies in named parts, and how it comes back: whole, or slice by slice.

    lexical/dictionary      header, words, document frequencies, field lengths, ids: always loaded
    lexical/postings.000    ... slices of whole stem groups, loaded when a query needs one
    lexical/positions.000   ... the same for positions, loaded when a phrase asks
    lexical/metadata        values to filter, sort and count by
    lexical/literal         texts for literal lookup
    lexical/index           in place of dictionary and postings, when they are small together

All parts are `.npz`. `resident.py` says what the dictionary part holds, `postings.py` what a slice does.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleMissing
from hinny.lexical.builder import Collected
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.literal import write_literals
from hinny.lexical.metadata import write_metadata
from hinny.lexical.options import Scoring, to_json
from hinny.lexical.ordering import find_leaves, order_of
from hinny.lexical.positions import encode_positions
from hinny.lexical.postings import count_common, cut, encode, entry_order, group_order, ranges
from hinny.lexical.resident import FORMAT, VERSION, write_resident
from hinny.npz import pack, unpack

DICTIONARY = "lexical/dictionary"
WHOLE = "lexical/index"
METADATA = "lexical/metadata"
LITERAL = "lexical/literal"
SMALL = 256 * 1024
"""Bytes under which dictionary and postings are one part."""
SLICE = 28 * 1024
"""Bytes that a slice aims at."""


def postings_name(number: int) -> str:
    """The part's name of a postings slice."""
    return f"lexical/postings.{number:03d}"


def positions_name(number: int) -> str:
    """The part's name of a positions slice."""
    return f"lexical/positions.{number:03d}"


def make_parts(
    corpus: Collected,
    scoring: Scoring,
    titles: list[str],
    *,
    slice_bytes: int = SLICE,
    positions: bool = True,
) -> dict[str, dict[str, NDArray[Any]]]:
    """The arrays of all parts of an index, in slices."""
    dictionary, documents = corpus.dictionary, len(corpus.ids)
    total = corpus.lengths.sum(axis=0)
    leaves = find_leaves(dictionary.df, corpus.documents, total)
    place = np.empty(documents, np.int64)
    place[order_of(leaves, total)] = np.arange(documents)
    order = group_order(dictionary, documents)
    entries = entry_order(dictionary, order)
    ends = np.zeros(order.size + 1, np.int64)
    np.cumsum(dictionary.starts[order + 1] - dictionary.starts[order], out=ends[1:])
    rows = ranges(*_spans(dictionary.df, entries))
    frequencies = corpus.frequencies[rows]
    counts = corpus.frequencies.sum(axis=1)
    tokens = np.diff(
        np.concatenate([[0], np.cumsum(counts)])[np.concatenate([[0], np.cumsum(dictionary.df)])]
    )
    common = count_common(dictionary, documents)
    bounds = cut(_by_group(dictionary, dictionary.df) * 3 // 2 + 1, order, common, slice_bytes)
    slices = encode_slices(bounds, ends, dictionary.df[entries], corpus.documents[rows], frequencies, place)
    extra: dict[str, dict[str, NDArray[Any]]] = {}
    position_bounds = np.zeros(0, np.int64)
    if positions:
        position_bounds = cut(_by_group(dictionary, tokens) + 1, order, common, slice_bytes)
        places = corpus.positions[ranges(*_spans(counts, rows))]
        for number, arrays in enumerate(
            encode_position_slices(
                position_bounds, ends, tokens[entries], dictionary.df[entries], frequencies, places
            )
        ):
            extra[positions_name(number)] = arrays
    if any(corpus.metadata):
        extra[METADATA] = write_metadata(corpus.metadata)
    if corpus.literals:
        extra[LITERAL] = write_literals(corpus.literals)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "fields": {name: to_json(options) for name, options in corpus.fields.items()},
        "scoring": to_json(scoring),
        "titles": titles,
        "analyzers": corpus.analyzers,
        "documents": documents,
        "literal": list(corpus.literals),
        "metadata": METADATA in extra,
        "positions": positions,
    }
    resident = write_resident(corpus, header, bounds, position_bounds, leaves)
    named = {postings_name(number): arrays for number, arrays in enumerate(slices)}
    return {DICTIONARY: resident} | named | extra


def pack_parts(parts: Mapping[str, Mapping[str, NDArray[Any]]], whole: bool | None) -> dict[str, bytes]:
    """The parts' bytes. `whole` puts dictionary and postings in one piece, or does not; None goes by size."""
    packed = {name: pack(arrays) for name, arrays in parts.items()}
    slices = [name for name in parts if name.startswith(postings_name(0)[:-3])]
    size = sum(len(packed[name]) for name in (DICTIONARY, *slices))
    if not (size < SMALL if whole is None else whole):
        return packed
    together = dict(parts[DICTIONARY])
    for number, name in enumerate(slices):
        together.update({f"{number}.{key}": array for key, array in parts[name].items()})
        del packed[name]
    del packed[DICTIONARY]
    return {WHOLE: pack(together)} | packed


def encode_slices(
    bounds: NDArray[np.int64],
    ends: NDArray[np.int64],
    df: NDArray[np.int64],
    documents: NDArray[np.int64],
    frequencies: NDArray[np.int64],
    place: NDArray[np.int64],
) -> list[dict[str, NDArray[Any]]]:
    """The arrays of each postings slice.

    `ends` [G + 1] are the entries before each place of the layout, `place` [N] where each document stands in
    the order of documents.
    """
    first = np.concatenate([[0], np.cumsum(df)])
    result = []
    for low, high in pairwise(bounds.tolist()):
        e0, e1 = int(ends[low]), int(ends[high])
        p0, p1 = int(first[e0]), int(first[e1])
        result.append(encode(df[e0:e1], documents[p0:p1], frequencies[p0:p1], place))
    return result


def encode_position_slices(
    bounds: NDArray[np.int64],
    ends: NDArray[np.int64],
    tokens: NDArray[np.int64],
    df: NDArray[np.int64],
    frequencies: NDArray[np.int64],
    positions: NDArray[np.int64],
) -> list[dict[str, NDArray[Any]]]:
    """The arrays of each positions slice."""
    place = np.concatenate([[0], np.cumsum(df)])
    token = np.concatenate([[0], np.cumsum(tokens)])
    result = []
    for low, high in pairwise(bounds.tolist()):
        e0, e1 = int(ends[low]), int(ends[high])
        p0, p1, t0, t1 = int(place[e0]), int(place[e1]), int(token[e0]), int(token[e1])
        result.append(encode_positions(tokens[e0:e1], frequencies[p0:p1], positions[t0:t1]))
    return result


def _spans(
    sizes: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the items of `chosen` begin and end, when item i takes `sizes[i]`."""
    offsets = np.zeros(sizes.size + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets[chosen], offsets[chosen + 1]


def _by_group(dictionary: Dictionary, values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums of the entries' values by group."""
    total = np.concatenate([[0], np.cumsum(values)])
    result: NDArray[np.int64] = total[dictionary.starts[1:]] - total[dictionary.starts[:-1]]
    return result


def split_whole(arrays: Mapping[str, NDArray[Any]], number: int) -> dict[str, NDArray[Any]]:
    """The arrays of slice `number` of an index in one piece."""
    prefix = f"{number}."
    return {name[len(prefix) :]: array for name, array in arrays.items() if name.startswith(prefix)}


def take(parts: Mapping[str, bytes], name: str) -> dict[str, NDArray[Any]]:
    """A part's arrays. Raises `BundleMissing` when it is not there."""
    try:
        data = parts[name]
    except KeyError:
        raise BundleMissing(f"the lexical index has no part {name!r}") from None
    return unpack(data)
