"""What a page says about itself."""

from __future__ import annotations

import pytest

from hinny.records import MetadataValue
from hinny.site.html import parse_html


def metadata(html: str) -> dict[str, MetadataValue]:
    return dict(parse_html(f"{html}<p>Text.".encode(), "p.html").sections[0].metadata)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", {}),
        ('<meta name="date" content="2026-05-01T10:00:00Z">', {"date": "2026-05-01"}),
        ('<meta property="article:published_time" content="2026-05-01">', {"date": "2026-05-01"}),
        ('<meta name="date" content="last Tuesday">', {}),
        (
            '<meta name="date" content="2026-05-01"><meta name="date" content="2027-05-01">',
            {"date": "2026-05-01"},
        ),
        ('<meta name="keywords" content="backup, disk,, backup">', {"tags": ("backup", "disk")}),
        (
            '<meta property="article:tag" content="a"><meta property="article:tag" content="b">',
            {"tags": ("a", "b")},
        ),
        ('<p data-hinny-filter="edition:community">', {"edition": ("community",)}),
        (
            '<p data-hinny-filter="os:linux, os:macos, kind: guide">',
            {"os": ("linux", "macos"), "kind": ("guide",)},
        ),
        ('<meta data-hinny-filter="os" content="linux">', {"os": ("linux",)}),
        ('<p data-hinny-filter="nothing">', {}),
        ('<p data-hinny-meta="weight:3">', {"weight": 3}),
        ('<p data-hinny-meta="weight:-2.5">', {"weight": -2.5}),
        ('<p data-hinny-meta="image:img/a.png">', {"image": "img/a.png"}),
    ],
)
def test_metadata_are_read(html: str, expected: dict[str, MetadataValue]) -> None:
    assert metadata(html) == expected


def test_marks_in_dropped_elements_do_not_count() -> None:
    assert metadata('<nav data-hinny-filter="os:linux">x</nav>') == {}


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=de>", "de"),
        ("<html xml:lang=de>", "de"),
        ("<html lang=de><body lang=fr>", "fr"),
        ("<html lang=' pt-BR '>", "pt-BR"),
        ("<html lang=''>", None),
    ],
)
def test_the_language_is_read(html: str, language: str | None) -> None:
    assert parse_html(f"{html}<p>Text.".encode(), "p.html").sections[0].language == language
