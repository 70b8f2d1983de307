"""Pages to a bundle's parts."""

from __future__ import annotations

import pytest

from hinny import __version__
from hinny.errors import NothingIndexed
from hinny.site.build import build_parts, pages_of
from hinny.site.html import parse_html
from hinny.site.sections import Page, Section
from hinny.site.store import PAGES, sections_of, unpack_json
from site_pages import make_pages, make_site


def test_the_manifest_says_what_was_built() -> None:
    manifest = make_site(title="Mule book", root="../../").manifest
    assert manifest.title == "Mule book"
    assert manifest.root == "../../"
    assert dict(manifest.counts)["pages"] == 3
    assert dict(manifest.counts)["sections"] == 5
    assert dict(manifest.counts)["terms"] > 30
    assert dict(manifest.languages) == {"de": 1, "en": 4}
    assert set(manifest.analyzers) == {"de@1", "en@1"}
    assert manifest.factory == "lexical-only"
    assert manifest.hinny == __version__


def test_resident_parts_are_there() -> None:
    built = make_site()
    assert set(built.manifest.resident) <= set(built.parts)
    assert PAGES in built.manifest.resident
    assert any(name.startswith("lexical/") for name in built.manifest.resident)


def test_the_same_pages_give_the_same_bytes() -> None:
    assert make_site().parts == make_site().parts


def test_the_title_is_the_first_pages_where_none_is_given() -> None:
    assert make_site().manifest.title == "Mules"


def test_pages_without_a_language_take_the_one_given() -> None:
    page = parse_html(
        b"<title>T</title><p>Die Esel<h2 id=x lang=en>The mules</h2><p lang=en>are strong", "p.html"
    )
    manifest = build_parts([page], language="de").manifest
    assert dict(manifest.languages) == {"de": 1, "en": 1}
    assert dict(build_parts([page]).manifest.languages) == {"en": 1, "und": 1}


def test_the_sites_name_is_left_out_of_titles() -> None:
    pages = [
        parse_html(f"<title>{name} | Mule book</title><p>x".encode(), f"{name}.html")
        for name in ("A", "B", "C")
    ]
    built = build_parts(pages)
    assert [row[1] for row in unpack_json(built.parts[PAGES], PAGES)["pages"]] == ["A", "B", "C"]


@pytest.mark.parametrize("pages", [[], [Page("p", "T", ())]])
def test_nothing_to_index_is_an_error(pages: list[Page]) -> None:
    with pytest.raises(NothingIndexed):
        build_parts(pages)


def test_sections_alone_can_be_built() -> None:
    sections = list(sections_of(make_pages()))
    pages = pages_of(sections)
    assert [page.url for page in pages] == ["./", "care.html", "de.html"]
    assert list(sections_of(pages)) == sections
    assert isinstance(sections[0], Section)
