"""The worker and its client, without a page around them: right answers, a clear error for each bad thing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Route

OPEN = """async (options) => {
  const { SearchClient } = await import("./app/hinny.js");
  globalThis.stages = [];
  globalThis.client = new SearchClient();
  const onProgress = (progress) => stages.push(progress);
  try {
    globalThis.session = await client.open({ bundle: "./", ...options }, { onProgress });
    return { info: session.info };
  } catch (error) {
    return { kind: error.kind, name: error.name, message: error.message };
  }
}"""
SEARCH = """async (request) => {
  try {
    return await session.search(request);
  } catch (error) {
    return { kind: error.kind, name: error.name, message: error.message };
  }
}"""


def opened(page: Page, site: str, **options: Any) -> dict[str, Any]:
    """Open the bundle on an empty page with a strict policy; the client's answer, or its error."""
    page.goto(site + "empty.html")
    answer: dict[str, Any] = page.evaluate(OPEN, options)
    return answer


def ask(page: Page, text: str, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = page.evaluate(SEARCH, {"text": text, **more})
    return answer


@pytest.fixture(scope="module")
def ready(browser: Any, site: str) -> Any:
    """A page whose client has the manual open; for tests that only ask."""
    context = browser.new_context()
    context.set_default_timeout(90_000)
    page = context.new_page()
    assert "info" in opened(page, site)
    yield page
    context.close()


# Known pages for known questions: the entries of the manual's own book index.
@pytest.mark.parametrize(
    ("question", "page_url"),
    [
        ("transaction ID wraparound", "routine-vacuuming.html"),
        ("pg_stat_activity", "monitoring-stats.html"),
        ("dollar quoting", "sql-syntax-lexical.html"),
        ("advisory lock", "explicit-locking.html"),
        ("point-in-time recovery", "continuous-archiving.html"),
        ("CREATE INDEX CONCURRENTLY", "sql-createindex.html"),
        ("tsquery", "datatype-textsearch.html"),
    ],
)
def test_the_manuals_own_index_entries_find_their_pages(ready: Page, question: str, page_url: str) -> None:
    answer = ask(ready, question, limit=5)
    assert page_url in [result["page"].rpartition("/")[2] for result in answer["results"]]


def test_an_answer_has_marked_excerpts_and_links_with_anchors(ready: Page) -> None:
    answer = ask(ready, "vacuum freeze", limit=10)
    assert answer["total"] >= len(answer["results"]) == 10
    assert [result["rank"] for result in answer["results"]] == list(range(1, 11))
    scores = [result["score"] for result in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert any("#" in result["url"] for result in answer["results"])
    marked = 0
    for result in answer["results"]:
        text = result["excerpt"]["text"]
        for start, end in result["excerpt"]["marks"]:
            assert text[start:end].lower().startswith(("vacuum", "freez", "froz"))
            marked += 1
    assert marked


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "?!., --",
        "the of and",
        "x" * 10_000,
        "真空 凍結",
        "ฐานข้อมูล",
        "пыль",
        "🦄",
        "\u0000\ud7ff",
        '"',
        "a" * 63 + "*",
    ],
    ids=[
        "empty",
        "blank",
        "signs",
        "stop words",
        "10,000 signs",
        "Chinese",
        "Thai",
        "Russian",
        "emoji",
        "control",
        "quote",
        "long",
    ],
)
def test_odd_questions_have_a_sensible_answer(ready: Page, text: str) -> None:
    answer = ask(ready, text)
    assert "results" in answer, answer
    assert len(answer["results"]) <= answer["total"] or not answer["results"]
    assert ask(ready, "vacuum")["results"], "the next question works"


def test_a_request_that_means_nothing_is_an_error_and_the_next_one_works(ready: Page) -> None:
    refused = ask(ready, "vacuum", limit=-1)
    assert refused["kind"] == "query"
    assert "limit" in refused["message"]
    assert ask(ready, "vacuum")["results"]


def test_a_python_exception_reaches_the_page_and_the_next_question_works(ready: Page) -> None:
    broken = ready.evaluate(
        "async () => { try { await session.search(17n) } catch (e) { return e.message } }"
    )
    assert broken
    assert ask(ready, "vacuum")["results"]


def test_an_outdated_question_is_given_up(ready: Page) -> None:
    first, second = ready.evaluate("""async () => {
      const control = new AbortController();
      const outdated = session.search({ text: "replication slot" }, { signal: control.signal });
      control.abort();
      const answers = await Promise.allSettled([outdated, session.search({ text: "vacuum" })]);
      return [answers[0].reason?.name, answers[1].value?.results.length];
    }""")
    assert first == "AbortError"
    assert second


