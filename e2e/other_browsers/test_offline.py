"""A second visit without a server, and what the device says it keeps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from other_browsers.engines import Engine
from other_browsers.server import Server
from other_browsers.tab import Tab
from page_support import build_demo, write_pages

PAGES = {
    "index.html": "<title>Home</title><h1>Home</h1><p>An orchard of old apples.</p>",
    "pears.html": "<title>Pears</title><h1>Pears</h1><h2 id=kinds>Kinds</h2><p>Conference and comice.</p>",
}
KEPT = """
const release = await (await fetch("./release.json?now")).json();
const pages = release.files.filter((file) => file.path.startsWith("site/"));
const kept = await (await caches.open("hinny-demo-files")).keys();
return pages.every((file) => kept.some(({ url }) => url.endsWith(file.sha256)));
"""


@pytest.fixture(scope="module")
def orchard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site with the demo page."""
    work = tmp_path_factory.mktemp("orchard")
    return build_demo(write_pages(work / "pages", PAGES), work / "site")


@pytest.fixture
def served(orchard: Path) -> Iterator[Server]:
    server = Server(orchard)
    yield server
    server.close()


def test_all_of_it_works_without_a_server(fresh: Tab, served: Server) -> None:
    fresh.open(served.url)
    fresh.wait_ready()
    fresh.ask("await navigator.serviceWorker.ready")
    fresh.wait("return navigator.serviceWorker.controller !== null")
    fresh.search_for("apples")
    while not fresh.ask(KEPT):
        fresh.drawn()
    served.answering = False
    fresh.open(served.url + "?q=comice")
    fresh.wait_answer("comice")
    assert fresh.view()["results"][0]["url"] == "pears.html#kinds"
    fresh.one("a.hit").click()
    fresh.wait("return location.pathname.endsWith('/site/pears.html')")
    assert fresh.run("return document.querySelector('h2').textContent") == "Kinds"


def test_the_device_view_lists_what_is_kept_and_removes_it(
    fresh: Tab, served: Server, engine: Engine
) -> None:
    fresh.open(served.url)
    fresh.wait_ready()
    fresh.run("location.hash = 'device'")
    fresh.wait("return document.querySelectorAll('#device-files td.ok').length > 5")
    names = fresh.texts("#device-files td.name", None)
    assert "pyodide.asm.wasm" in names
    place = {"firefox": "origin private file system", "webkit": "IndexedDB"}[engine.name]
    assert place in fresh.one("#device-own", None).text
    fresh.run("[...document.querySelectorAll('#device-summary button')].at(-1).click()")
    fresh.wait(
        "return document.querySelector('#device-files').innerText.includes('Nothing is kept here yet')"
    )
