"""The ranking laws, in their order. Each pair of documents differs in one thing only."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.lexical.index import LexicalIndex
from hinny.records import Document

FILLER = [
    Document(
        f"z{n}",
        {"title": f"Filler {n}", "text": f"nothing of interest stands here number{n} anywhere"},
        {},
        "en",
    )
    for n in range(30)
]


def page(id: str, text: str, title: str = "Some page") -> Document:
    return Document(id, {"title": title, "text": text}, {}, "en")


def ranked(documents: list[Document], query: str, **options: object) -> list[str]:
    index = LexicalIndex.build([*documents, *FILLER])
    return [hit.id for hit in index.search(query, **options).hits]


def test_more_of_the_querys_idf_beats_less() -> None:
    both = page("both", "vacuum your tables and freeze them daily at night please")
    one = page("one", "vacuum your tables and vacuum them daily at vacuum please")
    assert ranked([one, both], "vacuum freeze") == ["both", "one"]


def test_the_rarer_of_two_words_is_more_of_the_idf() -> None:
    rare = page("rare", "the checkpoint happens here")
    often = [page(f"often{n}", "the server happens here") for n in range(9)]
    assert ranked([*often, rare], "server checkpoint")[0] == "rare"


@pytest.mark.parametrize(
    ("better", "worse"),
    [("index", "indexes"), ("indexes", "indexterm"), ("indexterm", "imdex")],
)
def test_exact_beats_stem_beats_prefix_beats_typo(better: str, worse: str) -> None:
    a, b = page("b", f"about {better} and so on"), page("a", f"about {worse} and so on")
    assert ranked([a, b], "index", prefix=True, fuzzy=1) == ["b", "a"]


@pytest.mark.parametrize("near", ["phonetiks", "fonetixs"])
def test_typos_beat_words_that_sound_alike(near: str) -> None:
    documents = [page("b", f"about {near} and so on"), page("a", "about phonetics and so on"), *FILLER]
    index = LexicalIndex.build(documents, phonetic=True)
    result = index.search("fonetiks", ranking="exact-first")
    assert [(hit.id, hit.tier) for hit in result.hits] == [("b", "typo"), ("a", "sound")]
    assert [hit.id for hit in index.search("fonetiks").hits] == ["b", "a"]
    assert [term.match for term in index.explain("fonetiks", "a").terms] == ["sound"]
    assert index.updated(remove=["b"]).search("fonetiks").did_you_mean == "phonetics"


def test_the_same_diacritics_beat_other_ones() -> None:
    plain, marked = page("b", "my resume is here"), page("a", "my résumé is here")
    assert ranked([plain, marked], "resume") == ["b", "a"]
    assert ranked([page("a", "my resume is here"), page("b", "my résumé is here")], "résumé") == ["b", "a"]


def test_an_exact_title_is_first() -> None:
    title = page("title", "This page says little.", "Vacuum")
    loud = page("loud", "vacuum " * 30, "Vacuum and more of vacuum vacuum")
    assert ranked([loud, title], "vacuum") == ["title", "loud"]
    assert ranked([loud, title], "VACUUM")[0] == "title"


def test_the_most_specific_heading_is_the_title() -> None:
    def section(id: str, headings: str) -> Document:
        return Document(
            id, {"title": "CREATE INDEX", "headings": headings, "text": "how to create an index"}, {}, "en"
        )

    documents = [section("notes", "Notes"), section("intro", ""), section("deep", "Parameters\nCREATE INDEX")]
    index = LexicalIndex.build([*documents, *FILLER], ["title", "headings", "text"])
    assert [hit.id for hit in index.search("create index").hits][2] == "notes"
    assert index.search("notes").hits[0].id == "notes"


def test_a_rarer_word_counts_more() -> None:
    documents = [page(f"c{n}", "common word stands here") for n in range(8)]
    rare = page("rare", "unusual word stands here")
    assert ranked([*documents, rare], "common unusual")[0] == "rare"


def test_a_shorter_field_counts_more() -> None:
    short = page("short", "the checkpoint interval")
    long = page("b", "the checkpoint interval and a great many other words that are about something else")
    assert ranked([long, short], "checkpoint") == ["short", "b"]


@given(st.sampled_from(["the", "of", "and", "is", "a"]), st.integers(0, 2))
@settings(max_examples=15, deadline=None)
def test_adding_a_stop_word_changes_nothing(stop: str, at: int) -> None:
    documents = [page("a", f"the {stop} vacuum of tables"), page("b", "tables are vacuumed, the lot of them")]
    index = LexicalIndex.build([*documents, *FILLER])
    words = ["vacuum", "tables"]
    plain = index.search(" ".join(words)).hits
    words.insert(at, stop)
    assert index.search(" ".join(words)).hits == plain


def test_ties_are_in_the_order_of_ids() -> None:
    documents = [page(id, "the very same text") for id in ("c", "a", "b")]
    assert ranked(documents, "same") == ["a", "b", "c"]
    assert ranked(documents, "same", limit=2) == ["a", "b"]
    assert ranked(documents, "same", offset=1, limit=1) == ["b"]
    assert ranked(documents, "same", ranking="exact-first") == ["a", "b", "c"]


def test_common_words_are_left_out_of_a_sentence_that_says_enough() -> None:
    documents = [page(f"d{n}", f"table stands here with word{n}") for n in range(40)]
    sentence = "table word1 word2 word3 word4"
    index = LexicalIndex.build(documents)
    assert {hit.id for hit in index.search(sentence, limit=50).hits} == {"d1", "d2", "d3", "d4"}
    assert index.search("table word1", limit=50).total == 40