def test_progress_is_told_in_bytes_by_stage(page: Page, site: str) -> None:
    assert "info" in opened(page, site)
    stages = page.evaluate("stages")
    runtime = [entry for entry in stages if entry["stage"] == "runtime"]
    assert runtime[-1]["loaded"] == runtime[-1]["total"] > 10_000_000
    assert all(0 <= entry["loaded"] <= entry["total"] for entry in stages)
    assert {entry["stage"] for entry in stages} >= {"runtime", "python", "bundle", "ready"}


def test_a_strict_policy_is_enough_and_nothing_is_complained_of(
    page: Page, site_folder: Path, serve: Callable[..., str]
) -> None:
    site = serve(site_folder, strict=True)
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.text} {message.location['url']}")

    page.on("console", listen)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    assert "info" in opened(page, site)
    assert ask(page, "vacuum")["results"]
    assert complaints == []


def test_the_second_visit_asks_for_neither_the_runtime_nor_what_was_found_before(
    context: BrowserContext, site: str, asked: list[str]
) -> None:
    page = context.new_page()
    assert "info" in opened(page, site)
    assert ask(page, "vacuum")["results"]
    heavy = (".wasm", ".bin", ".whl", ".npz", ".jsonz")
    assert [path for path in asked if path.endswith(heavy)]
    page.wait_for_function("async () => (await client.stored()).length >= 6")
    asked.clear()
    again = context.new_page()
    assert "info" in opened(again, site)
    assert ask(again, "vacuum")["results"]
    assert [path for path in asked if path.endswith(heavy)] == []


def test_several_elements_share_one_worker(page: Page, site: str) -> None:
    page.goto(site + "empty.html")
    workers: list[Any] = []
    page.on("worker", lambda worker: workers.append(worker))
    counts = page.evaluate("""async () => {
      const { sharedClient } = await import("./app/hinny.js");
      const open = () => sharedClient().open({ bundle: "./" });
      const sessions = await Promise.all([open(), open(), open()]);
      const answers = await Promise.all(sessions.map((session) => session.search({ text: "vacuum" })));
      return answers.map((answer) => answer.results.length);
    }""")
    assert counts == [10, 10, 10]
    assert len(workers) == 1


