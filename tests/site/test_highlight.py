"""Marks in UTF-16 code units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.lexical.syntax import parse
from hinny.site.highlight import Highlighter, marked


def shown(query: str, text: str, language: str | None = "en", also: tuple[str, ...] = ()) -> list[str]:
    found = Highlighter(parse(query), also).section(text, [], "", language, 60)["pageTitle"]
    raw = found["text"].encode("utf-16-le")
    return [raw[start * 2 : stop * 2].decode("utf-16-le") for start, stop in found["marks"]]


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("vacuum", "VACUUM and vacuuming", ["VACUUM", "vacuuming"]),
        ("vac*", "Vacuum a vacancy", ["Vacuum", "vacancy"]),
        ("*uum", "vacuum", ["vacuum"]),
        ('"two words"', "two words", ["two", "words"]),
        ("mule -donkey", "a mule and a donkey", ["mule"]),
        ("mule -(donkey horse)", "horse, mule", ["mule"]),
        ("title:mule", "mule", ["mule"]),
        ("work_mem", "set work_mem now", ["work_mem"]),
        ("🐎 mule", "🐎🐎 mule", ["mule"]),
        ("", "mule", []),
    ],
)
def test_matched_words_are_marked(query: str, text: str, expected: list[str]) -> None:
    assert shown(query, text) == expected


def test_the_language_of_the_text_decides() -> None:
    assert shown("Maultiere", "ein Maultier", "de") == ["Maultier"]
    assert shown("Maultiere", "ein Maultier", None) == []


def test_words_that_were_searched_beside_are_marked() -> None:
    assert shown("vacum", "the vacuum", also=("vacuum",)) == ["vacuum"]


def test_a_word_still_being_typed_is_a_prefix() -> None:
    highlighter = Highlighter(parse("routine vac", as_you_type=True))
    (found,) = highlighter.section("", ["Routine Vacuuming"], "", "en", 60)["headings"]
    assert found["marks"] == [[0, 7], [8, 17]]


def test_excerpts_carry_their_marks_past_the_ellipsis() -> None:
    text = "Nothing here. " * 30 + "At last 🐎 the mule stands. " + "Nothing more. " * 30
    found = Highlighter(parse("mule")).section("", [], text, "en", 60)["excerpt"]
    start, stop = found["marks"][0]
    assert found["text"][0] == found["text"][-1] == "…"
    raw = found["text"].encode("utf-16-le")
    assert raw[start * 2 : stop * 2].decode("utf-16-le") == "mule"


@given(st.text(), st.data())
def test_code_points_become_utf16_units(text: str, data: st.DataObject) -> None:
    text = text.encode("utf-8", "ignore").decode()
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    ((low, high),) = marked(text, [(start, stop)])["marks"]
    assert text.encode("utf-16-le")[low * 2 : high * 2].decode("utf-16-le") == text[start:stop]
