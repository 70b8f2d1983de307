from __future__ import annotations

import pytest

from hinny.errors import InvalidOption
from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import FieldOptions, Scoring
from hinny.lexical.presets import api_search_preset
from hinny.lexical.surface import surface_analyzer, surface_field, with_surface_fields
from hinny.records import Document

DOCUMENTS = [
    Document("a", {"title": "one", "text": "they run here"}),
    Document("b", {"title": "two", "text": "they are running"}),
]
OPTIONS = {
    "fields": {
        "title": FieldOptions(3.0, 0.2, "en@1"),
        "text": FieldOptions(analyzer="en@1"),
        "code": FieldOptions(analyzer="standard@1"),
    }
}


def test_a_companion_carries_weight_and_b_of_fields_that_stem() -> None:
    fields = with_surface_fields(OPTIONS, weight=0.5)["fields"]
    assert list(fields) == ["title", "text", "code", "title~surface", "text~surface"]
    assert fields["title~surface"] == FieldOptions(1.5, 0.2, "en+nostem@1", "title", True)
    assert surface_field("title") == "title~surface" == surface_field("title~surface")


def test_twice_adds_nothing_and_without_stems_nothing_is_added() -> None:
    once = with_surface_fields(OPTIONS)
    assert with_surface_fields(once) is once
    assert with_surface_fields(api_search_preset) is api_search_preset


def test_the_surface_analyzer_neither_stems_nor_hears() -> None:
    assert surface_analyzer("en@1").id == "en+nostem@1"
    assert surface_analyzer("en+phonetic@1").id == "en+nostem@1"
    assert surface_analyzer("standard@1").id == "standard@1"


def test_companions_lift_the_word_as_written_and_count_for_nothing_else() -> None:
    scoring = Scoring(exact=0.0)
    plain = LexicalIndex.build(DOCUMENTS, OPTIONS["fields"], scoring=scoring)
    index = LexicalIndex.build(DOCUMENTS, with_surface_fields(OPTIONS)["fields"], scoring=scoring)
    for options in ({}, {"fields": ["text"]}):
        hits = {hit.id: hit.score for hit in index.search("running", **options).hits}
        before = {hit.id: hit.score for hit in plain.search("running", **options).hits}
        assert hits["b"] > before["b"] and hits["a"] == pytest.approx(before["a"])
    assert index.average_length() == plain.average_length() == 4.0
    assert set(index.to_parts()) == set(plain.to_parts())


def test_wrong_options_are_named() -> None:
    with pytest.raises(InvalidOption, match="weight"):
        with_surface_fields(OPTIONS, weight=-1)
    with pytest.raises(InvalidOption, match="fields"):
        with_surface_fields({})


def test_the_api_preset_finds_symbols_as_they_are_spelled() -> None:
    documents = [
        Document(
            "push", {"symbol": "Array.prototype.push()", "description": "Append an element to an array"}
        ),
        Document("sorted", {"symbol": "sorted()", "description": "A new sorted list"}),
        Document("sort", {"symbol": "list.sort()", "description": "Sort in place"}),
    ]
    index = LexicalIndex.build(documents, **api_search_preset)
    assert [hit.id for hit in index.search("sort").hits] == ["sort"]
    assert index.search("push").hits[0].id == "push"
    literal = index.search("sorted()", mode="literal", exact=["symbol"])
    assert [hit.id for hit in literal.hits] == ["sorted"]
