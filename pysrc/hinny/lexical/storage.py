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
from hinny.lexical.codec import Strings, get_uints, put_strings, put_uints
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.options import FieldOptions, Scoring, to_json
from hinny.lexical.postings import Layout, cut, encode, entry_order, group_order, make_layout, ranges
from hinny.npz import pack, unpack

FORMAT = "hinny-lexical"
VERSION = 1
DICTIONARY = "lexical/dictionary"
WHOLE = "lexical/index"
METADATA = "lexical/metadata"
LITERAL = "lexical/literal"
SMALL = 256 * 1024
"""Bytes under which dictionary and postings are one part."""
SLICE = 64 * 1024
"""Bytes that a slice aims at."""


def postings_name(number: int) -> str:
    """The part's name of a postings slice."""
    return f"lexical/postings.{number:03d}"


def positions_name(number: int) -> str:
    """The part's name of a positions slice."""
    return f"lexical/positions.{number:03d}"


def write_parts(
    corpus: Collected, scoring: Scoring, titles: list[str], slice_bytes: int, whole: bool | None
) -> dict[str, bytes]:
    """All parts of an index, but for metadata and literals. `whole` forces one piece, or forbids it."""
    dictionary = corpus.dictionary
    order = group_order(dictionary, len(corpus.ids))
    entries = entry_order(dictionary, order)
    first = np.zeros(len(dictionary) + 1, np.int64)
    np.cumsum(dictionary.df, out=first[1:])
    rows = ranges(first[entries], first[entries + 1])
    documents, frequencies = corpus.documents[rows], corpus.frequencies[rows]
    by_group = (
        np.add.reduceat(np.append(dictionary.df, 0), dictionary.starts[:-1]) if len(dictionary) else order
    )
    common = int(np.count_nonzero(dictionary.group_df * 10 > max(len(corpus.ids), 50)))
    weights = by_group * 3 // 2 + 1  # bytes, roughly: a gap and a code, deflated
    bounds = cut(weights, order, common, slice_bytes)
    slices = []
    place = np.zeros(entries.size + 1, np.int64)
    np.cumsum(dictionary.df[entries], out=place[1:])
    ends = _entry_ends(dictionary, order)
    for low, high in pairwise(bounds.tolist()):
        e0, e1 = int(ends[low]), int(ends[high])
        p0, p1 = int(place[e0]), int(place[e1])
        slices.append(encode(dictionary.df[entries[e0:e1]], documents[p0:p1], frequencies[p0:p1]))
    header = {
        "format": FORMAT,
        "version": VERSION,
        "fields": {name: to_json(options) for name, options in corpus.fields.items()},
        "scoring": to_json(scoring),
        "titles": titles,
        "analyzers": corpus.analyzers,
        "documents": len(corpus.ids),
        "slices": len(slices),
    }
    resident: dict[str, NDArray[Any]] = {}
    resident["header"] = np.frombuffer(json.dumps(header, sort_keys=True).encode(), np.uint8)
    dictionary.store(resident)
    put_strings(resident, "ids", corpus.ids)
    put_uints(resident, "bounds", bounds)
    for column, lengths in enumerate(corpus.lengths):
        put_uints(resident, f"lengths.{column}", lengths)
    put_uints(resident, "languages", corpus.document_analyzers)
    packed = [pack(slice) for slice in slices]
    start = pack(resident)
    small = len(start) + sum(map(len, packed)) < SMALL if whole is None else whole
    if small:
        together = dict(resident)
        for number, slice in enumerate(slices):
            together.update({f"{number}.{name}": array for name, array in slice.items()})
        return {WHOLE: pack(together)}
    return {DICTIONARY: start} | {postings_name(number): data for number, data in enumerate(packed)}


def _entry_ends(dictionary: Dictionary, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """[G + 1]: how many entries lie before each place of the layout."""
    ends = np.zeros(order.size + 1, np.int64)
    np.cumsum(dictionary.starts[order + 1] - dictionary.starts[order], out=ends[1:])
    return ends


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
        self.ids = Strings(arrays, "ids")
        self.stored = [name for name, options in self.fields.items() if not options.surface]
        self.lengths = np.zeros((len(self.stored), self.documents), np.int64)
        for column in range(len(self.stored)):
            lengths = get_uints(arrays, f"lengths.{column}")
            if lengths.size != self.documents:
                raise BundleError("the lexical index's lengths do not fit its documents")
            self.lengths[column] = lengths
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
