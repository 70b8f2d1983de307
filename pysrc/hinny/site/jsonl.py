"""JSON Lines to pages: one object a line, `{"url", "title", "text" or "html", "headings", "language",
"metadata"}`, or the form of the BEIR collections, `{"_id", "title", "text", "metadata"}`.

Lines that share a page (the URL up to `#`) become one page's sections; a line of `html` is cut like a page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hinny.records import MetadataValue
from hinny.site.encoding import decode
from hinny.site.html import NoText, cut_html
from hinny.site.sections import Page, Section


def parse_jsonl(data: bytes) -> Iterator[tuple[str, Page | NoText]]:
    """Each page with its URL, or why a line (named `line 3`) was left out, in the order of the lines."""
    text, _ = decode(data)
    pages: dict[str, list[Section]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise NoText("not a JSON object")
            url = _url(record)
            if isinstance(record.get("html"), str):
                yield url, cut_html(record["html"], url, title=record.get("title"))
            else:
                section = _section(record, url)
                pages.setdefault(section.page, []).append(section)
        except json.JSONDecodeError as broken:
            yield f"line {number}", NoText(f"not JSON: {broken.msg} at column {broken.colno}")
        except NoText as reason:
            yield f"line {number}", reason
    for page, sections in pages.items():
        yield page, Page(page, sections[0].page_title, tuple(_numbered(sections)))


def _url(record: Mapping[str, Any]) -> str:
    for name in ("url", "_id", "id"):
        value = record.get(name)
        if isinstance(value, str | int) and str(value).strip():
            return str(value).strip()
    raise NoText("no url (or _id)")


def _section(record: Mapping[str, Any], url: str) -> Section:
    text = record.get("text", "")
    title = record.get("title", "")
    if not isinstance(text, str) or not isinstance(title, str | None):
        raise NoText("title and text must be strings")
    if not text.strip() and not (title or "").strip():
        raise NoText("no text")
    headings = record.get("headings") or ()
    if isinstance(headings, str):
        headings = (headings,)
    language = record.get("language") or record.get("lang")
    return Section(
        url=url,
        page=url.partition("#")[0] or url,
        page_title=title or url,
        headings=tuple(str(heading) for heading in headings),
        text=text.strip(),
        language=str(language) if language else None,
        metadata=metadata_of(record.get("metadata")),
    )


def _numbered(sections: list[Section]) -> Iterator[Section]:
    seen: dict[str, int] = {}
    for section in sections:
        count = seen[section.url] = seen.get(section.url, 0) + 1
        yield (
            section
            if count == 1
            else Section(
                section.url,
                section.page,
                section.page_title,
                section.headings,
                section.text,
                section.language,
                section.metadata,
                count,
            )
        )


def metadata_of(value: object) -> dict[str, MetadataValue]:
    """JSON metadata as a `Document` carries it: scalars and flat lists, not empty or nested ones."""
    found: dict[str, MetadataValue] = {}
    if not isinstance(value, Mapping):
        return found
    for name, item in value.items():
        if isinstance(item, bool | int | float) or (isinstance(item, str) and item):
            found[str(name)] = item
        elif isinstance(item, list) and item:
            if all(isinstance(part, int | float) and not isinstance(part, bool) for part in item):
                found[str(name)] = tuple(float(part) for part in item)
            else:
                found[str(name)] = tuple(str(part) for part in item if not isinstance(part, list | dict))
    return found
