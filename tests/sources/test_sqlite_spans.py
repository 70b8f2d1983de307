"""Full-text search in SQLite: spans, owners and hostile queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import InvalidInput, InvalidOption
from hinny.records import Query
from hinny.sources.sqlite_spans import Span, SpanIndex, SpanRetriever, fts5_query
from ranking_fakes import ids

SPANS = [
    Span("notes/a", "The daemon fails at startup with code 503", {"line": 1}),
    Span("notes/a", "startup startup startup", {"line": 9}),
    Span("notes/b", "A daemon is a program in the background", [4, 7]),
    Span("notes/c", "Crème brûlée", None),
]


OPEN: list[sqlite3.Connection] = []


def memory() -> sqlite3.Connection:
    """A database that the test's end closes."""
    OPEN.append(sqlite3.connect(":memory:"))
    return OPEN[-1]


@pytest.fixture(autouse=True)
def closing() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


@pytest.fixture
def index() -> SpanIndex:
    made = SpanIndex(memory())
    assert made.add(SPANS) == 4
    return made


def test_spans_collapse_to_their_owners_best_with_the_winning_locator(index: SpanIndex) -> None:
    rows = index.search("startup", limit=10)
    assert ids(rows) == ["notes/a"]
    assert rows[0].payload == {"locator": {"line": 9}}
    rows = index.search("daemon 503", limit=10)
    assert ids(rows) == ["notes/a", "notes/b"]
    assert rows[0].payload == {"locator": {"line": 1}}
    assert rows[1].payload == {"locator": [4, 7]}
    assert rows[0].score > rows[1].score


def test_the_index_is_contentless(index: SpanIndex) -> None:
    stored = index._db.execute("SELECT text FROM spans_fts").fetchall()
    assert stored == [(None,)] * 4
    assert not index._db.execute("SELECT name FROM sqlite_master WHERE name = 'spans_fts_content'").fetchall()


def test_the_score_is_bm25_with_its_sign_turned(index: SpanIndex) -> None:
    (raw,) = index._db.execute(
        "SELECT bm25(spans_fts) FROM spans_fts WHERE spans_fts MATCH 'background'"
    ).fetchone()
    assert index.search("background", limit=1)[0].score == -raw > 0


def test_diacritics_and_case_fold(index: SpanIndex) -> None:
    assert ids(index.search("CREME", limit=5)) == ["notes/c"]
    assert index.search("brûlée", limit=5)[0].payload is None
    assert ids(index.search("bru\u0302le\u0301e", limit=5)) == ["notes/c"]


def test_any_word_or_all_words(index: SpanIndex) -> None:
    assert ids(index.search("daemon background", limit=5, match="all")) == ["notes/b"]
    assert ids(index.search("daemon nowhere", limit=5, match="any")) == ["notes/a", "notes/b"]


def test_ids_are_applied_before_the_top_is_taken(index: SpanIndex) -> None:
    assert ids(index.search("daemon", limit=1, ids={"notes/b"})) == ["notes/b"]
    assert index.search("daemon", limit=1, ids=set()) == []


def test_owners_count_towards_the_limit_and_not_spans() -> None:
    index = SpanIndex(memory())
    index.add(Span(f"o{n % 3}", "word " * (10 - n)) for n in range(9))
    assert len(index.search("word", limit=2)) == 2
    assert sorted(ids(index.search("word", limit=5))) == ["o0", "o1", "o2"]
    assert index.search("word", limit=0) == []


def test_every_token_is_quoted() -> None:
    assert fts5_query("why does it 503?") == '"why" OR "does" OR "it" OR "503"'
    assert fts5_query("a-b c", match="all") == '"a" AND "b" AND "c"'
    assert (
        fts5_query('NEAR(a b) OR "c" * text:d ^e')
        == '"NEAR" OR "a" OR "b" OR "OR" OR "c" OR "text" OR "d" OR "e"'
    )
    assert fts5_query("?!*") == fts5_query("") == ""


HOSTILE = [
    '"',
    "'",
    'a"b',
    "*",
    "text:",
    "^a",
    "-",
    "NOT",
    "AND OR",
    "(",
    "NEAR(",
    "\x00",
    "a\x00b",
    "{x}:",
    "a+b",
    ";--",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_punctuation_breaks_the_syntax(index: SpanIndex, text: str) -> None:
    assert isinstance(index.search(text, limit=5), list)


@given(st.text(max_size=30))
def test_no_text_at_all_breaks_the_syntax(text: str) -> None:
    index = SpanIndex(memory())
    index.add(SPANS)
    index.search(text, limit=5)
    index.search(text, limit=5, match="all")


def test_a_second_index_finds_the_first_ones_tables() -> None:
    connection = memory()
    SpanIndex(connection, name="docs").add(SPANS)
    assert ids(SpanIndex(connection, name="docs").search("background", limit=5)) == ["notes/b"]


def test_clear_forgets_everything(index: SpanIndex) -> None:
    index.clear()
    assert index.search("daemon", limit=5) == []
    index.add([Span("new", "daemon")])
    assert ids(index.search("daemon", limit=5)) == ["new"]


def test_adding_is_all_or_nothing(index: SpanIndex) -> None:
    with pytest.raises(InvalidInput, match="a span has an owner and a text"):
        index.add([Span("x", "unique"), Span("y", 5)])  # type: ignore[arg-type]
    assert index.search("unique", limit=5) == []


def test_bad_options_are_named() -> None:
    connection = memory()
    for name in ('x"; --', "", "naïve", "a b"):
        with pytest.raises(InvalidOption, match="an ASCII identifier"):
            SpanIndex(connection, name=name)
    bad: Any = "most"
    with pytest.raises(InvalidOption, match="'any' or 'all'"):
        SpanRetriever(SpanIndex(connection), match=bad)


def test_the_retriever_retrieves_and_rescores(index: SpanIndex) -> None:
    retriever = SpanRetriever(index)
    assert retriever.name == "fts"
    assert ids(retriever.retrieve(Query("daemon"), limit=1)) == ids(index.search("daemon", limit=1))
    assert ids(retriever.rescore(Query("daemon"), ["notes/b", "notes/c"])) == ["notes/b"]
    assert ids(retriever.retrieve(Query("daemon"), limit=5, ids={"notes/a"})) == ["notes/a"]
