"""The demo's service worker: everything works with the network off, and releases change as a whole."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from page_support import build_demo, search_for, view, wait_ready, write_pages

OLD = {
    "index.html": "<title>Home</title><h1>Home</h1><p>An orchard of old apples.</p>",
    "pears.html": "<title>Pears</title><h1>Pears</h1><h2 id=kinds>Kinds</h2><p>Conference and comice.</p>",
}
NEW = {**OLD, "plums.html": "<title>Plums</title><h1>Plums</h1><p>Damsons are small.</p>"}


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two releases of one small site."""
    folder = tmp_path_factory.mktemp("releases")
    return (
        build_demo(write_pages(folder / "old-pages", OLD), folder / "old"),
        build_demo(write_pages(folder / "new-pages", NEW), folder / "new"),
    )


@pytest.fixture
def deployed(releases: tuple[Path, Path], tmp_path: Path, serve: Callable[[Path], str]) -> tuple[Path, str]:
    """The old release where a server serves it, and its URL."""
    folder = tmp_path / "www"
    shutil.copytree(releases[0], folder)
    return folder, serve(folder)


def deploy(folder: Path, release: Path) -> None:
    """Put another release in place, as a plain upload does: what is gone is gone."""
    shutil.rmtree(folder)
    shutil.copytree(release, folder)


def visit(context: BrowserContext, url: str) -> Page:
    """A first visit until the core is up and the service worker has everything it keeps at once."""
    page = context.new_page()
    page.goto(url)
    wait_ready(page)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return page


def pages_kept(page: Page) -> None:
    """Until the site's own pages are kept too, which comes after the first answer."""
    for _ in range(120):
        if page.evaluate(
            """async () => {
              const release = await (await fetch("./release.json?now")).json();
              const pages = release.files.filter((file) => file.path.startsWith("site/"));
              const kept = await (await caches.open("hinny-demo-files")).keys();
              return pages.every((file) => kept.some(({ url }) => url.endsWith(file.sha256)));
            }"""
        ):
            return
        page.wait_for_timeout(250)
    raise AssertionError("the site's pages were not kept")


def test_all_of_it_works_with_the_network_off(context: BrowserContext, deployed: tuple[Path, str]) -> None:
    folder, url = deployed
    page = visit(context, url)
    search_for(page, "apples")
    pages_kept(page)
    # Not only offline: there is no server any more.
    shutil.rmtree(folder)
    context.set_offline(True)
    page.goto(url + "?q=comice")
    search_for(page, "comice")
    assert view(page)["results"][0]["url"] == "pears.html#kinds"
    page.locator("#search a.hit").first.click()
    page.wait_for_url("**/site/pears.html*")
    expect(page.locator("h2")).to_have_text("Kinds")


def test_a_module_that_cannot_be_imported_is_run_from_its_checked_bytes(
    browser: Browser, deployed: tuple[Path, str]
) -> None:
    refused: list[str] = []
    # As WebKit's workers are offline: what they fetch is answered, what they import is not. A service worker
    # would answer both here, once it has the page.
    context = browser.new_context(service_workers="block")
    context.set_default_timeout(90_000)

    def answer(route: Route) -> None:
        if route.request.resource_type == "script":
            refused.append(route.request.url)
            route.abort()
        else:
            route.continue_()

    page = context.new_page()
    page.route("**/runtime/pyodide.asm.*.js", answer)
    page.goto(deployed[1])
    wait_ready(page)
    assert refused
    search_for(page, "apples")
    assert len(view(page)["results"]) == 1
    context.close()


def test_an_old_page_never_meets_a_new_index(
    context: BrowserContext, deployed: tuple[Path, str], releases: tuple[Path, Path]
) -> None:
    folder, url = deployed
    first, second = visit(context, url), visit(context, url)
    deploy(folder, releases[1])
    first.reload()
    # The new release is fetched and offered; until then all tabs are whole pages of the old one.
    offer = first.locator("#update")
    expect(offer).to_be_visible()
    for tab in (first, second):
        search_for(tab, "damsons")
        assert view(tab)["results"] == []
        search_for(tab, "apples")
        assert len(view(tab)["results"]) == 1
    offer.get_by_role("button").click()
    for tab in (first, second):
        tab.wait_for_function("() => document.querySelector('#search')?.info?.pages === 3")
        search_for(tab, "damsons")
        assert [result["url"] for result in view(tab)["results"]] == ["plums.html"]
    expect(first.locator("#update")).to_be_hidden()


def test_a_release_that_arrived_damaged_does_not_replace_the_old_one(
    context: BrowserContext, deployed: tuple[Path, str], releases: tuple[Path, Path]
) -> None:
    folder, url = deployed
    page = visit(context, url)
    deploy(folder, releases[1])
    listing = json.loads((folder / "release.json").read_text())
    part = next(file["path"] for file in listing["files"] if file["path"].startswith("parts/"))
    (folder / part).write_bytes(b"cut off")
    page.reload()
    page.wait_for_timeout(2500)
    expect(page.locator("#update")).to_be_hidden()
    search_for(page, "apples")
    assert len(view(page)["results"]) == 1


def test_the_app_can_be_installed(context: BrowserContext, deployed: tuple[Path, str]) -> None:
    page = context.new_page()
    page.goto(deployed[1])
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((r) => r.json())")
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        response = page.request.get(deployed[1] + icon["src"])
        assert response.ok
        assert response.headers["content-type"] == icon["type"]
    sizes = {icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= sizes
