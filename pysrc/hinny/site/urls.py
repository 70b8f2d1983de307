"""From files to the URLs at which their pages are read, and links between them."""

from __future__ import annotations

from re import Match
from re import compile as regex
from typing import Literal
from urllib.parse import unquote, urljoin, urlsplit

MarkdownUrls = Literal["folder", "html", "source"]
"""Where a site generator puts `guide/start.md`: `guide/start/`, `guide/start.html`, or as it is."""

MARKDOWN_URLS: tuple[MarkdownUrls, ...] = ("folder", "html", "source")
_MARKDOWN = (".md", ".markdown")
_INDEX = ("index", "readme", "_index")

# What a browser would escape in a path or an anchor; letters of every script may stay.
_UNSAFE = regex(r"[\x00-\x20\x7f\"%<>\\^`{|}#?]")
_BASE = "http://site.invalid/"


def escape(text: str) -> str:
    """A path or an anchor with the signs percent-encoded that would end it or break it."""
    return _UNSAFE.sub(_percent, text)


def _percent(found: Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def page_url(path: str, markdown: MarkdownUrls = "folder") -> str:
    """The URL of a source file, both relative to the site's root.

    >>> page_url("guide/index.html"), page_url("guide/start.md"), page_url("index.html")
    ('guide/', 'guide/start/', './')
    """
    folder, _, name = path.rpartition("/")
    prefix = f"{folder}/" if folder else ""
    stem, dot, ending = name.rpartition(".")
    if f"{dot}{ending}".lower() in _MARKDOWN and markdown != "source":
        ending = "/" if markdown == "folder" else ".html"
        name = "" if stem.lower() in _INDEX else stem + ending
    elif name.lower() in ("index.html", "index.htm", "index.xhtml"):
        name = ""
    return escape(prefix + name) or "./"


def resolve(
    page: str, href: str, *, source: str | None = None, markdown: MarkdownUrls = "folder"
) -> str | None:
    """The URL, relative to the site's root, of a link on a page: no query, the anchor decoded.

    `source` is the file that the page was made from: links to other Markdown files are relative to it.
    None for a link that leaves the site or is no URL.

    >>> resolve("guide/start.html", "../api/index.html?v=2#open")
    'api/#open'
    >>> resolve("guide/start/", "more.md#x", source="guide/start.md")
    'guide/more/#x'
    """
    try:
        parts = urlsplit(href.strip())
        if parts.scheme or parts.netloc:
            return None
        to_markdown = parts.path.lower().endswith(_MARKDOWN)
        base = source if source is not None and to_markdown else page
        target = urlsplit(urljoin(urljoin(_BASE, base), href.strip()))
    except ValueError:
        return None
    path = page_url(unquote(target.path).lstrip("/"), markdown if to_markdown else "source")
    return f"{path}#{unquote(target.fragment)}" if target.fragment else path
