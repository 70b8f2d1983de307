"""The reader's own files: dropped, indexed in the worker, searched, kept, exported, removed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from page_support import own_tab, remove_own, search_for, view

ELEMENT = ".collection hinny-search"
MULES = b"# Mules\n\nIts father is a donkey.\n\n## Hinnies\n\nIts father is a stallion.\n"
CARE = "<title>Care</title><h1>Care</h1><p>Hay twice a day.</p><h2 id=w>Water</h2><p>Größe zählt.</p>"


def file(name: str, data: bytes | str, kind: str = "text/plain") -> dict[str, Any]:
    return {"name": name, "mimeType": kind, "buffer": data.encode() if isinstance(data, str) else data}


@pytest.fixture(scope="module")
def own(browser: Browser, site: str) -> Iterator[Page]:
    """One tab for all of these: each test adds its files and removes them."""
    yield from own_tab(browser, site)


@pytest.fixture(autouse=True)
def emptied(own: Page) -> Iterator[None]:
    yield
    remove_own(own)


def add(page: Page, *files: dict[str, Any]) -> str:
    """Choose files and wait; the status line."""
    page.locator("#yours-status").evaluate("(line) => { line.textContent = ''; }")
    page.locator("#pick-files").set_input_files(list(files))
    page.wait_for_function(
        """() => {
          const text = document.querySelector("#yours-status").textContent;
          return text && !text.endsWith("\u2026");
        }"""
    )
    return page.locator("#yours-status").inner_text()


def test_markdown_html_and_text_are_searched_at_once(own: Page) -> None:
    said = add(own, file("mules.md", MULES), file("care.html", CARE), file("todo.txt", "Mend the fence."))
    assert said == "care and 2 more: 3 pages indexed."
    for query, url in [("stallion", "mules.md#hinnies"), ("größe", "care.html#w"), ("fence", "todo.txt")]:
        search_for(own, query, ELEMENT)
        assert [result["url"] for result in view(own, ELEMENT)["results"]] == [url]


def test_a_hit_opens_the_file_as_text_at_the_passage(own: Page) -> None:
    add(own, file("mules.md", MULES))
    search_for(own, "stallion", ELEMENT)
    own.locator(f"{ELEMENT} a.hit").click()
    expect(own.locator("#viewer mark")).to_have_text("father is a stallion")
    own.get_by_role("button", name="Close").click()
    expect(own.locator("#viewer")).to_have_count(0)


def test_they_are_still_there_after_a_reload(own: Page) -> None:
    add(own, file("mules.md", MULES))
    own.reload()
    expect(own.locator(".collection")).to_have_count(1)
    search_for(own, "stallion", ELEMENT)
    assert len(view(own, ELEMENT)["results"]) == 1


def test_the_export_is_a_bundle_like_any_other(own: Page, tmp_path: Path) -> None:
    add(own, file("mules.md", MULES))
    with own.expect_download() as download:
        own.get_by_role("button", name="Export as a bundle").click()
    assert download.value.suggested_filename == "mules-hinny.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-m", "hinny", "search", str(tmp_path), "stallion", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [result["url"] for result in json.loads(done.stdout)["results"]] == ["mules.md#hinnies"]


def test_a_zip_is_unpacked_and_what_is_no_page_is_named(own: Page) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("book/mules.md", MULES)
        archive.writestr("book/care.html", CARE)
        archive.writestr("book/photo.png", b"\x89PNG")
        archive.writestr("book/program.txt", b"\x7fELF\x00\x00")
    said = add(own, file("book.zip", packed.getvalue(), "application/zip"))
    assert said == "book: 2 pages indexed."
    own.locator(".skipped summary").click()
    assert own.locator(".skipped li").all_inner_texts() == [
        "book/photo.png: not a page",
        "book/program.txt: binary, not text",
    ]


def test_a_bomb_and_a_broken_zip_are_refused_and_the_rest_goes_on(own: Page) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.html", b"0" * 60_000_000)
    said = add(
        own,
        file("bomb.zip", bomb.getvalue(), "application/zip"),
        file("broken.zip", b"PK but no zip at all, whatever it says", "application/zip"),
        file("mules.md", MULES),
    )
    assert said == "mules: 1 page indexed."
    own.locator(".skipped summary").click()
    assert own.locator(".skipped li").all_inner_texts() == [
        "bomb.html: unpacks to more than 20000000 bytes",
        "broken.zip: not a zip file",
    ]


def test_nothing_to_index_says_why(own: Page) -> None:
    assert add(own, file("photo.png", b"\x89PNG\x00")) == (
        "Nothing to index: photo.png is not HTML, Markdown or text."
    )
    assert "empty.md" in add(own, file("empty.md", b"   "))


def test_hostile_files_are_only_text(own: Page) -> None:
    evil = (
        "<title><img src=x onerror=hacked=1></title><h1>Trap</h1>"
        "<p>bait <script>globalThis.hacked=1</script>"
        "<img src=x onerror=globalThis.hacked=1> &lt;b&gt;bold&lt;/b&gt;</p>"
    )
    add(own, file("evil<script>.html", evil, "text/html"))
    search_for(own, "bait", ELEMENT)
    own.locator(f"{ELEMENT} a.hit").click()
    expect(own.locator("#viewer pre")).to_contain_text("<b>bold</b>")
    own.wait_for_timeout(200)
    assert own.evaluate("globalThis.hacked") is None
    assert own.locator("#viewer img, .collection img").count() == 0
    own.get_by_role("button", name="Close").click()
