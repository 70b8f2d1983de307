"""How an index lies in named parts, and how it comes back: whole, or slice by slice.

    lexical/dictionary      header, words, document frequencies, field lengths, ids: always loaded
    lexical/postings.000    ... slices of whole stem groups, loaded when a query needs one
    lexical/positions.000   ... the same for positions, loaded when a phrase asks
    lexical/metadata        values to filter, sort and count by
    lexical/literal         texts for literal lookup
    lexical/index           in place of dictionary and postings, when they are small together

All parts are `.npz`; the header is JSON in an array of bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError, BundleMissing, UnsupportedVersion
from hinny.lexical.builder import Collected
from hinny.lexical.codec import get_front_coded, get_uints, put_front_coded, put_uints
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.literal import write_literals
from hinny.lexical.metadata import write_metadata
from hinny.lexical.options import FieldOptions, Scoring, to_json
from hinny.lexical.positions import encode_positions
from hinny.lexical.postings import (
    Layout,
    count_common,
    cut,
    encode,
    entry_order,
    group_order,
    make_layout,
    ranges,
)
from hinny.npz import pack, unpack

FORMAT = "hinny-lexical"
VERSION = 1
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
    order = group_order(dictionary, documents)
    entries = entry_order(dictionary, order)
    ends = np.zeros(order.size + 1, np.int64)
    np.cumsum(dictionary.starts[order + 1] - dictionary.starts[order], out=ends[1:])
    rows = ranges(*_spans(dictionary.df, entries))
    frequencies = corpus.frequencies[rows]
    tokens = np.zeros(len(dictionary), np.int64)
    counts = corpus.frequencies.sum(axis=1)
    owners = np.repeat(np.arange(len(dictionary)), dictionary.df.astype(np.intp))
    np.add.at(tokens, owners, counts)
    common = count_common(dictionary, documents)
    bounds = cut(_by_group(dictionary, dictionary.df) * 3 // 2 + 1, order, common, slice_bytes)
    slices = encode_slices(bounds, ends, dictionary.df[entries], corpus.documents[rows], frequencies)
    resident: dict[str, NDArray[Any]] = {}
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
    # In the order given: a field's place is its column.
    resident["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    dictionary.store(resident)
    put_front_coded(resident, "ids", corpus.ids)
    put_uints(resident, "bounds", bounds)
    put_uints(resident, "position_bounds", position_bounds)
    for column, lengths in enumerate(corpus.lengths):
        put_uints(resident, f"lengths.{column}", lengths)
        if (corpus.own_lengths[column] != lengths).any():
            put_uints(resident, f"own.{column}", corpus.own_lengths[column])
    put_uints(resident, "languages", corpus.document_analyzers)
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
) -> list[dict[str, NDArray[Any]]]:
    """The arrays of each postings slice; `ends` [G + 1] are the entries before each place of the layout."""
    place = np.concatenate([[0], np.cumsum(df)])
    result = []
    for low, high in pairwise(bounds.tolist()):
        e0, e1 = int(ends[low]), int(ends[high])
        p0, p1 = int(place[e0]), int(place[e1])
        result.append(encode(df[e0:e1], documents[p0:p1], frequencies[p0:p1]))
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


class Resident:
    """What is always loaded. Raises `UnsupportedVersion` or `BundleError` for parts it cannot use."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        header = read_header(arrays)
        try:
            self.fields = {name: FieldOptions(**value) for name, value in header["fields"].items()}
            self.scoring = Scoring(**header["scoring"])
            self.titles: list[str] = header["titles"]
            self.analyzers: list[str] = header["analyzers"]
            self.documents = int(header["documents"])
        except (KeyError, TypeError, ValueError) as problem:
            raise BundleError(f"the lexical header is damaged: {problem}") from problem
        self.header = header
        self.dictionary = Dictionary.load(arrays)
        self.layout: Layout = make_layout(self.dictionary, self.documents, get_uints(arrays, "bounds"))
        places = get_uints(arrays, "position_bounds")
        self.has_positions = bool(header.get("positions"))
        self.literal: list[str] = header.get("literal", [])
        self.has_metadata = bool(header.get("metadata"))
        self.position_layout: Layout = (
            make_layout(self.dictionary, self.documents, places) if self.has_positions else self.layout
        )
        self.ids: list[str] = get_front_coded(arrays, "ids")
        self.stored = [name for name, options in self.fields.items() if not options.surface]
        self.lengths = np.zeros((len(self.stored), self.documents), np.int64)
        for column in range(len(self.stored)):
            lengths = get_uints(arrays, f"lengths.{column}")
            if lengths.size != self.documents:
                raise BundleError("the lexical index's lengths do not fit its documents")
            self.lengths[column] = lengths
        self.own_lengths = self.lengths.copy()
        """Tokens of the last line of each field: a heading path's own heading."""
        for column in range(len(self.stored)):
            if f"own.{column}.first" in arrays:
                self.own_lengths[column] = get_uints(arrays, f"own.{column}")
        self.languages = get_uints(arrays, "languages")
        if len(self.ids) != self.documents or self.languages.size != self.documents:
            raise BundleError("the lexical index's documents do not fit together")


def read_header(arrays: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """The header of a dictionary part. Raises `UnsupportedVersion` for one of another format version."""
    try:
        header = json.loads(arrays["header"].tobytes())
    except (KeyError, ValueError) as problem:
        raise BundleError(f"the lexical header is damaged: {problem}") from problem
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise BundleError("this is no lexical index")
    if header.get("version") != VERSION:
        raise UnsupportedVersion("the lexical index", header.get("version"), VERSION)
    return header


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
