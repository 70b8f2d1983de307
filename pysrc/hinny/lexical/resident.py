"""The resident part of an index: what is loaded before the first search, and stays.

`header` is JSON, `texts` are all strings (`texts.py`), `data` nearly all numbers (`sets.py`). They hold, one
after the other: the words with their stems (`dictionary.py`), whose document frequencies are arrays of
their own, `df.*` (`codec.py`), because they are many and are read fastest so; the documents' ids; where
slices begin; the tokens of each field of each document, and how many of them are not in the field's last
line; each document's analyzer; and each document's leaf in the order of documents (`ordering.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError, UnsupportedVersion
from hinny.lexical.builder import Collected
from hinny.lexical.codec import get_uints, put_uints
from hinny.lexical.dictionary import Dictionary
from hinny.lexical.interpolative import MAX_UNIVERSE
from hinny.lexical.options import FieldOptions, Scoring
from hinny.lexical.ordering import count_levels, order_of
from hinny.lexical.postings import Layout, make_layout
from hinny.lexical.sets import BlockReader, BlockWriter
from hinny.lexical.texts import TextReader, TextWriter

FORMAT = "hinny-lexical"
VERSION = 2
_STEPS = 4


def write_resident(
    corpus: Collected,
    header: Mapping[str, Any],
    bounds: NDArray[np.int64],
    position_bounds: NDArray[np.int64],
    leaves: NDArray[np.int64],
) -> dict[str, NDArray[Any]]:
    """The part's arrays."""
    block, texts = BlockWriter(), TextWriter()
    corpus.dictionary.write(block, texts)
    _write_ids(block, texts, corpus.ids)
    for edges in (bounds, position_bounds):
        block.put_set(corpus.dictionary.groups + 1, edges)
    for lengths, own in zip(corpus.lengths, corpus.own_lengths, strict=True):
        block.put_numbers(lengths, _STEPS)
        block.put_numbers(lengths - own, _STEPS)
    block.put_numbers(corpus.document_analyzers, _STEPS)
    block.put_digits(leaves, count_levels(leaves.size))
    # Fields in the order given: a field's place is its column.
    arrays: dict[str, NDArray[Any]] = {
        name: np.frombuffer(data, np.uint8)
        for name, data in (
            ("header", json.dumps(header).encode()),
            ("texts", texts.bytes()),
            ("data", block.bytes()),
        )
    }
    put_uints(arrays, "df", corpus.dictionary.df)
    return arrays


class Resident:
    """What is always loaded. Raises `UnsupportedVersion` or `BundleError` for parts it cannot use."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        header = read_header(arrays)
        try:
            self.fields = {name: FieldOptions(**value) for name, value in header["fields"].items()}
            self.scoring = Scoring(**header["scoring"])
            self.titles: list[str] = header["titles"]
            self.analyzers: list[str] = header["analyzers"]
            self.documents = count = int(header["documents"])
            block, texts = BlockReader(arrays["data"]), TextReader(arrays["texts"].tobytes())
        except (KeyError, TypeError, ValueError) as problem:
            raise BundleError(f"the lexical dictionary is damaged: {problem}") from problem
        self.header = header
        self.has_positions = bool(header.get("positions"))
        self.literal: list[str] = header.get("literal", [])
        self.has_metadata = bool(header.get("metadata"))
        self.stored = [name for name, options in self.fields.items() if not options.surface]
        groups, dictionary = Dictionary.read(block, texts, get_uints(arrays, "df"))
        ids = _read_ids(block, texts, count)
        texts.finish()
        edges = [block.set(groups + 1) for _ in range(2)]
        lengths = [(block.numbers(count, _STEPS), block.numbers(count, _STEPS)) for _ in self.stored]
        languages = block.numbers(count, _STEPS)
        block.read()
        self.dictionary = dictionary()
        self.ids: list[str] = ids()
        bounds, places = (block.take(each) for each in edges)
        self.lengths = np.zeros((len(self.stored), count), np.int64)
        self.own_lengths = np.zeros((len(self.stored), count), np.int64)
        """Tokens of the last line of each field: a heading path's own heading."""
        for column, (whole, before) in enumerate(lengths):
            self.lengths[column] = block.take_numbers(whole)
            self.own_lengths[column] = self.lengths[column] - block.take_numbers(before)
        self.languages = block.take_numbers(languages)
        leaves = block.digits(count, count_levels(count))
        block.finish()
        if self.languages.max(initial=-1) >= len(self.analyzers) or self.own_lengths.min(initial=0) < 0:
            raise BundleError("the lexical index's documents do not fit together")
        self.order = order_of(leaves, self.lengths.sum(axis=0))
        """Document rows [N] in the order by which slices name them."""
        self.layout: Layout = make_layout(self.dictionary, count, bounds)
        self.position_layout: Layout = (
            make_layout(self.dictionary, count, places) if self.has_positions else self.layout
        )


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


def _write_ids(block: BlockWriter, texts: TextWriter, ids: list[str]) -> None:
    """Ids that are ascending whole numbers are a set; others are front-coded."""
    numbers = [int(id) if id.isascii() and id.isdecimal() and len(id) < 11 else -1 for id in ids]
    ascending = all(a < b for a, b in zip([-1, *numbers], numbers, strict=False))
    if ascending and ids and numbers[-1] < MAX_UNIVERSE and list(map(str, numbers)) == ids:
        block.put_number(numbers[-1] + 1)
        block.put_sets(np.array([len(ids)]), np.array([numbers[-1] + 1]), np.array(numbers, np.int64))
    else:
        block.put_number(0)
        texts.put_front_coded(ids)


def _read_ids(block: BlockReader, texts: TextReader, count: int) -> Callable[[], list[str]]:
    universe = block.number()
    if not universe:
        ids, _ = texts.take_front_coded(count)
        return lambda: ids
    handle = block.sets(np.array([count]), np.array([universe]))
    return lambda: list(map(str, block.take(handle).tolist()))
