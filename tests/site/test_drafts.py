"""Sections in the making: nesting, merging, and what becomes of anchors and links."""

from __future__ import annotations

import pytest

from hinny.site.drafts import SMALLEST, Drafts, tidy
from hinny.site.sections import Link

LONG = "x" * SMALLEST


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a \t b  ", "a b"),
        ("a \n \n\n b", "a\nb"),
        ("\n\na\n", "a"),
        ("a\u00a0\u2003b", "a b"),
        ("", ""),
    ],
)
def test_blanks_are_tidied(text: str, expected: str) -> None:
    assert tidy(text) == expected


def test_levels_nest_and_close() -> None:
    drafts = Drafts()
    for heading, level in (("A", 2), ("B", 3), ("C", 5), ("D", 3), ("E", 1)):
        drafts.open(heading, level, heading.lower())
        drafts.current.add(LONG, None)
    page = drafts.finish("p", "T", None, {})
    assert [section.headings for section in page.sections] == [
        ("A",),
        ("A", "B"),
        ("A", "B", "C"),
        ("A", "D"),
        ("E",),
    ]


def test_small_sections_without_an_anchor_join_the_one_above_in_order() -> None:
    drafts = Drafts()
    drafts.current.add("Intro.", None)
    for heading in ("A", "B"):
        drafts.open(heading, 2, None)
        drafts.current.add(f"small {heading}", None)
    page = drafts.finish("p", "T", None, {})
    assert [section.text for section in page.sections] == ["Intro.\nA\nsmall A\nB\nsmall B"]


def test_a_small_section_with_an_anchor_stands() -> None:
    drafts = Drafts()
    drafts.current.add("Intro.", None)
    drafts.open("A", 2, "a")
    drafts.current.add("small", None)
    assert [s.url for s in drafts.finish("p", "T", None, {}).sections] == ["p", "p#a"]


def test_a_section_that_fills_up_from_below_is_not_empty() -> None:
    drafts = Drafts()
    drafts.current.add("Intro.", None)
    drafts.open("A", 2, "a")
    drafts.open("B", 3, None)
    drafts.current.add("small", None)
    page = drafts.finish("p", "T", None, {})
    assert [(s.headings, s.text) for s in page.sections] == [((), "Intro."), (("A",), "B\nsmall")]


def test_links_and_anchors_follow_what_is_merged() -> None:
    drafts = Drafts()
    drafts.intro.heading = "T"
    drafts.open("A", 2, "a")
    drafts.open("B", 3, "b")
    drafts.current.add(LONG, None)
    drafts.current.anchors.append("inside")
    drafts.open("C", 3, None)
    drafts.current.add("small", None)
    drafts.current.links += ["x", "x"]
    drafts.current.anchors.append("small")
    page = drafts.finish("p", "T", None, {})
    assert [s.headings for s in page.sections] == [(), ("A",), ("A", "B")]
    assert page.anchors == {"a": 1, "b": 2, "inside": 2, "small": 1}
    assert page.links == (Link(1, "x"),)


def test_the_language_is_that_of_most_of_the_text() -> None:
    drafts = Drafts()
    drafts.current.add("kurz", "de")
    drafts.current.add("quite a bit longer", "en")
    assert drafts.finish("p", "T", "fr", {}).sections[0].language == "en"


def test_a_page_without_text_of_known_language_takes_the_pages() -> None:
    drafts = Drafts()
    drafts.intro.heading = "T"
    assert drafts.finish("p", "T", "fr", {}).sections[0].language == "fr"
