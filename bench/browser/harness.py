"""What the browser benchmarks share: folders behind a web server, Chromium with a profile of its own, and a
worker that runs a piece of Python, with numpy and Hinny.

    from harness import Chromium, plain_runtime, served

    with plain_runtime() as runtime, served({"runtime": runtime, "": HERE}) as address:
        with Chromium() as chromium, chromium.profile() as context:
            run_python(context, address, "import numpy as np; int(np.arange(5).sum())")
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, sync_playwright

from hinny.cli.serve import Handler
from hinny.runtime import core_archive
from hinny.runtime.fetch import fetch

HERE = Path(__file__).parent
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


class Folders(Handler):
    """Several folders under one address, each below its own name; the unnamed one catches the rest."""

    def __init__(self, folders: Mapping[str, Path], *args: Any) -> None:
        self._folders = folders
        super().__init__(*args, directory=str(folders.get("", HERE)))

    def translate_path(self, path: str) -> str:
        name, _, rest = path.partition("?")[0].lstrip("/").partition("/")
        folder = self._folders.get(name)
        return str(folder / rest) if name and folder else super().translate_path(path)

    def end_headers(self) -> None:
        # A version's own folder on a CDN never changes; the plain start shall have that too.
        if self.path.startswith("/runtime/"):
            self.send_header("Cache-Control", "public, max-age=31536000, immutable")
            super(Handler, self).end_headers()
        else:
            super().end_headers()


@contextmanager
def served(folders: Mapping[str, Path], handler: type[Folders] = Folders) -> Iterator[str]:
    """A web server for the folders; yields its address, without a slash at the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, folders))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def plain_runtime() -> Iterator[Path]:
    """A folder as Pyodide's own loader expects it, with numpy's wheel, and our package as hinny-core.zip."""
    with tempfile.TemporaryDirectory(prefix="hinny-bench-") as name:
        folder = Path(name)
        for file, path in fetch(["core", "plain"]).items():
            shutil.copyfile(path, folder / file)
        (folder / "hinny-core.zip").write_bytes(core_archive.build())
        yield folder


class Chromium:
    """Starts Chromium (`HINNY_CHROMIUM`, the system's, or Playwright's own) with profiles of its own."""

    def __enter__(self) -> Chromium:
        self._playwright = sync_playwright().start()
        return self

    def __exit__(self, *_: object) -> None:
        self._playwright.stop()

    @contextmanager
    def profile(self, more: Sequence[str] = ()) -> Iterator[BrowserContext]:
        """A browser with an empty profile on disk, which is removed afterwards; `more` arguments for it."""
        found = os.environ.get("HINNY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        with tempfile.TemporaryDirectory(prefix="hinny-profile-", ignore_cleanup_errors=True) as folder:
            context = self._playwright.chromium.launch_persistent_context(
                folder, executable_path=found, args=[*ARGUMENTS, *more]
            )
            context.set_default_timeout(120_000)
            try:
                yield context
            finally:
                context.close()


def run_python(context: BrowserContext, address: str, code: str) -> Any:
    """Run Python in a worker beside numpy and Hinny; the value of its last line, as plain data."""
    page = context.new_page()
    try:
        page.goto(f"{address}/harness.html")
        return page.evaluate("(task) => run(task)", {"python": code})
    finally:
        page.close()
