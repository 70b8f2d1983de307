"""Models on WebGPU, where the browser has it: Chromium's software adapter stands in for a graphics card."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from hinny.cli.main import main
from hinny.models.export import export_model
from hinny.models.store import ModelStore
from hinny.runtime.boot_assets import write_runtime
from test_models import ORACLE, TRY, vectors_of_oracle

MODEL = "minilm-l6-float32"
TEXTS = 4
"""As many of the oracle's: a processor that plays a graphics card is slow."""
START = """async (executionProvider) => {
  const { SearchClient } = await import("./app/hinny.js");
  globalThis.client = new SearchClient({ executionProvider });
}"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """Two sites with one model: with what runs it on WebGPU, and without."""
    store = ModelStore()
    if not store.has(store.pin(MODEL)):
        pytest.fail(f"{MODEL} is not built: run `make models`", pytrace=False)
    source = tmp_path_factory.mktemp("pages")
    (source / "a.html").write_text("<!doctype html><title>a</title><main><h1>a</h1><p>A page.</p></main>")
    made = {}
    for webgpu in (True, False):
        out = tmp_path_factory.mktemp("site") / "search"
        assert main(["build", str(source), "--out", str(out), "--offline", "--root", "/"]) == 0
        write_runtime(out, offline=True, models=True, webgpu=webgpu)
        manifest = json.loads((out / "manifest.json").read_text("utf-8"))
        manifest["models"] = {MODEL: export_model(MODEL, out, store=store)}
        (out / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        made[webgpu] = out
    return made


@pytest.fixture
def opened(
    folders: dict[bool, Path], serve: Callable[..., str]
) -> Iterator[Callable[[Browser, bool, str], Page]]:
    """Open a page of a site with or without WebGPU's files, with a client that asks for a provider."""
    pages = []

    def open_page(browser: Browser, webgpu: bool, provider: str) -> Page:
        page = browser.new_page()
        page.set_default_timeout(180_000)
        pages.append(page)
        page.goto(serve(folders[webgpu]) + "empty.html")
        page.evaluate(START, provider)
        return page

    yield open_page
    for page in pages:
        page.close()


def encode(page: Page) -> dict[str, Any]:
    request = {"model": MODEL, "texts": ORACLE["texts"][:TEXTS], "as": "document"}
    answer: dict[str, Any] = page.evaluate(TRY, ["encode", "./", request])
    return answer


def test_a_graphics_card_gives_the_vectors_of_webassembly(
    graphics: Browser, opened: Callable[[Browser, bool, str], Page]
) -> None:
    page = opened(graphics, True, "webgpu")
    loaded: list[str] = []
    page.context.on("request", lambda request: loaded.append(request.url))
    there = encode(page)
    assert "value" in there, there
    assert any("asyncify" in url for url in loaded)
    here = encode(opened(graphics, True, "wasm"))["value"]
    found, expected = np.array(there["value"]["vectors"]), np.array(here["vectors"])
    assert there["value"]["tokens"] == here["tokens"]
    assert np.abs(found - expected).max() < 1e-3
    assert np.abs(expected - vectors_of_oracle()[:TEXTS]).max() < 1e-5
    assert (found != expected).any(), "another arithmetic leaves other last bits"


def test_a_site_without_its_files_says_how_to_get_them(
    graphics: Browser, opened: Callable[[Browser, bool, str], Page]
) -> None:
    answer = encode(opened(graphics, False, "webgpu"))
    assert answer["kind"] == "model"
    assert "hinny build --webgpu" in answer["message"]


def test_an_element_can_ask_for_it(graphics: Browser, opened: Callable[[Browser, bool, str], Page]) -> None:
    page = opened(graphics, False, "wasm")
    page.reload()
    page.evaluate(
        """async () => {
          document.body.innerHTML = '<hinny-search execution-provider="webgpu"></hinny-search>';
          globalThis.client = (await import("./app/hinny.js")).sharedClient();
        }"""
    )
    assert "hinny build --webgpu" in encode(page)["message"]


def test_a_browser_without_an_adapter_is_an_error_and_no_quiet_fall_back(
    browser: Browser, opened: Callable[[Browser, bool, str], Page]
) -> None:
    page = opened(browser, True, "webgpu")
    answer = encode(page)
    assert answer["kind"] == "model"
    assert "WebGPU was asked for" in answer["message"]
    page.evaluate("client.dispose()")
