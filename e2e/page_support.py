"""What the page's tests share: small sites built for the occasion, and words for what a reader does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

BOX = "input.input"
AXE = (Path(__file__).parents[1] / "node_modules/axe-core/axe.min.js").read_text("utf-8")
# Shifts within half a second of a key or a click are the reader's own; all others count.
WATCH = """
globalThis.shift = 0;
globalThis.long = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) long.push(entry.duration);
}).observe({ type: "longtask", buffered: true });
"""


def serious(page: Page) -> list[str]:
    """What axe finds on the page, shadow roots too, that is serious or worse."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def build_demo(source: Path, out: Path, *more: str) -> Path:
    """`hinny build` with the demo page and the runtime; the folder."""
    command = [sys.executable, "-m", "hinny", "build", str(source), "--out", str(out)]
    done = subprocess.run(
        [*command, "--demo", "--offline", "--force", *more], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return out


def write_pages(folder: Path, pages: dict[str, str]) -> Path:
    """A folder of files by their paths."""
    for path, text in pages.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder


def own_tab(browser: Browser, site: str) -> Iterator[Page]:
    """A tab on the demo's view of the reader's own files, for all tests of a module."""
    context = browser.new_context(accept_downloads=True, locale="en-GB")
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(site + "#yours")
    yield page
    context.close()


def remove_own(page: Page) -> None:
    """Remove whatever files a test has added."""
    for button in page.get_by_role("button", name="Remove", exact=True).all():
        button.click()
    expect(page.locator(".collection")).to_have_count(0)


def box(page: Page, element: str = "#search") -> Locator:
    """The input of an element."""
    return page.locator(element).locator(BOX)


def wait_ready(page: Page, element: str = "#search") -> None:
    """Until the core is up, or has failed."""
    page.wait_for_function(
        "(name) => ['ready', 'failed'].includes(document.querySelector(name)?.view?.phase)", arg=element
    )


def wait_answer(page: Page, text: str, element: str = "#search") -> None:
    """Until the core's own answer to `text` is shown."""
    page.wait_for_function(
        """([name, text]) => {
          const view = document.querySelector(name)?.view;
          return view && !view.quick && (view.answer?.query.text === text || view.error);
        }""",
        arg=[element, text],
    )
    drawn(page)


def drawn(page: Page) -> None:
    """Until what the elements know is on the page: they draw it in the next frame."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def choose_factory(page: Page, factory: str, picker: str = "#picker") -> None:
    """Choose how to search, and agree to the download where there is one."""
    place = page.locator(picker)
    place.locator(f"input[value='{factory}']").check()
    agree = place.get_by_role("button", name="Download")
    if agree.count():
        agree.click()


def wait_factory(page: Page, factory: str, element: str = "#search") -> None:
    """Until a factory and all its sources answer what the box says; without a query, until it is chosen."""
    page.wait_for_function(
        """([name, factory]) => {
          const view = document.querySelector(name)?.view;
          if (view?.factory !== factory || view.phase !== "ready") return false;
          if (!view.query) return true;
          return view.answer?.factory === factory && !view.answer.degraded.length;
        }""",
        arg=[element, factory],
    )
    drawn(page)


def search_for(page: Page, text: str, element: str = "#search") -> None:
    """Type a query and wait for its answer."""
    box(page, element).fill(text)
    wait_answer(page, text, element)


def view(page: Page, element: str = "#search") -> dict[str, Any]:
    """What an element shows, as data."""
    found: dict[str, Any] = json.loads(
        page.evaluate("(name) => JSON.stringify(document.querySelector(name).view)", element)
    )
    return found


# An element on an empty page whose core is this object: every answer is the test's own.
FAKE_PORT = """async ([info, answers, attributes]) => {
  const { HinnySearch } = await import("./app/hinny.js");
  globalThis.asked = [];
  HinnySearch.port = {
    async open() {
      return { info, search: async (request) => {
        asked.push(request);
        const found = answers[request.text] ?? answers["*"];
        if (found.error) throw new Error(found.error);
        const from = request.offset ?? 0;
        const results = found.results.slice(from, from + (request.limit ?? 20));
        return { ...found, results, query: { ...found.query, text: request.text } };
      } };
    },
    async titles() { throw new Error("none"); },
  };
  const element = document.createElement("hinny-search");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.id = "search";
  document.body.append(element);
  await element.start();
}"""

INFO = {
    "title": "T",
    "pages": 1,
    "sections": 1,
    "terms": 1,
    "languages": {},
    "bytes": 1,
    "factories": [{"id": "lexical-only", "available": True, "models": []}],
    "facets": [],
    "hinny": "0.1.0",
    "base": "../",
}


def hit(number: int, *, page: str | None = None, title: str = "Title", **more: Any) -> dict[str, Any]:
    """A result; `more` replaces what matters to a test."""
    place = page if page is not None else f"page-{number}.html"
    result = {
        "id": f"{place}#{number}",
        "rank": number,
        "score": 1.0 / number,
        "scoreKind": "bm25f",
        "url": f"{place}#s{number}",
        "page": place,
        "pageTitle": {"text": title, "marks": []},
        "headings": [],
        "excerpt": {"text": "An excerpt.", "marks": [[3, 10]]},
        "missing": [],
        "language": "en",
        "exact": False,
        "reasons": [],
        "metadata": {},
    }
    return {**result, **more}


def answer(results: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A SearchAnswer; `query` in `more` is merged into the empty one."""
    query = {"text": "", "problems": [], "didYouMean": None, "alsoSearched": [], **more.pop("query", {})}
    return {
        "results": results,
        "total": len(results),
        "ms": 1.0,
        "timings": {"lexical": 0.6, "excerpts": 0.4},
        "facets": {},
        "factory": "lexical-only",
        "degraded": [],
        "stats": {},
        "query": query,
        **more,
    }


def mount(
    page: Page, site: str, answers: dict[str, Any], info: dict[str, Any] | None = None, **attributes: str
) -> None:
    """An element over prepared answers (by query; `*` for all others) on an empty, strict page."""
    page.goto(site + "empty.html")
    attributes = {
        "lang": "en",
        "bundle": "./",
        **{name.replace("_", "-"): v for name, v in attributes.items()},
    }
    page.evaluate(FAKE_PORT, [{**INFO, **(info or {})}, answers, attributes])
    # A key that comes before the element has set itself up is nobody's.
    page.wait_for_function("() => document.querySelector('#search')?.shadowRoot?.querySelector('input')")
    drawn(page)
