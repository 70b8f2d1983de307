"""The demo over the PostgreSQL manual, in Chromium, with the real core: the reader's journeys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from hinny.cli.serve import Handler
from page_support import box, drawn, search_for, view, wait_answer, wait_ready


@pytest.fixture(scope="module")
def warm(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A profile in which the runtime is cached already; for tests that are not about starting."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(site)
    wait_ready(page)
    page.close()
    yield context
    context.close()


@pytest.fixture
def manual(warm: BrowserContext, site: str) -> Iterator[Page]:
    """The demo with its core up."""
    page = warm.new_page()
    page.goto(site)
    wait_ready(page)
    yield page
    page.close()


# Known answers: the pages that the manual's own book index names for these.
KNOWN = [
    ("create index concurrently", "sql-createindex.html"),
    ("pg_stat_activity", "monitoring-stats.html"),
    ("vacuum full", "routine-vacuuming.html"),
    ("continuous archiving", "continuous-archiving.html"),
    ("row level security policy", "ddl-rowsecurity.html"),
]


@pytest.mark.parametrize(("query", "page_url"), KNOWN)
def test_known_questions_find_their_page(manual: Page, query: str, page_url: str) -> None:
    search_for(manual, query)
    pages = manual.locator("#search .group a.hit").evaluate_all(
        "(links) => links.map((link) => link.pathname.split('/').pop())"
    )
    assert page_url in pages
    count = manual.locator("#search .count").inner_text()
    assert re.fullmatch(r"[\d,]+ results in [\d.,]+ ms", count)
    marked = {text.lower() for text in manual.locator("#search mark").all_inner_texts()}
    assert any(word[:5] in text for text in marked for word in query.split())


def test_titles_answer_before_the_core_is_up(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    held: list[Route] = []
    page.route("**/app/runtime.json", lambda route: held.append(route))
    page.goto(site)
    box(page).fill("create ind")
    title = page.locator("#search .title", has_text="CREATE INDEX").first
    expect(title).to_be_visible()
    expect(page.locator("#search .quick-note")).to_be_visible()
    expect(page.locator("#search .why-button")).to_have_count(0)
    assert view(page)["quick"] is True
    for _ in range(100):  # the worker asks for it in its own time
        if held:
            break
        page.wait_for_timeout(50)
    for route in held:
        route.continue_()
    wait_answer(page, "create ind")
    expect(page.locator("#search .quick-note")).to_have_count(0)
    expect(page.locator("#search .why-button").first).to_be_visible()
    assert view(page)["quick"] is False


def test_progress_is_told_in_bytes(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.add_init_script(
        """globalThis.told = [];
        addEventListener("hinny-progress", ({ detail }) => told.push([detail.loaded, detail.total]));"""
    )
    page.goto(site)
    wait_ready(page)
    told = page.evaluate("told")
    assert told
    assert all(0 <= loaded <= total for loaded, total in told)
    assert max(total for _, total in told) > 1_000_000
    expect(page.locator("#search .progress")).to_be_hidden()


def test_typing_shows_only_the_answer_to_what_the_box_says(manual: Page) -> None:
    manual.evaluate(
        """() => {
          globalThis.shown = [];
          const search = document.querySelector("#search");
          search.addEventListener("hinny-answer", (event) => {
            shown.push([event.detail.answer.query.text, search.query]);
          });
        }"""
    )
    box(manual).click()
    manual.keyboard.type("logical replication slot", delay=15)
    wait_answer(manual, "logical replication slot")
    shown = manual.evaluate("shown")
    assert shown[-1][0] == "logical replication slot"
    assert all(answered == asked for answered, asked in shown)


class TestAddress:
    def test_a_hit_opens_its_page_at_the_heading(self, manual: Page) -> None:
        search_for(manual, "building indexes concurrently")
        manual.locator("#search a.hit", has_text="Building Indexes Concurrently").first.click()
        manual.wait_for_url("**/site/sql-createindex.html*")
        assert manual.evaluate("location.hash") == "#SQL-CREATEINDEX-CONCURRENTLY"
        top = manual.locator("[id='SQL-CREATEINDEX-CONCURRENTLY']").evaluate(
            "(heading) => heading.getBoundingClientRect().top"
        )
        # The browser goes on from the heading to the passage, where it finds it.
        assert manual.evaluate("scrollY") > 0
        assert -4000 < top < 800

    def test_back_brings_the_query_the_hits_and_the_place(self, manual: Page) -> None:
        search_for(manual, "index")
        manual.wait_for_function("() => location.search === '?q=index'")
        manual.get_by_role("button", name="Show more results").click()
        manual.wait_for_function("() => document.querySelector('#search').view.results.length > 10")
        drawn(manual)
        link = manual.locator("#search a.hit").last
        link.scroll_into_view_if_needed()
        place = manual.evaluate("scrollY")
        assert place > 0
        link.click()
        manual.wait_for_url("**/site/**")
        manual.go_back()
        wait_answer(manual, "index")
        assert len(view(manual)["results"]) > 10
        manual.wait_for_function("(y) => Math.abs(scrollY - y) < 200", arg=place)

    def test_deep_links(self, warm: BrowserContext, site: str) -> None:
        page = warm.new_page()
        page.goto(f"{site}?q=vacuum&factory=lexical")
        wait_answer(page, "vacuum")
        expect(box(page)).to_have_value("vacuum")
        assert page.locator("#search").get_attribute("factory") == "lexical-only"
        assert page.locator("#ideas").is_hidden()
        page.close()

    def test_enter_makes_a_step_of_history(self, manual: Page) -> None:
        search_for(manual, "vacuum")
        box(manual).press("Enter")
        search_for(manual, "checkpoint")
        box(manual).press("Enter")
        search_for(manual, "toast")
        manual.go_back()
        wait_answer(manual, "checkpoint")
        expect(box(manual)).to_have_value("checkpoint")


def test_a_journey_by_keyboard_alone(manual: Page) -> None:
    manual.keyboard.press("/")
    expect(box(manual)).to_be_focused()
    manual.keyboard.type("create index")
    wait_answer(manual, "create index")
    manual.keyboard.press("ArrowDown")
    manual.keyboard.press("ArrowRight")
    manual.keyboard.press("Enter")
    panel = manual.locator("#search .why")
    expect(panel).to_be_visible()
    manual.keyboard.press("ArrowLeft")
    manual.keyboard.press("Enter")
    manual.wait_for_url("**/site/**")


def test_a_hit_says_which_words_it_lacks(manual: Page) -> None:
    search_for(manual, "vaccum giraffe")
    lines = manual.locator("#search .missing")
    assert set(lines.all_inner_texts()) == {"Missing: giraffe"}, "the corrected word is not missing"
    search_for(manual, "vacuum")
    expect(lines).to_have_count(0)


def test_the_explanation_has_words_and_times_of_the_real_core(manual: Page) -> None:
    search_for(manual, "create index")
    manual.locator("#search .why-button").first.click()
    panel = manual.locator("#search .why")
    expect(panel).to_be_visible()
    explained = view(manual)["results"][0]["explanation"]
    assert {term["word"] for term in explained["terms"]} >= {"create", "index"}
    assert explained["sources"][0]["name"] == "lexical"
    text = panel.inner_text()
    assert "create" in text
    assert "Total" in text


def test_the_picker_says_what_is_there_and_why_not(manual: Page) -> None:
    infos = json.loads(manual.evaluate("JSON.stringify(document.querySelector('#search').info.factories)"))
    for info in infos:
        choice = manual.locator(f"#picker input[value='{info['id']}']")
        if info["available"]:
            expect(choice).to_be_enabled()
        else:
            expect(choice).to_be_disabled()
            expect(manual.locator("#picker .detail")).to_contain_text(info["reason"])


def test_the_device_page_lists_checked_files_and_removes_them(manual: Page) -> None:
    manual.goto(manual.url.partition("?")[0] + "#device")
    table = manual.locator("#device-files tbody tr")
    expect(table.first).to_be_visible()
    text = manual.locator("#device-files").inner_text()
    assert "pyodide.asm.wasm" in text
    assert "checked" in text
    manual.get_by_role("button", name="Remove: Index").click()
    expect(manual.get_by_role("button", name="Remove: Index")).to_have_count(0)
    assert "pyodide.asm.wasm" in manual.locator("#device-files").inner_text()


def test_two_factories_side_by_side(manual: Page) -> None:
    manual.goto(manual.url.partition("?")[0] + "#compare")
    manual.locator("#compare-input").fill("vacuum")
    searches = manual.locator("#compare-columns hinny-search")
    assert searches.count() == 2
    for number in range(2):
        expect(searches.nth(number).locator("a.hit").first).to_be_visible()
    assert len(manual.workers) == 1


# What can be wrong with a bundle or a browser: each has a clear message, and the page stays usable.
def _manifest(change: dict[str, Any]) -> Any:
    def handle(route: Route) -> None:
        manifest = route.fetch().json()
        route.fulfill(json={**manifest, **change})

    return handle


@pytest.mark.parametrize(
    ("pattern", "handler", "message"),
    [
        ("**/manifest.json", lambda route: route.fulfill(status=404, body="no"), "there is no search bundle"),
        ("**/manifest.json", _manifest({"version": 99}), "99"),
        ("**/manifest.json", lambda route: route.fulfill(body="<html>"), "manifest.json"),
        ("**/parts/lexical-*", lambda route: route.fulfill(body="rubbish"), "expected"),
    ],
    ids=["missing", "newer", "not JSON", "damaged"],
)
def test_a_bad_bundle_is_named(browser: Browser, site: str, pattern: str, handler: Any, message: str) -> None:
    context = browser.new_context(service_workers="block")
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.route(pattern, handler)
    page.goto(site)
    box(page).fill("index")
    alert = page.locator("#search [role=alert]")
    expect(alert).to_contain_text(message, timeout=90_000)
    # The reader may try again, and it works once the cause is gone.
    page.unroute(pattern)
    page.get_by_role("button", name="Try again").click()
    wait_answer(page, "index")
    assert view(page)["results"]
    context.close()


def test_without_webassembly_the_page_says_so_and_titles_answer(context: BrowserContext, site: str) -> None:
    page = context.new_page()

    # Headers reach the worker: a policy without wasm-unsafe-eval forbids WebAssembly.
    def forbid(route: Route) -> None:
        found = route.fetch()
        route.fulfill(
            response=found, headers={**found.headers, "content-security-policy": "script-src 'self'"}
        )

    page.route("**/app/hinny-worker.*.js", forbid)
    page.goto(site)
    box(page).fill("create index")
    expect(page.locator("#search [role=alert]")).to_be_visible(timeout=90_000)
    expect(page.locator("#search .title", has_text="CREATE INDEX").first).to_be_visible()


def test_without_module_workers_the_page_says_so_and_titles_answer(
    context: BrowserContext, site: str
) -> None:
    page = context.new_page()
    page.add_init_script(
        "globalThis.Worker = class { constructor() { throw new TypeError('no modules'); } };"
    )
    page.goto(site)
    box(page).fill("create index")
    expect(page.locator("#search [role=alert]")).to_contain_text("starts no module worker")
    expect(page.locator("#search .title", has_text="CREATE INDEX").first).to_be_visible()


def test_where_nothing_may_be_stored_it_works_all_the_same(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.add_init_script(
        """for (const name of ["caches", "indexedDB"]) {
          const get = () => { throw new DOMException("denied", "SecurityError"); };
          Object.defineProperty(globalThis, name, { get });
        }
        navigator.storage.getDirectory = async () => {
          throw new DOMException("denied", "SecurityError");
        };"""
    )
    page.goto(site)
    search_for(page, "vacuum")
    assert view(page)["results"]
    # The reader's own pages live in memory, and the page says so.
    page.evaluate("location.hash = 'yours'")
    expect(page.locator("#yours-place")).to_contain_text("stores nothing here")
    note = {"name": "note.md", "mimeType": "text/markdown", "buffer": b"# Note\n\nBuy hay.\n"}
    page.locator("#pick-files").set_input_files([note])  # type: ignore[list-item]
    expect(page.locator(".collection")).to_contain_text("Kept only until this tab is closed")
    search_for(page, "hay", ".collection hinny-search")
    assert [hit["url"] for hit in view(page, ".collection hinny-search")["results"]] == ["note.md"]
    page.evaluate("location.hash = 'device'")
    expect(page.locator("#device-own")).to_contain_text("gone when this tab is closed")


class _StrictHandler(Handler):
    """Every answer carries the strictest policy that docs/csp.md promises to be enough."""

    def end_headers(self) -> None:
        self.send_header(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
            "connect-src 'self'; img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'",
        )
        super().end_headers()


def test_the_strictest_policy_is_kept(context: BrowserContext, site_folder: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_StrictHandler, directory=str(site_folder)))
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    page = context.new_page()
    page.add_init_script(
        """globalThis.violations = [];
        addEventListener("securitypolicyviolation", (event) => {
          violations.push(`${event.violatedDirective} ${event.blockedURI}`);
        });"""
    )
    page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
    search_for(page, "create index")
    page.locator("#search .why-button").first.click()
    expect(page.locator("#search .why")).to_be_visible()
    for name in ("compare", "yours", "device", "benchmarks"):
        page.evaluate("(name) => { location.hash = name; }", name)
        page.wait_for_timeout(150)
    assert page.evaluate("violations") == []
    server.shutdown()
    server.server_close()


# A core with a model to download: what the picker says before it, and that it waits for the reader.
WITH_MODEL = """
const define = customElements.define.bind(customElements);
customElements.define = (name, kind) => {
  globalThis.opened = [];
  const source = "huggingface.co";
  const model = { id: "MiniLM", kind: "embedder", bytes: 22_800_000, source, cached: false };
  const factories = [
    { id: "lexical-only", available: true, models: [] },
    { id: "tiny", available: true, models: [model] },
    { id: "semantic", available: false, reason: "this bundle holds no token index", models: [] },
  ];
  kind.port = {
    async open(_bundle, factory) {
      opened.push(factory);
      return { info: { title: "T", factories, base: "./" }, search: () => new Promise(() => {}) };
    },
    async titles() { return { root: "./", entries: [] }; },
  };
  define(name, kind);
};
"""


def test_nothing_neural_is_downloaded_before_it_is_asked_for(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.add_init_script(WITH_MODEL)
    page.goto(site)
    wait_ready(page)
    tiny = page.locator("#picker input[value=tiny]")
    expect(page.locator("#picker .choice", has=page.locator("[value=tiny]"))).to_contain_text("22.8 MB")
    tiny.check()
    consent = page.locator("#picker .consent")
    expect(consent).to_contain_text("huggingface.co")
    expect(consent).to_contain_text("22.8 MB")
    assert page.evaluate("opened") == ["lexical-only"]
    page.get_by_role("button", name="Not now").click()
    expect(page.locator("#picker input[value=lexical-only]")).to_be_checked()
    tiny.check()
    page.get_by_role("button", name="Download 22.8 MB and use").click()
    page.wait_for_function("() => opened.join() === 'lexical-only,tiny'")
    assert page.evaluate("location.search") == "?factory=tiny"
    expect(page.locator("#picker input[value=semantic]")).to_be_disabled()
    expect(page.locator("#picker .detail")).to_contain_text("this bundle holds no token index")
