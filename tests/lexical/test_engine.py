"""What all searches of one index share."""

from __future__ import annotations

import pytest

from hinny.errors import InvalidInput
from hinny.lexical.engine import columns_of
from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import FieldOptions
from hinny.lexical.search_options import Exact
from hinny.records import Document

FIELDS = {
    "title": FieldOptions(2.0),
    "text": FieldOptions(),
    "text~surface": FieldOptions(0.5, source="text", surface=True),
}
DOCUMENTS = [
    Document("b", {"title": "Cog", "text": "a wheel with teeth"}, {}, "en"),
    Document("a", {"title": "Rim", "text": "a wheel without"}, {}, "en"),
]


def test_a_companion_shares_its_sources_column() -> None:
    assert columns_of(FIELDS, ["title", "text"]) == {"title": 0, "text": 1, "text~surface": 1}
    with pytest.raises(InvalidInput, match="gone~surface"):
        columns_of({"gone~surface": FieldOptions(source="gone", surface=True)}, [])


def test_a_scorer_has_the_fields_that_were_asked_for() -> None:
    engine = LexicalIndex.build(DOCUMENTS, FIELDS)._engine
    assert engine.scorer(None) is engine.own
    only = engine.scorer({"text": 3.0}).weights
    # A field brings its companion.
    assert (only.stem.tolist(), only.word.tolist()) == ([0.0, 3.0], [0.0, 0.5])
    assert engine.scorer({"title": None}).weights.stem.tolist() == [2.0, 0.0]


def test_rows_are_found_by_id() -> None:
    engine = LexicalIndex.build(DOCUMENTS)._engine
    assert len(engine) == 2
    assert engine.rows_of(["a", "none", "b"]).tolist() == [0, 1]
    assert engine.resident.ids[engine.row_of("a")] == "a"
    with pytest.raises(InvalidInput, match="none"):
        engine.row_of("none")


def test_equal_texts_are_those_of_any_of_the_fields() -> None:
    index = LexicalIndex.build(DOCUMENTS, exact=["title", "text"])
    index._engine.store.load_now(["lexical/literal"])
    row = index.row_of("b")
    assert index._engine.equal("cog", Exact(("title", "text"))).tolist() == [False, False]
    assert index._engine.equal("cog", Exact(("title", "text"), False)).nonzero()[0].tolist() == [row]