def test_after_a_crash_the_next_question_starts_a_new_worker(page: Page, site: str) -> None:
    # The page keeps the workers it starts, so that one can be shot.
    page.add_init_script("""
      globalThis.started = [];
      const Original = Worker;
      globalThis.Worker = class extends Original {
        constructor(...args) { super(...args); started.push(this); }
      };
    """)
    assert "info" in opened(page, site)
    page.evaluate("started[0].dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
    assert ask(page, "vacuum")["results"]
    assert page.evaluate("started.length") == 2


def test_a_disposed_client_says_so(page: Page, site: str) -> None:
    assert "info" in opened(page, site)
    page.evaluate("client.dispose()")
    assert ask(page, "vacuum")["kind"] == "crashed"


# What can be wrong with the files.


def spoil(context: BrowserContext, pattern: str, change: Callable[[bytes], bytes]) -> list[str]:
    """Change what the server answers for URLs that end so; the URLs that were changed."""
    spoiled: list[str] = []

    def handle(route: Route) -> None:
        answer = route.fetch()
        spoiled.append(route.request.url)
        route.fulfill(response=answer, body=change(answer.body()))

    context.route(lambda url: url.partition("?")[0].endswith(pattern), handle)
    return spoiled


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def test_no_bundle_at_the_place_named(page: Page, site: str) -> None:
    failed = opened(page, site, bundle="./nothing/")
    assert failed["kind"] == "bundle-missing"
    assert "nothing/" in failed["message"]


def test_a_manifest_that_is_no_manifest(context: BrowserContext, site: str) -> None:
    spoil(context, "/manual/manifest.json", lambda data: data[: len(data) // 2])
    failed = opened(context.new_page(), site)
    assert failed["kind"] == "bundle-damaged"
    assert "manifest.json" in failed["message"]


def test_a_bundle_of_a_later_version(context: BrowserContext, site: str) -> None:
    def later(data: bytes) -> bytes:
        return json.dumps({**json.loads(data), "version": 99}).encode()

    spoil(context, "/manual/manifest.json", later)
    failed = opened(context.new_page(), site)
    assert failed["kind"] == "bundle-version"
    assert "99" in failed["message"]


def test_a_corrupted_dictionary_stops_the_start(
    context: BrowserContext, site: str, site_folder: Path
) -> None:
    part = json.loads((site_folder / "manifest.json").read_text())["parts"]["lexical/dictionary"]
    spoil(context, part["file"], flipped)
    failed = opened(context.new_page(), site)
    assert failed["kind"] == "bundle-damaged"
    assert part["sha256"] in failed["message"], "the expected hash is named"


def test_a_corrupted_slice_fails_the_question_that_needs_it_and_no_other(
    context: BrowserContext, site: str
) -> None:
    page = context.new_page()
    assert "info" in opened(page, site)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    ask(page, "vacuum")
    slices = {url for url in asked if "lexical" in url}
    assert slices, "a question loads its slices"
    other = context.browser.new_context()  # type: ignore[union-attr]
    other.set_default_timeout(90_000)
    for url in slices:
        spoil(other, url.rpartition("/")[2], flipped)
    again = other.new_page()
    assert "info" in opened(again, site)
    failed = ask(again, "vacuum")
    assert failed["kind"] == "bundle-damaged"
    assert "SHA-256" in failed["message"]
    other.unroute_all()
    assert ask(again, "vacuum")["results"], "asked again with whole files, the question is answered"
    other.close()


@pytest.mark.parametrize("name", ["pyodide.asm", "snapshot", "zstd"])
def test_a_runtime_file_that_is_not_there(context: BrowserContext, site: str, name: str) -> None:
    context.route(
        lambda url: f"/runtime/{name}." in url and url.endswith((".wasm", ".bin")),
        lambda route: route.fulfill(status=404),
    )
    page = context.new_page()
    answer = opened(page, site)
    if name != "pyodide.asm":  # what only makes the start faster is not missed
        assert "info" in answer
        assert ask(page, "vacuum")["results"]
    else:
        assert answer["kind"] == "runtime"
        assert "pyodide.asm.wasm" in answer["message"]
        assert "404" in answer["message"]


@pytest.mark.parametrize("ending", [".wasm", ".bin"])
def test_a_runtime_file_with_a_wrong_byte(context: BrowserContext, site: str, ending: str) -> None:
    name = {".wasm": "pyodide.asm", ".bin": "snapshot"}[ending]
    seen: list[str] = []

    def handle(route: Route) -> None:
        seen.append(route.request.url)
        route.fulfill(response=(answer := route.fetch()), body=flipped(answer.body()))

    context.route(lambda url: f"/runtime/{name}." in url and url.endswith(ending), handle)
    page = context.new_page()
    answer = opened(page, site)
    assert len(seen) >= 2, "a bad copy may have been the HTTP cache's: the server is asked once more"
    if ending == ".bin":
        assert "info" in answer
        assert ask(page, "vacuum")["results"]
        return
    assert answer["kind"] == "runtime"
    assert "SHA-256" in answer["message"]
    stored = page.evaluate("async () => (await client.stored()).map((file) => file.name)")
    assert "pyodide.asm.wasm" not in stored, "nothing of it was kept"


def test_a_failed_start_can_be_tried_again(context: BrowserContext, site: str) -> None:
    context.route("**/app/runtime.json", lambda route: route.abort())
    page = context.new_page()
    assert opened(page, site)["kind"] == "runtime"
    context.unroute_all()
    again = page.evaluate("async () => (await client.open({ bundle: './' })).info.title")
    assert again


def test_offline_without_anything_stored(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(site + "empty.html")
    page.evaluate("import('./app/hinny.js')")
    context.set_offline(True)
    failed = page.evaluate(OPEN, {})
    assert failed["kind"] in ("offline", "no-module-worker")
    assert "offline" in failed["message"] or "did not load" in failed["message"]


def test_a_browser_without_webassembly(context: BrowserContext, site: str) -> None:
    def without(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body="delete globalThis.WebAssembly;\n" + answer.text())

    context.route("**/hinny-worker.*.js", without)
    assert opened(context.new_page(), site)["kind"] == "no-webassembly"


def test_a_browser_without_module_workers(page: Page, site: str) -> None:
    page.add_init_script("globalThis.Worker = class { constructor() { throw new TypeError('no modules') } };")
    failed = opened(page, site)
    assert failed["kind"] == "no-module-worker"
    assert "no modules" in failed["message"]
