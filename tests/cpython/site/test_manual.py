"""The PostgreSQL manual, from the archive in the repository: anchors, sections, two parsers that agree."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from hinny.site.html import NoText, cut_html, parse_html
from hinny.site.sections import Page

ARCHIVE = Path(__file__).parents[3] / "web" / "demo-data" / "postgresql-doc-15.tar.xz"
NAMED = {
    "sql-select.html",
    "runtime-config-resource.html",
    "functions-textsearch.html",
    "glossary.html",
    "indexes.html",
    "release-15.html",
    "app-psql.html",
    "index.html",
}


@pytest.fixture(scope="module")
def manual() -> dict[str, bytes]:
    """Every thirtieth page and the ones named."""
    pages = {}
    with tarfile.open(ARCHIVE) as archive:
        members = sorted((m for m in archive if m.name.endswith(".html")), key=lambda m: m.name)
        for number, member in enumerate(members):
            name = member.name.partition("/")[2]
            if number % 30 == 0 or name in NAMED:
                file = archive.extractfile(member)
                assert file is not None
                pages[name] = file.read()
    assert set(pages) >= NAMED
    return pages


_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")


def _headings_from(node: LexborNode | None) -> Iterator[str]:
    """The headings and terms, without blanks, from the one that holds a node on, in the order of the page."""
    above = node
    while above is not None:
        if above.tag in _HEADINGS:
            node = above
        above = above.parent
    while node is not None:
        for inner in node.traverse(include_text=False):
            if inner.tag in _HEADINGS:
                yield "".join((inner.text() or "").split())
        while node is not None and node.next is None:
            node = node.parent
        node = node.next if node is not None else None


def test_every_anchor_lands_on_its_heading(manual: dict[str, bytes]) -> None:
    checked = 0
    for name, data in manual.items():
        tree = LexborHTMLParser(data.decode())
        by_id = {node.attributes["id"]: node for node in tree.css("[id]")}
        own = set()
        for section in parse_html(data, name).sections:
            anchor = unquote(section.url.partition("#")[2])
            if not anchor or section.copy > 1 or not section.headings:
                continue
            heading = next(_headings_from(by_id[anchor]))
            assert "".join(section.headings[-1].split()).startswith(heading), section.url
            own.add(anchor)
        checked += len(own)
    assert checked > 350


def test_known_pages_are_cut_as_a_reader_would(manual: dict[str, bytes]) -> None:
    select = {s.id: s for s in parse_html(manual["sql-select.html"], "sql-select.html").sections}
    assert select["sql-select.html"].text == "SELECT, TABLE, WITH — retrieve rows from a table or view"
    distinct = select["sql-select.html#SQL-DISTINCT"]
    assert distinct.headings == ("Parameters", "DISTINCT Clause")
    assert distinct.text.startswith("If SELECT DISTINCT is specified, all duplicate rows are removed")
    memory = {s.url: s for s in parse_html(manual["runtime-config-resource.html"], "r.html").sections}
    work_mem = memory["r.html#GUC-WORK-MEM"]
    assert work_mem.headings == ("20.4.1. Memory", "work_mem (integer)")
    assert "Prev" not in select["sql-select.html"].text


def test_chapter_pages_are_kept_for_their_title(manual: dict[str, bytes]) -> None:
    page = parse_html(manual["indexes.html"], "indexes.html")
    assert page.title == "Chapter 11. Indexes"
    assert page.sections[0].url == "indexes.html"
    assert "11.1. Introduction" not in page.sections[0].text


def test_another_parser_sees_the_same_sections(manual: dict[str, bytes]) -> None:
    for name, data in manual.items():
        text = data.decode()
        assert cut_html(text, name, parser="justhtml") == cut_html(text, name, parser="lexbor")


SOUP = st.lists(
    st.sampled_from(
        [
            *(
                "<p>",
                "</p>",
                "<b>",
                "</b>",
                "<i>",
                "</i>",
                "<a id=x>",
                "</a>",
                "<div>",
                "</div>",
                "<h2 id=h>",
            ),
            *(
                "</h2>",
                "<table>",
                "<tr>",
                "<td>",
                "</table>",
                "<ul>",
                "<li>",
                "</ul>",
                "<nav>",
                "</nav>",
                "<br>",
            ),
            *(
                "<pre>",
                "</pre>",
                "one",
                "two",
                "three",
                "&amp;",
                "&lt",
                "&nbsp;",
                "<!-- c -->",
                "<script>s</script>",
            ),
            *(
                "<section id=s>",
                "</section>",
                "<dl>",
                "<dt id=d>",
                "<dd>",
                "</dl>",
                "</body>",
                "<html lang=de>",
            ),
            *("<!doctype html>", "<P CLASS=toc>", "<a href='x?a=1&amp;b=2#q'>", "<template>", "</template>"),
            *(
                "<svg>",
                "</svg>",
                "<select>",
                "<option>",
                "</select>",
                "<title>",
                "</title>",
                "<form>",
                "<main>",
            ),
            *(
                "<textarea>",
                "</textarea>",
                "<h2 hidden>",
                "<p data-hinny-ignore>",
                "</main>",
                "<body lang=fr>",
            ),
        ]
    ),
    max_size=30,
)


@given(SOUP)
@settings(max_examples=300, deadline=None)
def test_another_parser_sees_the_same_in_any_soup(soup: list[str]) -> None:
    text = "<title>T</title>" + " ".join(soup)

    def cut(parser: str) -> Page | str:
        try:
            return cut_html(text, "p.html", parser=parser)
        except NoText as reason:
            return str(reason)

    assert cut("justhtml") == cut("lexbor")
