"""What the browser tests share: a built site behind a real web server, and Chromium.

The site is what `make demo` builds (`demo/`), or the folder named by `HINNY_E2E_SITE`. It is served from a
sub-folder of the server, because that is where readers will meet it. The browser is `HINNY_CHROMIUM`, else
the system's Chromium, else the one that Playwright brings.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from hinny.cli.serve import Handler
from hinny.models.store import ModelStore
from meaning_pages import MEANING_MODELS, MEANING_PAGES, MEANING_QUESTIONS
from page_support import build_demo, write_pages

ROOT = Path(__file__).parents[1]
SUB_FOLDER = "sites/manual"
CHROMIUM_ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
# What a careful site allows: nothing but itself, and WebAssembly.
STRICT_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; manifest-src 'self'"
)


expect.set_options(timeout=30_000)  # patience for a busy machine; what is asserted is the result


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Firefox and WebKit are tested where they are asked for by name: `make e2e-browsers`."""
    asked = any("other_browsers" in argument for argument in config.args)
    return True if collection_path.name == "other_browsers" and not asked else None


def find_chromium() -> str | None:
    """The browser to use; None leaves the choice to Playwright."""
    named = os.environ.get("HINNY_CHROMIUM")
    if named:
        return named
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    return None


class _SubFolderHandler(Handler):
    """`hinny serve`'s handler, one folder down; an empty page lies at `empty.html`."""

    # What was asked of any server, in order: a browser's cache asks nothing.
    asked: ClassVar[list[str]] = []
    # Endings of the paths that are answered with the strict policy.
    strict: tuple[str, ...] = ("/empty.html",)

    def translate_path(self, path: str) -> str:
        inside = path.removeprefix(f"/{SUB_FOLDER}")
        return super().translate_path(inside if inside != path else "/nothing-here")

    def do_GET(self) -> None:  # noqa: N802 (http.server's name)
        self.asked.append(self.path)
        if self.path.partition("?")[0] != f"/{SUB_FOLDER}/empty.html":
            super().do_GET()
            return
        body = b"<!doctype html><meta charset=utf-8><title>empty</title><link rel=icon href=data:,>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        if self.path.partition("?")[0].endswith(self.strict):
            self.send_header("Content-Security-Policy", STRICT_POLICY)
        super().end_headers()


class _StrictHandler(_SubFolderHandler):
    """The policy with every file: a worker keeps that of its own script's response, not the page's."""

    strict = ("",)


@pytest.fixture(scope="session")
def site_folder() -> Path:
    """The built site."""
    folder = Path(os.environ.get("HINNY_E2E_SITE", ROOT / "demo"))
    if not (folder / "app" / "hinny.js").is_file():
        pytest.fail(f"{folder} is no built site: run `make demo`, or set HINNY_E2E_SITE", pytrace=False)
    return folder


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """Serve a folder (`strict=True`: with the policy on every file); its URL, with a slash at its end."""
    servers: list[ThreadingHTTPServer] = []

    def start(folder: Path, *, strict: bool = False) -> str:
        handler = _StrictHandler if strict else _SubFolderHandler
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/{SUB_FOLDER}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def asked() -> list[str]:
    """Paths that the servers were asked for since the test began; clear it to begin anew."""
    _SubFolderHandler.asked.clear()
    return _SubFolderHandler.asked


@pytest.fixture(scope="session")
def site(site_folder: Path, serve: Callable[..., str]) -> str:
    """The built site's URL."""
    return serve(site_folder)


@pytest.fixture(scope="session")
def meaning_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site with the demo page, all factories, and recorded questions."""
    store = ModelStore()
    for id in MEANING_MODELS.values():
        if not store.has(store.pin(id)):
            pytest.fail(f"{id} is not built: run `make models`", pytrace=False)
    work = tmp_path_factory.mktemp("meaning")
    questions = work / "questions.jsonl"
    lines = [json.dumps({"id": id, "text": text}) for id, text in MEANING_QUESTIONS.items()]
    questions.write_text("\n".join(lines), "utf-8")
    more = ["--factory", "all", "--language", "en", "--title", "Keeping mules", "--questions", str(questions)]
    return build_demo(write_pages(work / "pages", MEANING_PAGES), work / "site", *more)


@pytest.fixture(scope="session")
def meaning(meaning_folder: Path, serve: Callable[..., str]) -> str:
    """That site's URL."""
    return serve(meaning_folder)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright itself."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One headless Chromium for all tests."""
    started = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGUMENTS)
    yield started
    started.close()


@pytest.fixture(scope="session")
def graphics(playwright: Playwright) -> Iterator[Browser]:
    """A browser with a WebGPU adapter, played by the processor where there is no graphics card."""
    arguments = [each for each in CHROMIUM_ARGUMENTS if each != "--disable-gpu"]
    launched = playwright.chromium.launch(
        executable_path=find_chromium(), args=[*arguments, "--enable-unsafe-webgpu"]
    )
    yield launched
    launched.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile: no cache, no storage."""
    made = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    made.set_default_timeout(90_000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A blank tab of a fresh profile."""
    return context.new_page()
