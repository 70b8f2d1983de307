"""Sections in parts: what comes back, in how many fetches, and what damage is called."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.bundle.reader import Parts
from hinny.errors import BundleError, UnsupportedVersion
from hinny.site import store as store_module
from hinny.site.sections import Page, Section
from hinny.site.store import (
    PAGES,
    SectionStore,
    SiteInfo,
    pack_json,
    sections_of,
    texts_name,
    unpack_json,
    write_store,
)
from site_pages import make_pages
from support import run


def info(pages: list[Page]) -> SiteInfo:
    return SiteInfo("T", "../", len(pages), sum(len(page.sections) for page in pages), 0, {"en": 1}, [])


def reopened(pages: list[Page]) -> SectionStore:
    return run(SectionStore.open(Parts(write_store(pages, info(pages)))))


def test_every_section_comes_back() -> None:
    pages = make_pages()
    store = reopened(pages)
    sections = list(sections_of(pages))
    assert len(store) == len(sections)
    for row, section in enumerate(sections):
        entry = store.entry(row)
        assert entry == (
            section.id,
            section.url,
            section.page,
            section.page_title,
            section.headings,
            section.language,
            section.metadata,
        )
        assert store.row(section.id) == row
    assert run(store.texts(range(len(sections)))) == [section.text for section in sections]
    assert [store.page_of(row) for row in range(len(sections))] == [0, 1, 1, 1, 2]
    assert list(store.rows_of(1)) == [1, 2, 3]
    assert store.info == info(pages)


def test_an_unknown_id_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        reopened(make_pages()).row("nowhere")


@st.composite
def _pages(draw: st.DrawFn) -> list[Page]:
    words = st.text("ab \n😀ß", max_size=6)
    pages = []
    for number in range(draw(st.integers(1, 4))):
        seen: dict[str, int] = {}
        sections = []
        for _ in range(draw(st.integers(1, 5))):
            anchor = draw(st.sampled_from(["", "x", "y"]))
            url = f"p{number}#{anchor}" if anchor else f"p{number}"
            seen[url] = seen.get(url, 0) + 1
            sections.append(
                Section(
                    url,
                    f"p{number}",
                    f"T{number}",
                    tuple(draw(st.lists(words, max_size=3))),
                    draw(words),
                    draw(st.sampled_from([None, "de", "en"])),
                    draw(st.sampled_from([{}, {"n": 1}, {"tags": ("a", "b")}])),
                    seen[url],
                )
            )
        pages.append(Page(f"p{number}", f"T{number}", tuple(sections)))
    return pages


@given(_pages())
@settings(max_examples=60, deadline=None)
def test_any_pages_come_back(pages: list[Page]) -> None:
    store = reopened(pages)
    sections = list(sections_of(pages))
    assert [store.entry(row).id for row in range(len(store))] == [section.id for section in sections]
    assert [store.entry(row).headings for row in range(len(store))] == [s.headings for s in sections]
    assert [store.entry(row).language for row in range(len(store))] == [s.language for s in sections]
    assert [store.entry(row).metadata for row in range(len(store))] == [s.metadata for s in sections]
    assert run(store.texts(range(len(store)))) == [section.text for section in sections]


class Counting:
    """A source that counts what is read of it."""

    def __init__(self, parts: dict[str, bytes]) -> None:
        self.parts = parts
        self.reads: list[str] = []

    @property
    def names(self) -> Collection[str]:
        return self.parts

    async def read(self, name: str) -> bytes:
        self.reads.append(name)
        await asyncio.sleep(0)
        return self.parts[name]


def test_only_the_ranges_of_shown_texts_are_fetched_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "RANGE_BYTES", 40)
    pages = make_pages()
    source = Counting(write_store(pages, info(pages)))
    assert sum(name.startswith("site/texts") for name in source.parts) == 4

    async def read() -> None:
        store = await SectionStore.open(source)
        assert source.reads == [PAGES]
        first = await asyncio.gather(store.texts([0]), store.texts([0, 0]))
        assert first[0] * 2 == first[1]
        assert source.reads == [PAGES, texts_name(0)]
        await store.texts([4, 0])
        assert source.reads == [PAGES, texts_name(0), texts_name(3)]
        assert await store.texts([]) == []

    run(read())


def test_old_ranges_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "RANGE_BYTES", 1)
    monkeypatch.setattr(store_module, "KEPT_RANGES", 2)
    pages = make_pages()
    source = Counting(write_store(pages, info(pages)))

    async def read() -> None:
        store = await SectionStore.open(source)
        for row in (0, 1, 0, 2, 0, 1):
            await store.texts([row])
        # 1 made room for 2, as 0 had been used after it.
        assert source.reads[1:] == [texts_name(n) for n in (0, 1, 2, 1)]

    run(read())


def changed(**changes: Any) -> dict[str, bytes]:
    pages = make_pages()
    parts = write_store(pages, info(pages))
    found = unpack_json(parts[PAGES], PAGES)
    return {**parts, PAGES: pack_json({**found, **changes})}


@pytest.mark.parametrize(
    "parts",
    [
        {PAGES: b"not gzip"},
        {PAGES: pack_json([1])},
        {PAGES: pack_json({"version": 1})},
        changed(pages=[["only a url"]]),
        changed(info={"title": "T"}),
        {**changed(), PAGES: changed()[PAGES][:-9]},
    ],
)
def test_a_damaged_list_of_pages_is_named(parts: dict[str, bytes]) -> None:
    with pytest.raises(BundleError, match="site/pages"):
        run(SectionStore.open(Parts(parts)))


def test_another_version_is_named() -> None:
    with pytest.raises(UnsupportedVersion):
        run(SectionStore.open(Parts(changed(version=2))))


@pytest.mark.parametrize(
    "data", [b"", pack_json({}), pack_json(["one"]), pack_json(["a", "b", "c", "d", "e", "f"])]
)
def test_a_damaged_range_of_texts_is_named(data: bytes) -> None:
    parts = {**changed(), texts_name(0): data}

    async def read() -> None:
        store = await SectionStore.open(Parts(parts))
        with pytest.raises(BundleError, match=r"site/texts\.0000"):
            await store.texts([0])

    run(read())


def test_packed_json_is_the_same_bytes_for_the_same_value() -> None:
    assert pack_json({"a": "ß"}) == pack_json({"a": "ß"})
    assert pack_json("x")[4:8] == b"\0\0\0\0"  # no date in the gzip header
    assert json.dumps(unpack_json(pack_json(["\ud800", 1.5]), "x")) == '["?", 1.5]'
