"""The reader's own files: chosen or dropped, indexed in the worker, searched, kept over a reload, removed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from other_browsers.engines import Engine
from other_browsers.tab import Tab

ELEMENT = ".collection hinny-search"
MULES = "# Mules\n\nIts father is a donkey.\n\n## Hinnies\n\nIts father is a stallion.\n"
CARE = "<title>Care</title><h1>Care</h1><p>Hay twice a day.</p><h2 id=w>Water</h2><p>Größe zählt.</p>"
DROP = """
const [name, text] = arguments;
const data = new DataTransfer();
data.items.add(new File([text], name, { type: "text/markdown" }));
const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
document.querySelector("#drop").dispatchEvent(event);
"""


@pytest.fixture
def own(warm: Tab, manual: str) -> Iterator[Tab]:
    """The view of the reader's own files; each test's are removed."""
    warm.open(manual + "#yours")
    warm.wait("return document.querySelector('#view-yours')?.hidden === false")
    yield warm
    warm.run(
        """for (const button of document.querySelectorAll(".collection button"))
          if (button.textContent === "Remove") button.click();"""
    )
    warm.wait("return document.querySelectorAll('.collection').length === 0")


def said(tab: Tab) -> str:
    """The status line, when it is final."""
    line: str = tab.wait(
        """const text = document.querySelector("#yours-status").textContent;
        return !text.endsWith("\\u2026") && text;"""
    )
    return line


def choose(tab: Tab, *files: Path) -> str:
    """Choose files, and wait until they are indexed."""
    tab.run("document.querySelector('#yours-status').textContent = ''")
    tab.one("#pick-files", None).send_keys("\n".join(map(str, files)))
    return said(tab)


def test_chosen_files_are_searched_at_once_and_after_a_reload(
    own: Tab, tmp_path: Path, engine: Engine
) -> None:
    (tmp_path / "mules.md").write_text(MULES, "utf-8")
    (tmp_path / "care.html").write_text(CARE, "utf-8")
    assert choose(own, tmp_path / "mules.md", tmp_path / "care.html") == "care and 1 more: 2 pages indexed."
    for query, url in [("stallion", "mules.md#hinnies"), ("größe", "care.html#w")]:
        assert [result["url"] for result in own.search_for(query, ELEMENT)] == [url]
    place = {"firefox": "private file system", "webkit": "database"}[engine.name]
    assert place in own.one("#yours-place", None).text
    own.driver.refresh()
    own.one("input.input", ELEMENT)
    assert [result["url"] for result in own.search_for("stallion", ELEMENT)] == ["mules.md#hinnies"]
    own.run("document.querySelector('.collection hinny-search').shadowRoot.querySelector('a.hit').click()")
    own.wait("return document.querySelector('#viewer mark')?.textContent === 'father is a stallion'")
    own.run("document.querySelector('#viewer').close()")


def test_a_zip_is_unpacked(own: Tab, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "book.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("book/mules.md", MULES)
        archive.writestr("book/care.html", CARE)
        archive.writestr("book/photo.png", b"\x89PNG")
    assert choose(own, tmp_path / "book.zip") == "book: 2 pages indexed."
    assert own.run("return document.querySelector('.skipped li').textContent") == "book/photo.png: not a page"


def test_a_dropped_file_is_indexed(own: Tab) -> None:
    own.run("document.querySelector('#yours-status').textContent = ''")
    own.run(DROP, "mules.md", MULES)
    assert said(own) == "mules: 1 page indexed."
    assert [result["url"] for result in own.search_for("donkey", ELEMENT)] == ["mules.md"]
