"""Markdown to sections: front matter, anchors as GitHub makes them, links between sources."""

from __future__ import annotations

import pytest

from hinny.site.html import NoText
from hinny.site.markdown import front_matter, parse_markdown, slug
from hinny.site.sections import Page
from hinny.site.urls import resolve

LONG = "Text that is long enough to be a section of its own."


def page(text: str, url: str = "p/", **options: str) -> Page:
    return parse_markdown(text.encode(), url, **options)  # type: ignore[arg-type]


def test_a_page_is_cut_at_its_headings() -> None:
    found = page(
        f"# Mules\n\nA *cross*.\n\n## Feeding them\n\n{LONG}\n\n### Hay & oats\n\n- often\n- little\n"
    )
    assert found.title == "Mules"
    assert [(s.url, s.headings, s.text) for s in found.sections] == [
        ("p/", (), "A cross."),
        ("p/#feeding-them", ("Feeding them",), LONG),
        ("p/#hay--oats", ("Feeding them", "Hay & oats"), "often\nlittle"),
    ]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Getting started", "getting-started"),
        ("What's new in v2.0?", "whats-new-in-v20"),
        ("snake_case and kebab-case", "snake_case-and-kebab-case"),
        ("Größe & Übersicht", "größe--übersicht"),
        ("安装 指南", "安装-指南"),
        ("  C++  ", "c"),
    ],
)
def test_anchors_are_githubs(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


def test_repeated_headings_are_numbered_and_named_ones_keep_their_name() -> None:
    found = page(
        f"# T\n\n## A\n\n{LONG}\n\n## A\n\n{LONG}\n\n## B {{#own}}\n\n{LONG}\n\n## `c_d()`\n\n{LONG}\n"
    )
    assert [(s.url, s.headings) for s in found.sections][1:] == [
        ("p/#a", ("A",)),
        ("p/#a-1", ("A",)),
        ("p/#own", ("B",)),
        ("p/#c_d", ("c_d()",)),
    ]


def test_front_matter_becomes_the_pages_data() -> None:
    found = page(
        "---\ntitle: Care\ndate: 2026-05-01\ntags: [hay, oats]\nlang: de\n"
        "hinny:\n  filters: {os: [linux, macos]}\n  meta: {weight: 3}\n---\n# Something else\n\nText.\n"
    )
    assert found.title == "Care"
    section = found.sections[0]
    assert section.language == "de"
    assert section.metadata == {
        "date": "2026-05-01",
        "tags": ("hay", "oats"),
        "os": ("linux", "macos"),
        "weight": 3,
    }


def test_front_matter_of_hugo_is_toml() -> None:
    found = page('+++\ntitle = "Care"\ntags = ["hay"]\n+++\nText.\n')
    assert found.title == "Care"
    assert found.sections[0].metadata == {"tags": ("hay",)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\na: [\n---\nText.", "front matter is no YAML"),
        ("+++\na = \n+++\nText.", "front matter is no TOML"),
    ],
)
def test_broken_front_matter_is_a_problem_of_the_page(text: str, problem: str) -> None:
    found = page(text)
    assert found.sections[0].text == "Text."
    assert [item.startswith(problem) for item in found.problems] == [True]


@pytest.mark.parametrize("text", ["---\njust words\n---\nText.", "---\n- a\n---\nText.", "---\n---\nText."])
def test_front_matter_that_is_no_mapping_holds_nothing(text: str) -> None:
    problems: list[str] = []
    assert front_matter(text, problems) == ({}, "Text.")


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert front_matter("---\nText without an end", [])[0] == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---\ndraft: true\n---\nText.", "a draft"),
        ("---\npublished: false\n---\nText.", "a draft"),
        ("---\nhinny: {ignore: true}\n---\nText.", "marked hinny: ignore"),
        ("---\ntitle: T\n---\n", "no text"),
    ],
)
def test_a_page_with_nothing_to_index_says_why(text: str, reason: str) -> None:
    with pytest.raises(NoText) as caught:
        page(text)
    assert str(caught.value) == reason


def test_a_permalink_is_the_url() -> None:
    assert page("---\npermalink: /about/us/\n---\nText.").url == "about/us/"
    assert page("---\nurl: /\n---\nText.").url == "./"
    assert page("---\nurl: https://example.org/\n---\nText.").url == "p/"


def test_tables_html_and_notes_are_text() -> None:
    found = page(
        "| a | b |\n|---|---|\n| 1 | ~~2~~ |\n\n<p data-hinny-ignore>no</p>\n\n"
        "Term\n: Meaning[^1]\n\n[^1]: Foot.\n"
    )
    assert found.sections[0].text == "a b\n1 2\nTerm\nMeaning[1]\nFoot. ↩︎"


def test_scripts_in_markdown_are_dropped() -> None:
    assert page("Text.\n\n<script>\nbad()\n</script>\n").sections[0].text == "Text."


def test_links_between_sources_become_links_between_pages() -> None:
    found = page(
        "[a](more.md#x) [b](../index.md) [c](/top.md) [d](img.png)", "guide/start/", source="guide/start.md"
    )
    assert [link.target for link in found.links] == ["guide/more/#x", "./", "top/", "guide/start/img.png"]
    assert (
        resolve("guide/start.html", "more.md", source="guide/start.md", markdown="html") == "guide/more.html"
    )


def test_a_byte_order_mark_does_not_hide_the_front_matter() -> None:
    assert page("\ufeff---\ntitle: T\n---\nText.").title == "T"
