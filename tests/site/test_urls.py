"""Files to URLs, and links between pages."""

from __future__ import annotations

import pytest

from hinny.site.urls import MarkdownUrls, escape, page_url, resolve


@pytest.mark.parametrize(
    ("path", "markdown", "url"),
    [
        ("a/b.html", "folder", "a/b.html"),
        ("a/index.html", "folder", "a/"),
        ("INDEX.HTM", "folder", "./"),
        ("a/index.php.html", "folder", "a/index.php.html"),
        ("a/b.md", "folder", "a/b/"),
        ("a/b.md", "html", "a/b.html"),
        ("a/b.md", "source", "a/b.md"),
        ("a/README.md", "folder", "a/"),
        ("a/_index.md", "html", "a/"),
        ("a/v1.2.md", "folder", "a/v1.2/"),
        ("index.markdown", "folder", "./"),
        ("a b/c?d#e%.html", "folder", "a%20b/c%3Fd%23e%25.html"),
        ("größe/检索.html", "folder", "größe/检索.html"),
    ],
)
def test_a_files_url(path: str, markdown: MarkdownUrls, url: str) -> None:
    assert page_url(path, markdown) == url


@pytest.mark.parametrize(
    ("page", "href", "target"),
    [
        ("a/b.html", "c.html", "a/c.html"),
        ("a/b.html", "../c.html#x", "c.html#x"),
        ("a/b.html", "/c/index.html", "c/"),
        ("a/b.html", "/", "./"),
        ("a/b.html", "#x", "a/b.html#x"),
        ("a/b.html", "?page=2", "a/b.html"),
        ("a/", "c.html", "a/c.html"),
        ("./", "c.html", "c.html"),
        ("a/b.html", "../../../c.html", "c.html"),
        ("a/b.html", "c%20d.html#e%20f", "a/c%20d.html#e f"),
        ("a/b.html", "gr%C3%B6%C3%9Fe.html", "a/größe.html"),
        ("a/b.html", "https://example.org/", None),
        ("a/b.html", "//example.org/", None),
        ("a/b.html", "mailto:a@example.org", None),
        ("a/b.html", "javascript:void(0)", None),
        ("a/b.html", "http://[broken", None),
    ],
)
def test_where_a_link_leads(page: str, href: str, target: str | None) -> None:
    assert resolve(page, href) == target


def test_what_ends_a_url_is_escaped() -> None:
    assert escape('a "b" <c> #?%') == "a%20%22b%22%20%3Cc%3E%20%23%3F%25"
