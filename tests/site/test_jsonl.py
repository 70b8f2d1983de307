"""JSON Lines to pages: our own records, those of BEIR, and lines that are neither."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hinny.site.html import NoText
from hinny.site.jsonl import metadata_of, parse_jsonl
from hinny.site.sections import Page


def read(*records: Any) -> list[tuple[str, Page | NoText]]:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    return list(parse_jsonl("\n".join(lines).encode()))


def pages(*records: Any) -> list[Page]:
    return [answer for _, answer in read(*records) if isinstance(answer, Page)]


def test_records_of_one_page_become_its_sections() -> None:
    found = pages(
        {"url": "a.html", "title": "A", "text": "Intro.", "language": "de"},
        {"url": "b.html", "title": "B", "text": "Other."},
        {"url": "a.html#x", "title": "A", "headings": ["X"], "text": "More.", "metadata": {"n": 1}},
        {"url": "a.html#x", "title": "A", "headings": ["X", "Y"], "text": "Again."},
    )
    assert [page.url for page in found] == ["a.html", "b.html"]
    assert [(s.id, s.headings, s.language, dict(s.metadata)) for s in found[0].sections] == [
        ("a.html", (), "de", {}),
        ("a.html#x", ("X",), None, {"n": 1}),
        ("a.html#x~2", ("X", "Y"), None, {}),
    ]


def test_beir_documents_are_pages_of_one_section() -> None:
    found = pages({"_id": "4983", "title": "Title", "text": "Text.", "metadata": {}})
    assert (found[0].url, found[0].title, found[0].sections[0].text) == ("4983", "Title", "Text.")


def test_a_record_of_html_is_cut_like_a_page() -> None:
    found = pages({"url": "a.html", "html": "<title>T</title><p>One.<h2 id=b>B</h2><p>Two."})
    assert [(s.url, s.text) for s in found[0].sections] == [("a.html", "One."), ("a.html#b", "Two.")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
        ("[1]", "not a JSON object"),
        ({"title": "T", "text": "x"}, "no url (or _id)"),
        ({"url": " ", "text": "x"}, "no url (or _id)"),
        ({"url": "a", "text": ""}, "no text"),
        ({"url": "a", "text": 3}, "title and text must be strings"),
        ({"url": "a", "html": "<nav>x</nav>"}, "no text"),
    ],
)
def test_a_line_that_is_no_page_is_named_with_its_number(line: Any, reason: str) -> None:
    found = [(name, answer) for name, answer in read({"_id": "ok", "text": "ok"}, "", line)]
    bad = [(name, str(answer)) for name, answer in found if isinstance(answer, NoText)]
    assert bad == [("line 3", reason)]
    assert [name for name, answer in found if isinstance(answer, Page)] == ["ok"]


def test_metadata_are_scalars_and_flat_lists() -> None:
    value = {
        "s": "x",
        "n": 1,
        "f": 0.5,
        "b": True,
        "l": ["a", 2],
        "m": [1, 2.5],
        "none": None,
        "d": {},
        "e": "",
    }
    assert metadata_of(value) == {"s": "x", "n": 1, "f": 0.5, "b": True, "l": ("a", "2"), "m": (1.0, 2.5)}
    assert metadata_of([1]) == {}
