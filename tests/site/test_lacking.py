"""Which of the reader's words a hit lacks."""

from __future__ import annotations

import pytest

from hinny.lexical.syntax import parse
from hinny.site.highlight import Highlighter
from hinny.site.lacking import Asked, lacking, stands_for, words_of
from hinny.text.analyzer import get_analyzer

TITLE, HEADINGS = "Creating an index", ("Building it while others write",)
TEXT = "CREATE INDEX CONCURRENTLY does not block writes of the full text."


def missing(query: str, also: tuple[str, ...] = (), language: str | None = "en") -> list[str]:
    found: list[str] = Highlighter(parse(query), also).section(TITLE, HEADINGS, TEXT, language, 80)["missing"]
    return found


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("create index", []),
        ("create index rapidly", ["rapidly"]),
        ("Rapidly rapidly INDEX", ["Rapidly", "rapidly"]),
        ("indexes buildings", []),  # their stems, in the title and in a heading
        ("index of the world", ["world"]),  # stop words are nobody's loss
        ("rapidly widely", []),  # it has nothing of it: another way led here
        ("index -rapidly", []),
        ('"rapid index"', ["rapid"]),
        ("full-text index", []),
        ("create_index block", []),  # both its parts are there
        ("drop_index block", ["drop_index"]),
        ("ind* rapidly", []),  # what fits a pattern is no word of the reader's
        ("", []),
    ],
)
def test_what_a_hit_lacks(query: str, expected: list[str]) -> None:
    assert missing(query) == expected


def test_a_correction_or_completion_stands_for_the_reader_s_word() -> None:
    assert missing("indxe rapidly", also=("index",)) == ["rapidly"]
    assert missing("concurr index", also=("concurrently",)) == []


def test_where_a_synonym_is_found_nothing_is_said_to_be_missing() -> None:
    assert missing("quickly index") == ["quickly"]
    assert missing("quickly index", also=("block",)) == []


def test_writing_without_spaces_has_no_words_to_miss() -> None:
    words = get_analyzer("standard@1").analyze("全文 index")
    assert [one.text for one in words_of("全文 index", words, lambda term: False)] == ["index"]


def test_a_closed_spelling_is_as_good_as_its_words() -> None:
    tokens = get_analyzer("en@1").analyze("full-text")
    asked = list(words_of("full-text", tokens, lambda term: False))
    assert asked == [
        Asked("full", "full", joined=frozenset({"fulltext"})),
        Asked("text", "text", joined=frozenset({"fulltext"})),
    ]
    assert lacking([*asked, Asked("other", "other")], {"fulltext"}) == ("other",)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("vacuum", "vaccum"),
        ("vaccums", "vaccum"),  # completes it
        ("the", "teh"),
        ("cleaning", "cleaning"),  # nobody's
    ],
)
def test_what_a_word_of_the_index_stands_for(word: str, expected: str) -> None:
    assert stands_for(word, [Asked("Vaccum", "vaccum"), Asked("teh", "teh")]) == expected
