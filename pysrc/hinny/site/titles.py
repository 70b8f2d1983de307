"""Titles and headings in one small part, for a page's own matches in plain JavaScript before Python is up.

Gzipped JSON: `{"version": 1, "complete": true, "pages": [[url, title, [[anchor, heading], ...]], ...]}`, with
the sections in the page's order; an empty anchor is the page itself. Pages come first when room is short:
deep headings are left out until the JSON has at most `LARGEST` bytes, and `complete` is then false.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hinny.site.sections import Page
from hinny.site.store import pack_json

TITLES = "site/titles"
VERSION = 1
LARGEST = 512 * 1024
"""Bytes of JSON before it is gzipped (to about a fifth)."""


def write_titles(pages: Sequence[Page], largest: int = LARGEST) -> dict[str, bytes]:
    """The part `site/titles`."""
    deepest = max((len(section.headings) for page in pages for section in page.sections), default=0)
    for depth in range(deepest, -1, -1):
        rows = [_row(page, depth) for page in pages]
        if depth == 0 or _size(rows) <= largest:
            break
    while rows and _size(rows) > largest:
        rows = rows[: len(rows) * largest // (_size(rows) + 1)]
    complete = depth == deepest and len(rows) == len(pages)
    return {TITLES: pack_json({"version": VERSION, "complete": complete, "pages": rows})}


def _row(page: Page, depth: int) -> list[Any]:
    sections = [
        [section.url[len(section.page) + 1 :], section.headings[-1]]
        for section in page.sections
        if 0 < len(section.headings) <= depth
    ]
    return [page.url, page.title, sections]


def _size(rows: list[list[Any]]) -> int:
    return len(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
