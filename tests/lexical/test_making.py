from __future__ import annotations

from hinny.lexical.index import LexicalIndex
from hinny.lexical.literal import SHORT
from hinny.records import Document


def test_what_nobody_chose_follows_from_the_documents() -> None:
    documents = [
        Document("a", {"extra": "x", "text": "word " * SHORT, "title": "One"}, {}, "en"),
        Document("b", {"title": "Two", "text": "short"}, {}, "en"),
    ]
    index = LexicalIndex.build(documents)
    assert list(index.fields) == ["title", "text", "extra"]  # the known ones first, in their own order
    assert index.exact_fields == ("title", "extra")  # the text of one document is too long for it
    assert index.search("one").hits[0].id == "a"


def test_no_documents_have_the_known_fields() -> None:
    assert list(LexicalIndex.build([]).fields) == ["title", "headings", "text"]
