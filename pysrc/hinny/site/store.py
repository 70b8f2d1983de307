"""What a search shows of a section, kept in parts: titles and headings at hand, texts in ranges.

    site/pages          titles, URLs, headings, languages, metadata of all sections: always loaded
    site/texts.0000 ... gzipped JSON lists of the texts of consecutive sections, loaded for the hits shown
    site/titles         titles and headings alone, for a page's own quick matches (see `titles.py`)
    site/links          which section links to which, as arrays

A section is known by its row, its place in the order of pages and sections. docs/bundle-format.md describes
the layout.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from hinny.errors import BundleError, UnsupportedVersion
from hinny.protocols import PartSource, resolve
from hinny.records import MetadataValue
from hinny.site.sections import Page, Section

VERSION = 1
PAGES = "site/pages"
SYNONYMS = "site/synonyms"
"""The site's own synonyms, gzipped JSON as `Synonyms.to_data` has it."""
RANGE_BYTES = 64 * 1024
"""UTF-8 bytes of text in a range, about a third of that when gzipped."""
KEPT_RANGES = 64
KEPT_ENTRIES = 256


class SiteInfo(NamedTuple):
    """What a bundle says of its site."""

    title: str
    root: str
    pages: int
    sections: int
    terms: int
    languages: dict[str, int]
    """Sections by language."""
    facets: list[str]
    """Attributes whose values a reader may choose from."""


class Entry(NamedTuple):
    """What is known of a section without its text."""

    id: str
    url: str
    page: str
    page_title: str
    headings: tuple[str, ...]
    language: str | None
    metadata: Mapping[str, MetadataValue]


def texts_name(number: int) -> str:
    """The part's name of a range of texts."""
    return f"site/texts.{number:04d}"


