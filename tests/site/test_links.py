"""Links between sections."""

from __future__ import annotations

from hinny.npz import unpack
from hinny.site.html import parse_html
from hinny.site.links import LINKS, write_links
from site_pages import make_pages


def test_links_lead_to_the_section_that_holds_the_anchor() -> None:
    # Rows: 0 index, 1 care, 2 hooves, 3 teeth, 4 de. The link to gone.html leads nowhere.
    arrays = unpack(write_links(make_pages())[LINKS])
    assert list(zip(arrays["from"].tolist(), arrays["to"].tolist(), strict=True)) == [(0, 1), (0, 2), (2, 0)]
    assert arrays["from"].dtype.str == arrays["to"].dtype.str == "<i4"


def test_an_anchor_inside_a_section_leads_to_it_and_an_unknown_one_to_the_page() -> None:
    one = parse_html(
        b"<title>A</title><h1>A</h1><p>Text.<h2 id=b>B</h2><p>Text <a id=inside></a> more.", "a.html"
    )
    two = parse_html(
        b"<title>T</title><p><a href='a.html#inside'>i</a> <a href='a.html#unknown'>u</a> <a href='#x'>s</a>",
        "t.html",
    )
    arrays = unpack(write_links([one, two])[LINKS])
    assert list(zip(arrays["from"].tolist(), arrays["to"].tolist(), strict=True)) == [(2, 0), (2, 1)]


def test_a_site_without_links_has_no_part() -> None:
    assert write_links([parse_html(b"<title>T</title><p>x", "t.html")]) == {}
