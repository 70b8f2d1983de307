"""The part that a page searches by itself."""

from __future__ import annotations

from hinny.site.sections import Page, Section
from hinny.site.store import unpack_json
from hinny.site.titles import TITLES, write_titles
from site_pages import make_pages


def read(pages: list[Page], largest: int = 10_000) -> dict[str, object]:
    found = unpack_json(write_titles(pages, largest)[TITLES], TITLES)
    assert isinstance(found, dict)
    return found


def test_rows_are_pages_with_their_sections() -> None:
    assert read(make_pages()) == {
        "version": 1,
        "complete": True,
        "pages": [
            ["./", "Mules", []],
            ["care.html", "Care", [["hooves", "Hooves"], ["teeth", "Teeth"]]],
            ["de.html", "Maultiere", []],
        ],
    }


def nested(number: int) -> Page:
    url = f"p{number}"
    sections = [
        Section(url, url, "Title", (), "x"),
        Section(f"{url}#a", url, "Title", ("Heading A",), "x"),
        Section(f"{url}#b", url, "Title", ("Heading A", "Heading B"), "x"),
    ]
    return Page(url, "Title", tuple(sections))


def test_deep_headings_go_first_when_room_is_short_then_pages() -> None:
    pages = [nested(number) for number in range(10)]
    assert read(pages)["complete"] is True
    shallow = read(pages, 450)
    assert shallow["complete"] is False
    assert shallow["pages"][3] == ["p3", "Title", [["a", "Heading A"]]]  # type: ignore[index]
    assert read(pages, 250)["pages"][3] == ["p3", "Title", []]  # type: ignore[index]
    few = read(pages, 60)["pages"]
    assert isinstance(few, list)
    assert 0 < len(few) < 10
    assert few == [[f"p{number}", "Title", []] for number in range(len(few))]