def pack_json(value: object) -> bytes:
    """Compact JSON, gzipped, the same bytes for the same value."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode("utf-8", "replace"), 9, mtime=0)


def unpack_json(data: bytes, name: str) -> Any:
    """The value of a gzipped JSON part. Raises `BundleError` when the part is not one."""
    try:
        return json.loads(gzip.decompress(data))
    except (OSError, EOFError, ValueError) as broken:
        raise BundleError(f"{name} is damaged: {broken}") from broken


def write_store(pages: Sequence[Page], info: SiteInfo) -> dict[str, bytes]:
    """The parts `site/pages` and `site/texts.*`."""
    parts: dict[str, bytes] = {}
    starts: list[int] = []
    texts: list[str] = []
    size = row = 0
    for page in pages:
        for section in page.sections:
            if not texts:
                starts.append(row)
            texts.append(section.text)
            size += len(section.text.encode("utf-8", "replace"))
            row += 1
            if size >= RANGE_BYTES:
                parts[texts_name(len(starts) - 1)] = pack_json(texts)
                texts, size = [], 0
    if texts:
        parts[texts_name(len(starts) - 1)] = pack_json(texts)
    parts[PAGES] = pack_json(
        {
            "version": VERSION,
            "info": info._asdict(),
            "ranges": starts,
            "pages": [_page_row(page) for page in pages],
        }
    )
    return parts


def _page_row(page: Page) -> list[Any]:
    """`[url, title, language, metadata, sections]`, a section `[anchor, shared, headings, copy, own data]`.

    `shared` headings are the section's before it; own data are language and metadata where they differ from
    the page's. What is empty at the end of a list is left out.
    """
    language = page.sections[0].language
    metadata = page.sections[0].metadata
    rows: list[list[Any]] = []
    path: tuple[str, ...] = ()
    for section in page.sections:
        shared = 0
        while shared < min(len(path), len(section.headings)) and path[shared] == section.headings[shared]:
            shared += 1
        path = section.headings
        own: dict[str, Any] = {}
        if section.language != language:
            own["language"] = section.language
        if section.metadata != metadata:
            own["metadata"] = dict(section.metadata)
        anchor = section.url[len(section.page) + 1 :]
        copy = section.copy if section.copy > 1 else 0
        rows.append(_trimmed([anchor, shared, list(path[shared:]), copy, own]))
    return [page.url, page.title, language, dict(metadata), rows]


def _trimmed(row: list[Any]) -> list[Any]:
    while row and not row[-1]:
        row.pop()
    return row


_ABSENT: list[Any] = ["", 0, (), 0, {}]


class SectionStore:
    """The sections of a bundle. `open` reads `site/pages`; texts come when asked for."""

    def __init__(self, source: PartSource, found: Mapping[str, Any]) -> None:
        if found.get("version") != VERSION:
            raise UnsupportedVersion(PAGES, found.get("version"), VERSION)
        self._source = source
        try:
            self.info = SiteInfo(**found["info"])
            self._starts: list[int] = found["ranges"]
            self._pages: list[list[Any]] = found["pages"]
            self._firsts = [0]
            for row in self._pages:
                self._firsts.append(self._firsts[-1] + len(row[4]))
        except (KeyError, TypeError, IndexError) as broken:
            raise BundleError(f"{PAGES} is damaged: {broken}") from broken
        self._texts: dict[int, list[str]] = {}
        self._pending: dict[int, asyncio.Task[list[str]]] = {}
        self._rows: dict[str, int] | None = None
        self._kept: dict[int, Entry] = {}

    @classmethod
    async def open(cls, source: PartSource) -> SectionStore:
        """Read the resident part. Raises `BundleError` and its descendants."""
        found = unpack_json(await resolve(source.read(PAGES)), PAGES)
        if not isinstance(found, dict):
            raise BundleError(f"{PAGES} is damaged: not an object")
        return cls(source, found)

    def __len__(self) -> int:
        return self._firsts[-1]

    def page_of(self, row: int) -> int:
        """The number of the page that a section lies in."""
        from bisect import bisect_right

        return bisect_right(self._firsts, row) - 1

    def entry(self, row: int) -> Entry:
        """What is known of a section."""
        entry = self._kept.get(row)
        if entry is None:
            number = self.page_of(row)
            place = row - self._firsts[number]
            if place < 0:
                raise IndexError(row)
            entry = next(islice(self._entries(number), place, None))
            # A query asks twice for each of its hits, and the next one, a letter longer, for the same.
            if len(self._kept) >= KEPT_ENTRIES:
                self._kept.clear()
            self._kept[row] = entry
        return entry

    def rows_of(self, page: int) -> range:
        """The sections of a page."""
        return range(self._firsts[page], self._firsts[page + 1])

    def row(self, id: str) -> int:
        """The row of a section's id. Raises KeyError."""
        if self._rows is None:
            pages = range(len(self._pages))
            ids = (entry.id for number in pages for entry in self._entries(number))
            self._rows = {id: row for row, id in enumerate(ids)}
        return self._rows[id]

    def _entries(self, page: int) -> Iterator[Entry]:
        url, title, language, metadata, rows = self._pages[page]
        page_metadata = _restored(metadata)
        path: tuple[str, ...] = ()
        for row in rows:
            full: list[Any] = [*row, *_ABSENT[len(row) :]]
            anchor, shared, headings, copy, own = full
            path = (*path[:shared], *headings)
            where = f"{url}#{anchor}" if anchor else url
            yield Entry(
                f"{where}~{copy}" if copy else where,
                where,
                url,
                title,
                path,
                own.get("language", language),
                _restored(own["metadata"]) if "metadata" in own else page_metadata,
            )

    async def texts(self, rows: Sequence[int]) -> list[str]:
        """The texts of sections; their ranges are fetched together, each once."""
        from bisect import bisect_right

        ranges = [bisect_right(self._starts, row) - 1 for row in rows]
        # What is here already needs no task: in a browser each costs a turn of the page's event loop.
        loaded = {number: self._texts[number] for number in ranges if number in self._texts}
        wanted = [number for number in dict.fromkeys(ranges) if number not in loaded]
        for number in loaded:  # most recently used last
            self._texts[number] = self._texts.pop(number)
        if wanted:
            fetched = await asyncio.gather(*map(self._range, wanted))
            loaded.update(zip(wanted, fetched, strict=True))
        return [loaded[number][row - self._starts[number]] for number, row in zip(ranges, rows, strict=True)]

    async def _range(self, number: int) -> list[str]:
        texts = self._texts.pop(number, None)
        if texts is None:
            task = self._pending.get(number)
            if task is None:
                task = self._pending[number] = asyncio.ensure_future(self._fetch(number))
                task.add_done_callback(lambda _: self._pending.pop(number, None))
            texts = await asyncio.shield(task)
        # Most recently used last; the oldest make room.
        self._texts.pop(number, None)
        self._texts[number] = texts
        if len(self._texts) > KEPT_RANGES:
            del self._texts[next(iter(self._texts))]
        return texts

    async def _fetch(self, number: int) -> list[str]:
        name = texts_name(number)
        texts = unpack_json(await resolve(self._source.read(name)), name)
        stop = self._starts[number + 1] if number + 1 < len(self._starts) else len(self)
        if not isinstance(texts, list) or len(texts) != stop - self._starts[number]:
            raise BundleError(
                f"{name} is damaged: not the texts of sections {self._starts[number]} to {stop}"
            )
        return texts


async def section_texts(store: SectionStore, rows: Sequence[int]) -> list[str]:
    """What a model reads of sections: title, headings and text, a line each, as they were indexed."""
    from hinny.site.sections import model_text

    texts = await store.texts(rows)
    return [
        model_text(entry.page_title, entry.headings, text)
        for entry, text in zip(map(store.entry, rows), texts, strict=True)
    ]


def _restored(metadata: Mapping[str, Any]) -> dict[str, MetadataValue]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in metadata.items()}


def sections_of(pages: Sequence[Page]) -> Iterator[Section]:
    """All sections in the order of their rows."""
    for page in pages:
        yield from page.sections
