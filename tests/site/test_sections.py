"""Sections as documents, numbers in titles, the site's name in titles."""

from __future__ import annotations

import pytest

from hinny.site.sections import Section, site_suffix, without_number


def test_a_section_becomes_a_document_of_three_fields() -> None:
    section = Section(
        "p.html#a", "p.html", "9.1. Lists", ("9.1.2. Sorting", "Order"), "Text.", "en", {"n": 1}, 2
    )
    document = section.to_document()
    assert document.id == "p.html#a~2"
    assert document.fields == {"title": "Lists", "headings": "Sorting\nOrder", "text": "Text."}
    assert document.language == "en"
    assert document.metadata == {"n": 1}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Chapter 12. Full Text Search", "Full Text Search"),
        ("9.13. Text Search Functions", "Text Search Functions"),
        ("E.21. Release 15", "Release 15"),
        ("E.21.3.1. Server", "Server"),
        ("Part IV. Client Interfaces", "Client Interfaces"),
        ("Appendix M. Glossary", "Glossary"),
        ("3.2 Usage", "Usage"),
        ("Kapitel 3. Paketverwaltung", "Paketverwaltung"),
        ("5. Bug Reporting Guidelines", "Bug Reporting Guidelines"),
        ("C. elegans", "C. elegans"),
        ("I. Asimov", "I. Asimov"),
        ("1984", "1984"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("3 ways to sort", "3 ways to sort"),
        ("Python 3.12 notes", "Python 3.12 notes"),
        ("1.", "1."),
        ("", ""),
    ],
)
def test_numbers_of_chapters_are_left_out_of_the_index(title: str, name: str) -> None:
    assert without_number(title) == name


@pytest.mark.parametrize(
    ("titles", "suffix"),
    [
        (["A | Site", "B | Site", "C | Site"], " | Site"),
        (["A | Site", "B | Site", "C | Site", "D", "E"], " | Site"),
        (["A | Site", "B | Site", "C", "D", "E", "F | Site"], ""),
        (["A | Site", "B | Site"], ""),
        (["A - b - Site", "C - Site", "D - Site"], " - Site"),
        (["A", "B", "C"], ""),
        ([], ""),
    ],
)
def test_what_most_titles_end_in_is_the_sites_name(titles: list[str], suffix: str) -> None:
    assert site_suffix(titles) == suffix
