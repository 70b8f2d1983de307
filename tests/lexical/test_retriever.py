from __future__ import annotations

import pytest

from hinny.errors import InvalidOption, UnknownField
from hinny.lexical.index import LexicalIndex
from hinny.lexical.retriever import LexicalRetriever
from hinny.protocols import AverageLength, ExactMatcher, MatchShare, Rescorer, Retriever
from hinny.records import Document, Query
from support import run

DOCUMENTS = [
    Document("a", {"title": "Index", "text": "an index of tables"}, {}, "en"),
    Document("b", {"title": "Tables", "text": "tables have columns"}, {}, "en"),
    Document("c", {"title": "index", "text": "zebra"}, {}, "en"),
]
INDEX = LexicalIndex.build(DOCUMENTS)


def test_it_has_every_ability_of_a_lexical_source() -> None:
    retriever = LexicalRetriever(INDEX)
    for ability in (Retriever, Rescorer, ExactMatcher, MatchShare, AverageLength):
        assert isinstance(retriever, ability)
    assert retriever.name == "lexical" and LexicalRetriever(INDEX, name="words").name == "words"


def test_candidates_are_the_hits_and_a_pool_keeps_their_scores() -> None:
    retriever = LexicalRetriever(INDEX)
    found = run(retriever.retrieve(Query("index tables"), limit=10))
    assert [(c.id, c.score) for c in found] == [(h.id, h.score) for h in INDEX.search("index tables").hits]
    pool = run(retriever.rescore(Query("index tables"), ["c", "b", "nowhere"]))
    scores = {c.id: c.score for c in found}
    assert {c.id: c.score for c in pool} == {"b": scores["b"], "c": scores["c"]}
    assert [c.id for c in run(retriever.retrieve(Query("index"), limit=1, ids=["c"]))] == ["c"]


def test_literal_equality_in_the_order_of_the_index() -> None:
    retriever = LexicalRetriever(INDEX, exact={"fields": ["title"], "case_sensitive": False})
    assert run(retriever.exact(Query("INDEX"), limit=5)) == ["a", "c"]
    assert run(retriever.exact(Query("INDEX"), limit=1)) == ["a"]
    assert run(retriever.exact(Query("INDEX"), limit=5, ids=["c"])) == ["c"]
    assert run(LexicalRetriever(INDEX, exact=["title"]).exact(Query("index"), limit=5)) == ["c"]
    with pytest.raises(InvalidOption, match="exact"):
        run(LexicalRetriever(INDEX).exact(Query("index"), limit=5))


def test_match_share_weighs_words_by_idf() -> None:
    retriever = LexicalRetriever(INDEX)
    share = lambda text, id: run(retriever.match_share(Query(text), id))  # noqa: E731
    assert share("the index tables", "a") == 1.0
    index, lacking = INDEX.idf("index"), INDEX.idf("quagga")
    assert lacking > index
    assert share("index quagga", "a") == pytest.approx(index / (index + lacking))
    assert share("index quagga", "b") == 0.0
    assert share("of the", "a") is None
    assert share("", "a") is None


def test_average_length_is_of_the_fields_that_are_searched() -> None:
    assert LexicalRetriever(INDEX).average_length() == pytest.approx((5 + 4 + 2) / 3)
    assert LexicalRetriever(INDEX, search={"fields": ["title"]}).average_length() == 1.0


def test_options_are_passed_on_and_checked_at_once() -> None:
    retriever = LexicalRetriever(INDEX, search={"ranking": "exact-first", "fields": ["text"]})
    assert run(retriever.retrieve(Query("table"), limit=5))[0].tier == "stem"
    with pytest.raises(InvalidOption, match="colour"):
        LexicalRetriever(INDEX, search={"colour": 1})
    with pytest.raises(InvalidOption, match="limit"):
        LexicalRetriever(INDEX, search={"limit": 5})
    with pytest.raises(UnknownField, match="absent"):
        LexicalRetriever(INDEX, exact=["absent"])
