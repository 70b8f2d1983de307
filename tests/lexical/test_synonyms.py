from __future__ import annotations

import pytest

from hinny.lexical.index import LexicalIndex
from hinny.lexical.synonyms import widen
from hinny.lexical.syntax import Phrase, Term, parse
from hinny.records import Document
from hinny.text.synonyms import Synonyms

SYNONYMS = Synonyms.parse("db, data base ^0.5\nnode js => javascript\ncar, automobile\n")
INDEX = LexicalIndex.build(
    [
        Document("a", {"title": "Storage", "text": "every data base has tables"}, {}, "en"),
        Document("b", {"title": "Storage", "text": "a base for data, not the other way round"}, {}, "en"),
        Document("c", {"title": "Storage", "text": "the db of the site"}, {}, "en"),
        Document("d", {"title": "Scripts", "text": "javascript in the browser"}, {}, "en"),
    ]
)


def added(text: str) -> list[object]:
    parsed = parse(text)
    wider = widen(parsed, SYNONYMS)
    assert wider.clauses[: len(parsed.clauses)] == parsed.clauses and wider.plain_text == parsed.plain_text
    return list(wider.clauses[len(parsed.clauses) :])


def search(text: str, **options: object) -> list[str]:
    return [hit.id for hit in INDEX.search(widen(parse(text), SYNONYMS), **options).hits]


def test_several_words_become_clauses_of_their_own() -> None:
    assert added("the db here") == [Phrase("data base", synonym=0.5)]
    assert added("Data Base tables") == [Term("db", synonym=0.5)]
    assert added("data-base") == [Term("db", synonym=0.5)]
    assert added("db data base") == [Phrase("data base", synonym=0.5), Term("db", synonym=0.5)]
    assert added("a Node JS server") == [Term("javascript", synonym=0.6)]


@pytest.mark.parametrize(
    "text", ["", "car", "javascript", "base data", "-db", "title:db", "data -x base", '"db"']
)
def test_what_says_nothing_of_them_stays_as_it_is(text: str) -> None:
    parsed = parse(text, fields=["title"])
    assert widen(parsed, SYNONYMS) is parsed


def test_a_phrase_is_found_for_a_word_and_counts_less_than_it() -> None:
    assert search("db") == ["c", "a"]
    assert search("data base") == ["a", "b", "c"]
    assert search("node js") == ["d"]
    found = {hit.id: hit.score for hit in INDEX.search(widen(parse("db"), SYNONYMS)).hits}
    phrase = {hit.id: hit.score for hit in INDEX.search('"data base"').hits}
    assert found["a"] == pytest.approx(0.5 * phrase["a"])


def test_synonyms_ask_for_nothing() -> None:
    assert search("db site", match="all") == ["c"]
    assert search("+tables db") == ["a"]
    plain = {hit.id: hit.score for hit in INDEX.search("db").hits}
    assert {hit.id: hit.score for hit in INDEX.search(widen(parse("db"), SYNONYMS)).hits}["c"] == plain["c"]


@pytest.mark.parametrize("id", ["a", "b", "c", "d"])
def test_contributions_sum_to_the_score(id: str) -> None:
    query = widen(parse("db of node js"), SYNONYMS)
    explanation = INDEX.explain(query, id)
    total = sum(term.contribution for term in explanation.terms) + explanation.title + explanation.exact_title
    assert total == pytest.approx(explanation.score)
    found = {hit.id: hit.score for hit in INDEX.search(query).hits}
    assert explanation.score == pytest.approx(found.get(id, 0.0))
