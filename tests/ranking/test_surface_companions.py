"""Unstemmed companions, as the lexical retriever of a hybrid search sees them."""

from __future__ import annotations

import pytest

from hinny.errors import InvalidOption
from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import PLAIN, FieldOptions
from hinny.lexical.presets import api_search_preset
from hinny.lexical.retriever import LexicalRetriever
from hinny.lexical.surface import surface_analyzer, surface_field, with_surface_fields
from hinny.records import Document, Query
from hinny.text.analyzer import get_analyzer
from support import run

OPTIONS = {
    "fields": {
        "title": FieldOptions(weight=3.0, b=0.25, analyzer="en@1"),
        "symbol": FieldOptions(weight=2.0, analyzer="standard@1"),
    },
    "scoring": PLAIN,
}
DOCUMENTS = [
    Document("plural", {"title": "running houses", "symbol": "x"}),
    Document("single", {"title": "running house", "symbol": "y"}),
]


def test_every_field_that_stems_gets_a_companion_with_its_weight_and_b() -> None:
    fields = with_surface_fields(OPTIONS, weight=0.5)["fields"]
    assert list(fields) == ["title", "symbol", "title~surface"]
    companion = fields["title~surface"]
    assert (companion.weight, companion.b, companion.source) == (1.5, 0.25, "title")
    assert surface_field("title") == "title~surface"


def test_the_factor_is_one_by_default() -> None:
    assert with_surface_fields(OPTIONS)["fields"]["title~surface"].weight == 3.0


def test_its_analyzer_is_the_same_without_the_stemmer() -> None:
    analyzer = surface_analyzer("en@1")
    assert with_surface_fields(OPTIONS)["fields"]["title~surface"].analyzer == analyzer.id
    assert get_analyzer("en@1").stem("houses") != "houses"
    assert analyzer.stem("houses") == "houses"
    assert [token.term for token in analyzer.analyze("The Houses")] == [
        token.term for token in get_analyzer("en@1").analyze("The Houses")
    ]


def test_options_without_a_stemming_field_come_back_themselves() -> None:
    plain = {"fields": {"symbol": FieldOptions(analyzer="standard@1")}}
    assert with_surface_fields(plain) is plain


def test_applying_it_twice_adds_nothing() -> None:
    once = with_surface_fields(OPTIONS)
    assert with_surface_fields(once) is once


def test_documents_carry_the_text_once_and_the_written_form_leads() -> None:
    index = LexicalIndex.build(DOCUMENTS, **with_surface_fields(OPTIONS))
    hits = index.search("house").hits
    assert [hit.id for hit in hits] == ["single", "plural"]
    assert hits[0].score > hits[1].score
    alone = LexicalIndex.build(DOCUMENTS, **OPTIONS).search("house").hits
    assert alone[0].score == alone[1].score


def test_a_listed_field_brings_its_companion() -> None:
    index = LexicalIndex.build(DOCUMENTS, **with_surface_fields(OPTIONS))
    retriever = LexicalRetriever(index, search={"fields": ["title"]})
    rows = run(retriever.retrieve(Query("house"), limit=5))
    assert rows[0].id == "single"
    assert rows[0].score > rows[1].score


def test_companions_are_left_out_of_average_length_and_match_share() -> None:
    with_companions = LexicalRetriever(LexicalIndex.build(DOCUMENTS, **with_surface_fields(OPTIONS)))
    without = LexicalRetriever(LexicalIndex.build(DOCUMENTS, **OPTIONS))
    assert with_companions.average_length() == without.average_length() == pytest.approx(3.0)
    query = Query("house windows")
    shares = [run(retriever.match_share(query, "plural")) for retriever in (with_companions, without)]
    assert shares[0] == shares[1]
    assert shares[0] is not None
    assert 0 < shares[0] < 0.5  # the word that the index lacks weighs more


def test_a_snapshot_names_its_analyzers_by_id_and_opens_with_its_companions() -> None:
    index = LexicalIndex.build(DOCUMENTS, **with_surface_fields(OPTIONS))
    again = LexicalIndex.from_parts(index.to_parts())
    assert "en@1" in again.analyzers
    assert again.fields == index.fields
    assert [(hit.id, hit.score) for hit in again.search("house").hits] == [
        (hit.id, hit.score) for hit in index.search("house").hits
    ]


def test_a_weight_is_a_number_that_is_not_negative() -> None:
    with pytest.raises(InvalidOption, match="weight"):
        with_surface_fields(OPTIONS, weight=-1)


def test_the_preset_for_api_documentation_stems_nothing_and_gets_none() -> None:
    assert with_surface_fields(api_search_preset) is api_search_preset
