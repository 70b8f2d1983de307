"""How fast the scans are in Chromium, beside numpy in the same worker and plain JavaScript on the same data.

    python -m bench.vectors_browser [--chromium PATH] [--rounds N]

The runtimes come from the project's own cache (`make runtime`). Every way of doing one task is called in
turn, so that a busy machine slows all of them; medians are reported. Prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import io
import json
import shutil
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hinny.runtime.fetch import runtime_file
from hinny.runtime.lock import load_lock

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Call = Callable[..., Any]

ROOT = Path(__file__).resolve().parents[1]
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def archive() -> bytes:
    """The package and the page's own module as a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zipped:
        for path in sorted((ROOT / "pysrc" / "hinny").rglob("*.py")):
            zipped.write(path, path.relative_to(ROOT / "pysrc"))
        zipped.write(ROOT / "bench" / "browser" / "vectors_page.py", "vectors_page.py")
    return out.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the page, the two runtimes and the package's archive."""

    def __init__(self, packed: bytes, *args: Any) -> None:
        self.packed = packed
        super().__init__(*args)

    def do_GET(self) -> None:
        folder, _, name = self.path[1:].partition("/")
        if folder == "archive":
            body, kind = self.packed, "application/zip"
        else:
            file = (
                runtime_file(name) if folder == "runtime" else ROOT / "bench" / "browser" / (name or "none")
            )
            if not file.is_file():
                self.send_error(404)
                return
            body, kind = file.read_bytes(), TYPES.get(file.suffix, "text/html")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Quiet."""


@contextmanager
def serve() -> Iterator[str]:
    """A server on a free port; yields its address."""
    handler = functools.partial(Handler, archive())
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def bench_pages(browser: Browser) -> Iterator[Callable[[], Call]]:
    """A server; yields what opens a booted page in `browser`, and that a way to call into its worker."""
    with serve() as address:

        def open_page() -> Call:
            page = browser.new_page()
            page.set_default_timeout(300_000)
            page.goto(f"{address}/bench/vectors.html")
            call = functools.partial(_call, page)
            call("boot", f"{address}/runtime/{load_lock().find('numpy-').name}", f"{address}/archive/")
            return call

        yield open_page


@contextmanager
def browser_pages(chromium: str | None) -> Iterator[Callable[[], Call]]:
    """The same in a browser of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        with bench_pages(browser) as open_page:
            yield open_page
        browser.close()


def run(rounds: int = 40, chromium: str | None = None) -> dict[str, float]:
    """All figures of one run in one browser, each task in a page of its own."""
    out: dict[str, float] = {}
    with browser_pages(chromium or shutil.which("chromium")) as open_page:
        for task in (_dense, _maxsim, _large):
            out |= task(open_page(), rounds)
    return {name: round(value, 5) for name, value in out.items()}


def _call(page: Any, *arguments: Any) -> Any:
    return page.evaluate("(a) => window.call(...a)", list(arguments))


def _dense(call: Call, rounds: int) -> dict[str, float]:
    call("prepare", "dense_warm", 64)  # so that starting onnxruntime is not part of loading
    made = call("prepare", "dense", 10_000)
    found = call("measure", "dense", ["onnx", "numpy", "numpy_float32", "javascript", "search"], rounds)
    return {
        "dense_scan_ms": found["onnx"],
        "dense_scan_min_ms": found["onnx_min"],
        "dense_search_ms": found["search"],
        "dense_numpy_ms": found["numpy"],
        "dense_numpy_float32_ms": found["numpy_float32"],
        "dense_javascript_min_ms": found["javascript_min"],
        "dense_numpy_min_ms": found["numpy_min"],
        "dense_javascript_ms": found["javascript"],
        "dense_vs_numpy": found["numpy"] / found["onnx"],
        "dense_vs_numpy_float32": found["numpy_float32"] / found["onnx"],
        "dense_vs_javascript": found["javascript"] / found["onnx"],
        "dense_agreement": found["agreement"],
        "dense_javascript_agreement": found["javascript_agreement"],
        "dense_load_ms": made["load_ms"],
    }


def _maxsim(call: Call, rounds: int) -> dict[str, float]:
    call("prepare", "dense_warm", 64)
    made = call("prepare", "maxsim", 200_000)
    found = call("measure", "maxsim", ["onnx", "numpy", "javascript", "search"], max(3, rounds // 4))
    return {
        "maxsim_ms": found["onnx"],
        "maxsim_min_ms": found["onnx_min"],
        "maxsim_search_ms": found["search"],
        "maxsim_numpy_ms": found["numpy"],
        "maxsim_javascript_ms": found["javascript"],
        "maxsim_javascript_min_ms": found["javascript_min"],
        "maxsim_numpy_min_ms": found["numpy_min"],
        "maxsim_vs_numpy": found["numpy"] / found["onnx"],
        "maxsim_vs_javascript": found["javascript"] / found["onnx"],
        "maxsim_agreement": found["agreement"],
        "maxsim_javascript_agreement": found["javascript_agreement"],
        "maxsim_load_ms": made["load_ms"],
    }


def _large(call: Call, rounds: int) -> dict[str, float]:
    call("prepare", "dense_warm", 64)
    made = call("prepare", "dense_100k", 100_000)
    found = call("measure", "dense_100k", ["onnx", "search"], rounds)
    codes = 100_000 * 384
    return {
        "dense_100k_ms": found["search"],
        "dense_100k_scan_ms": found["onnx"],
        "dense_100k_scan_min_ms": found["onnx_min"],
        "dense_100k_index_mb": 100_000 * 196 / 1e6,
        "dense_100k_memory_ratio": made["memory_bytes"] / codes,
        "dense_100k_load_ms": made["load_ms"],
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", help="the browser (default: chromium on the path)")
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    print(json.dumps(run(options.rounds, options.chromium), indent=1))


if __name__ == "__main__":
    main()
