from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.errors import InvalidInput
from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import FieldOptions, Scoring
from hinny.records import Document

DOCUMENTS = [
    Document("a", {"title": "Index", "text": "an index of indexes, indexed twice"}, {}, "en"),
    Document("b", {"title": "Tables", "text": "tables have an index"}, {}, "en"),
    Document("c", {"title": "Indices", "text": "résumé of the tabular"}, {}, "en"),
]
QUERIES = [
    "index",
    "indexes tables",
    "indxe",
    "resume",
    "résumé",
    "tab*",
    '"an index"',
    "title:index table",
    "+index -zebra",
]


@given(
    st.sampled_from(QUERIES),
    st.sampled_from("abc"),
    st.sampled_from([{}, {"fields": {"title": 3.0, "text": 1.0}}, {"prefix": True}, {"match": 0.1}]),
    st.sampled_from(["bm25f", "sum"]),
)
@settings(deadline=None)
def test_contributions_sum_to_the_score(query: str, id: str, options: dict, combine: str) -> None:
    index = LexicalIndex.build(DOCUMENTS, scoring=Scoring(combine=combine, delta=0.05))
    explanation = index.explain(query, id, **options)
    hits = {hit.id: hit.score for hit in index.search(query, **options).hits}
    assert explanation.matched == (id in hits)
    if id in hits:
        total = (
            sum(term.contribution for term in explanation.terms) + explanation.title + explanation.exact_title
        )
        assert total == pytest.approx(hits[id], rel=1e-6)
        assert explanation.score == pytest.approx(hits[id], rel=1e-9)


def test_each_term_says_how_and_where_it_was_found() -> None:
    fields = {"title": FieldOptions(2.0, 0.5), "text": FieldOptions(1.0, 0.0)}
    index = LexicalIndex.build(DOCUMENTS, fields)
    explanation = index.explain("indexes", "a")
    title, text = explanation.terms
    assert (title.word, title.match, title.field, title.tf) == ("indexes", "exact", "title", 1)
    assert (text.field, text.tf, text.norm) == ("text", 3, 1.0)
    assert title.norm == 1.0 and title.weight == 2.0
    assert title.idf == pytest.approx(text.idf)
    assert explanation.title > 0 and explanation.exact_title == 0
    assert index.explain("index", "a").exact_title > 0
    assert index.explain("indxe", "b").terms[0].match == "typo"
    assert not index.explain("zebra", "a").matched


def test_an_unknown_document_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="no document 'z'"):
        LexicalIndex.build(DOCUMENTS).explain("index", "z")
