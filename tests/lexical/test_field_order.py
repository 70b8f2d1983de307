"""A field's weights, lengths and frequencies stay its own, whatever the fields' order by letter."""

from __future__ import annotations

import pytest

from hinny.lexical.index import LexicalIndex
from hinny.records import Document


@pytest.mark.parametrize("order", [("b", "a"), ("a", "b"), ("title", "headings", "text")])
def test_a_field_keeps_its_own_text(order: tuple[str, ...]) -> None:
    documents = [Document(f"in {name}", {name: "needle"}) for name in order]
    index = LexicalIndex.from_parts(LexicalIndex.build(documents, fields=order).to_parts())
    assert list(index.fields) == list(order)
    for name in order:
        assert [hit.id for hit in index.search("needle", fields=[name]).hits] == [f"in {name}"]


def test_a_fields_weight_counts_for_its_own_text() -> None:
    documents = [Document("light", {"b": "needle"}), Document("heavy", {"a": "needle"})]
    for fields in ({"b": 1.0, "a": 3.0}, {"a": 3.0, "b": 1.0}):
        assert LexicalIndex.build(documents, fields=fields).search("needle").hits[0].id == "heavy"
