"""How fast the scans are in Chromium: the product's own WebAssembly, an ONNX graph, numpy, plain JavaScript.

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
            places = {"bench": ROOT / "bench" / "browser", "tools": ROOT / "worker" / "dist" / "tools"}
            file = runtime_file(name) if folder == "runtime" else places.get(folder, ROOT) / (name or "none")
            if not file.is_file():
                self.send_error(404)
                return
            body, kind = file.read_bytes(), TYPES.get(file.suffix, "text/html")
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        # An isolated page has a clock of microseconds instead of tenths of a millisecond.
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
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
    made = call("prepare", "dense", 10_000)
    ways = ["wasm", "onnx", "numpy", "numpy_float32", "javascript", "search"]
    found = call("measure", "dense", ways, rounds)
    return {
        **_times("dense", found, ways),
        "dense_vs_numpy_float32": found["numpy_float32"] / found["wasm"],
        "dense_load_ms": made["load_ms"],
    }


def _maxsim(call: Call, rounds: int) -> dict[str, float]:
    made = call("prepare", "maxsim", 200_000)
    ways = ["wasm", "onnx", "numpy", "javascript", "search"]
    found = call("measure", "maxsim", ways, max(3, rounds // 4))
    return {**_times("maxsim", found, ways), "maxsim_ms": found["wasm"], "maxsim_load_ms": made["load_ms"]}


def _times(task: str, found: dict[str, float], ways: list[str]) -> dict[str, float]:
    """Medians and minima of each way, and how many times slower others are than `wasm`, the product's."""
    out = {}
    for way in ways:
        label = f"{task}_scan" if way == "wasm" else f"{task}_{way}"
        out |= {f"{label}_ms": found[way], f"{label}_min_ms": found[f"{way}_min"]}
    for rival in ("numpy", "javascript", "onnx"):
        out[f"{task}_vs_{rival}"] = found[rival] / found["wasm"]
    out[f"{task}_agreement"] = found["wasm_agreement"]
    out[f"{task}_onnx_agreement"] = found["onnx_agreement"]
    out[f"{task}_javascript_agreement"] = found["javascript_agreement"]
    return out


def _large(call: Call, rounds: int) -> dict[str, float]:
    call("prepare", "dense_warm", 64)
    made = call("prepare", "dense_100k", 100_000)
    found = call("measure", "dense_100k", ["wasm", "search"], rounds)
    codes = 100_000 * 384
    return {
        "dense_100k_ms": found["search"],
        "dense_100k_scan_ms": found["wasm"],
        "dense_100k_scan_min_ms": found["wasm_min"],
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
