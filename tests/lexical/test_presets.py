from __future__ import annotations

import pytest

from hinny.errors import InvalidOption
from hinny.lexical.index import LexicalIndex
from hinny.lexical.presets import BuildOptions, api_search_preset
from hinny.records import Document


def test_options_are_read_as_a_mapping_and_never_changed() -> None:
    options = BuildOptions(fields=["text"], positions=False)
    assert dict(options) == {"fields": ["text"], "positions": False}
    assert {**options, "positions": True} == {"fields": ["text"], "positions": True}
    assert repr(options) == "BuildOptions({'fields': ['text'], 'positions': False})"
    with pytest.raises(TypeError):
        options["positions"] = True  # type: ignore[index]
    with pytest.raises(InvalidOption):
        LexicalIndex.build([], **BuildOptions(fields=[]))


def test_symbols_are_not_stemmed_and_are_kept_as_written() -> None:
    names = ("sort", "sorted", "Array.sort")
    documents = [Document(name, {"symbol": name, "description": "puts a list in order"}) for name in names]
    index = LexicalIndex.build(documents, **api_search_preset)
    assert [hit.id for hit in index.search("sorted", fuzzy=False).hits] == ["sorted"]
    assert index.search("sort").hits[0].id == "sort"
    assert index.exact_fields == ("symbol",)
    literal = index.search("Array.sort", mode="literal", exact=["symbol"])
    assert [hit.id for hit in literal.hits] == ["Array.sort"]
