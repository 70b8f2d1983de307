"""How fast the models run: on CPython, and in Chromium through the page's own client.

    python bench/models.py [--chromium PATH] [--rounds N]

Needs `make models`, `make build` and `make runtime`. Prints one flat JSON object: milliseconds and
passages a second (medians), megabytes. `query_embed_ms` is one query of 11 tokens through Python and
onnxruntime-web on one thread, once the engine has compiled what runs often. `session_ready_ms` is a second
visit: from all bytes (onnxruntime's and the model's) lying stored, and neither loaded, to the first vector,
in a worker that started from the snapshot, as on a built site; one that did not is refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from http.server import ThreadingHTTPServer
from io import StringIO
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from hinny.cli.main import main as hinny
from hinny.cli.serve import Handler
from hinny.models.encoders import make_encoder
from hinny.models.export import export_model
from hinny.models.store import ModelStore
from hinny.platform.cpython import cpython_platform
from hinny.runtime.boot_assets import write_runtime

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
EMBEDDER, LATE = "minilm-l6-int8", "minilm-l6-late64"
QUERY = "how do I rebuild an index without locking it"  # 11 tokens with the special ones
WORD = "vacuum "
VISITS = 7
WARM = 20
"""Runs before the measured ones: V8 compiles a function well only after it has run often."""
START = """async () => {
  const { SearchClient } = await import("./app/hinny.js");
  globalThis.client = new SearchClient();
  return await client.start();
}"""
ENCODE = "([model, texts, how]) => client.encode('./', { model, texts, as: how }).then((done) => done.ms)"


async def native(rounds: int) -> dict[str, float]:
    """CPython, as many threads as onnxruntime takes."""
    store = ModelStore()
    platform = cpython_platform(store)
    found: dict[str, float] = {}
    passages = [WORD * 126] * 64  # 128 tokens each
    for name, id in (("encode_passages_s", EMBEDDER), ("encode_late_passages_s", LATE)):
        encoder = make_encoder(store.pin(id), platform)
        started = time.perf_counter()
        await encoder.load()
        found.setdefault("native_load_ms", 1000 * (time.perf_counter() - started))
        call = encoder.embed_documents if id == EMBEDDER else encoder.encode_documents
        await call(passages[:16])
        rates = []
        for _ in range(max(3, rounds // 5)):
            started = time.perf_counter()
            await call(passages)
            rates.append(len(passages) / (time.perf_counter() - started))
        found[name] = statistics.median(rates)
        await encoder.dispose()
    return found


@contextmanager
def site_folder() -> Iterator[Path]:
    """A small site with our models beside it."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "pages"), Path(folder, "search")
        source.mkdir()
        (source / "a.html").write_text("<!doctype html><title>a</title><main><h1>a</h1><p>A page.</p></main>")
        with redirect_stdout(StringIO()):
            if hinny(["build", str(source), "--out", str(out), "--offline", "--root", "/"]):
                raise SystemExit("the site could not be built")
        write_runtime(out, offline=True, models=True)
        manifest = json.loads((out / "manifest.json").read_text("utf-8"))
        manifest["models"] = {id: export_model(id, out) for id in (EMBEDDER, LATE)}
        (out / "manifest.json").write_text(json.dumps(manifest), "utf-8")
        (out / "empty.html").write_text("<!doctype html><meta charset=utf-8><title>bench</title>")
        yield out


@contextmanager
def site() -> Iterator[str]:
    """Its address, served."""
    with site_folder() as out:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(out)))
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        server.server_close()


def renderer_memory(browser: Browser) -> dict[str, float]:
    """Megabytes that the page's process holds, the worker in it; nothing where there is no /proc."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = []
    for process in processes:
        status = Path(f"/proc/{process['id']}/status")
        if process["type"] == "renderer" and status.is_file():
            line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
            sizes.append(int(line.split()[1]) / 1000)
    return {"models_renderer_mb": max(sizes)} if sizes else {}


def opened(context: BrowserContext, address: str) -> Page:
    """A page whose worker runs, without a model."""
    page = context.new_page()
    page.set_default_timeout(300_000)
    page.goto(address + "empty.html")
    marks = page.evaluate(START)
    if "python" not in marks:
        # A worker then imports numpy when it is first asked for a vector: not the model's time.
        raise SystemExit("the worker started without the snapshot, unlike a built site's: run `make build`")
    return page


def ready(page: Page) -> float:
    """Milliseconds from stored bytes to a first vector."""
    started = time.perf_counter()
    page.evaluate(ENCODE, [EMBEDDER, ["a"], "query"])
    return 1000 * (time.perf_counter() - started)


def in_chromium(chromium: str | None, rounds: int) -> dict[str, float]:
    """The same models in a page's worker, one thread: a first visit, then several later ones."""
    with site() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context()
        page = opened(context, address)
        page.evaluate(f"client.prefetch('./', ['{EMBEDDER}', '{LATE}'])")
        found = {"first_session_ready_ms": ready(page)}
        times = []
        for _ in range(VISITS):
            page.close()
            page = opened(context, address)
            times.append(ready(page))
        found["session_ready_ms"] = statistics.median(times)
        page.evaluate(ENCODE, [LATE, ["a"], "query"])

        def median(model: str, text: str, how: str, times: int, warm: int = 0) -> float:
            took = [page.evaluate(ENCODE, [model, [text], how]) for _ in range(warm + times)]
            return statistics.median(took[warm:])

        found["query_embed_ms"] = median(EMBEDDER, QUERY, "query", rounds, WARM)
        found["query_encode_late_ms"] = median(LATE, QUERY, "query", rounds, WARM)
        found["passage_embed_ms"] = median(EMBEDDER, WORD * 126, "document", max(3, rounds // 5))
        found |= renderer_memory(browser)
        browser.close()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    found = {**asyncio.run(native(options.rounds)), **in_chromium(options.chromium, options.rounds)}
    print(json.dumps({name: round(value, 2) for name, value in found.items()}, indent=1))


if __name__ == "__main__":
    main()
