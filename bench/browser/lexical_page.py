"""Chromium with engines in workers, asked in turns: the Python side of lexical-page.js."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from harness import HERE, Chromium, Folders, plain_runtime, served
from playwright.sync_api import Error

PATIENCE_MS = 90_000
MEMORY_MS = 5_000

Advance = Callable[[int], Any]


class _Keeping(Folders):
    """Keeps what is posted below /keep/, and isolates pages so that their clocks tick in microseconds."""

    isolate = True
    kept: dict[str, tuple[bool, bytes]]
    """Name to whether it is text, and the bytes."""

    def do_GET(self) -> None:  # noqa: N802
        found = self.kept.get(self.path.rpartition("/")[2]) if self.path.startswith("/keep/") else None
        if found is None:
            super().do_GET()
            return
        text, data = found
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; charset=utf-8" if text else "application/octet-stream")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:  # noqa: N802
        data = self.rfile.read(int(self.headers["Content-Length"]))
        text = (self.headers["Content-Type"] or "").startswith("text/")
        self.kept[self.path.rpartition("/")[2]] = text, data
        self.send_response(204)
        self.end_headers()


class PageDied(RuntimeError):
    """The renderer went away, mostly for want of memory."""


class Engines:
    """A page of engines. An engine that fails stays in every answer, as `{"failed": reason}`."""

    def __init__(self, page: Any, kept: dict[str, tuple[bool, bytes]], patience_ms: float) -> None:
        self._page = page
        self._patience = patience_ms
        self._kept = kept

    @property
    def kept(self) -> dict[str, bytes]:
        """What each engine made of its index, by name."""
        return {name: data for name, (_, data) in self._kept.items()}

    def open(
        self,
        engines: Sequence[Mapping[str, str]],
        documents: str,
        fields: Sequence[str],
        language: str = "en",
        *,
        kept: bool = False,
    ) -> dict[str, Any]:
        """Open engines (`name`, `module`, perhaps `prebuilt`); name to `build_ms`, `load_ms`.

        What was kept before goes, unless `kept`.
        """
        if not kept:
            self._kept.clear()
        given = {"documents": documents, "fields": list(fields), "language": language}
        return self._run("openEngines", list(engines), given, self._patience)

    def build(self, name: str, module: str, documents: str, fields: Sequence[str]) -> dict[str, Any]:
        """Only build an engine, and keep what it made; `build_ms`, or `failed`."""
        given = {"documents": documents, "fields": list(fields), "language": "en"}
        return self._run("buildEngine", {"name": name, "module": module}, given, self._patience)

    def keep(self, name: str, data: bytes, *, text: bool) -> None:
        """Leave at the server what an engine made elsewhere."""
        self._kept[name] = text, data

    def is_text(self, name: str) -> bool:
        """Whether an engine left text rather than bytes."""
        return self._kept[name][0]

    def compare(
        self,
        plan: Mapping[str, Mapping[str, Any]],
        texts: Sequence[str],
        *,
        rounds: int = 3,
        limit: int = 10,
        warm: Sequence[str] = (),
        budget_ms: float | None = None,
    ) -> dict[str, Any]:
        """Ask all engines of `plan` (name to `mode`, `every` and `rounds`) all texts, in turns.

        Name to `ms` [rounds][texts] (None: not asked), `ids` of the first round by text, and `unstable`,
        how many later answers differed from the first. After `budget_ms` no more is asked.
        """
        options = {"rounds": rounds, "limit": limit, "warm": list(warm), "budget": budget_ms}
        return self._run("compareEngines", dict(plan), list(texts), options)

    def _run(self, name: str, *arguments: Any) -> dict[str, Any]:
        """A function of the page, waited for. Raises `PageDied`, `RuntimeError` when it fails."""
        died: list[bool] = []
        self._page.on("crash", lambda: died.append(True))
        self._page.evaluate("(a) => startTask(...a)", [name, list(arguments)])
        while True:
            try:
                self._page.wait_for_timeout(200)
                task = None if died else self._page.evaluate("askTask()")
            except Error as problem:
                raise PageDied(f"the page died in {name}") from problem
            if died:
                raise PageDied(f"the page died in {name}")
            if task and "error" in task:
                raise RuntimeError(f"{name}: {task['error']}")
            if task:
                found: dict[str, Any] = task["value"]
                return found

    def memory(self) -> dict[str, float]:
        """Bytes by engine, as the browser counts them; empty where it does not within `MEMORY_MS`."""
        found: dict[str, float] = self._page.evaluate("(patience) => engineMemory(patience)", MEMORY_MS)
        return found


@contextmanager
def engine_pages(
    folders: Mapping[str, Path],
    *,
    advance: Advance | None = None,
    patience_ms: float = PATIENCE_MS,
    arguments: Sequence[str] = (),
) -> Iterator[Callable[[], AbstractContextManager[Engines]]]:
    """One browser; yields what opens a page that can reach `folders`, each below its own name.

    A page that dies takes nothing with it but itself. `arguments`: more of the browser's.
    """
    kept: dict[str, tuple[bool, bytes]] = {}
    handler = type("_Handler", (_Keeping,), {"kept": kept})

    @contextmanager
    def opened() -> Iterator[Engines]:
        page = context.new_page()
        try:
            page.set_default_timeout(0)
            if advance is not None:
                page.expose_function("advanced", advance)
            page.goto(f"{address}/lexical.html")
            page.wait_for_function("globalThis.ready")
            yield Engines(page, kept, patience_ms)
        finally:
            page.close()

    with (
        served({"": HERE, **folders}, handler) as address,
        Chromium() as chromium,
        chromium.profile([*arguments, "--enable-blink-features=ForceEagerMeasureMemory"]) as context,
    ):
        yield opened


@contextmanager
def engines_page(
    folders: Mapping[str, Path], *, advance: Advance | None = None, patience_ms: float = PATIENCE_MS
) -> Iterator[Engines]:
    """A browser with one such page."""
    with engine_pages(folders, advance=advance, patience_ms=patience_ms) as opened, opened() as engines:
        yield engines


def renderer_memory(label: str) -> dict[str, float]:
    """Megabytes of the largest renderer below this process: `LABEL_mb` now, `LABEL_peak_mb` at most.

    Its memory holds the page's heap, its workers' and all of WebAssembly. Empty where there is no /proc.
    """
    parents: dict[int, int] = {}
    found: list[tuple[float, float]] = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            facts = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:  # it has ended
            continue
        parents[int(status.parent.name)] = int(facts["PPid"])
    for pid in _below(os.getpid(), parents):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            continue
        if b"--type=renderer" in command:
            facts = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith("Vm")}
            found.append((int(facts["VmRSS"]) / 1000, int(facts["VmHWM"]) / 1000))
    if not found:
        return {}
    return {f"{label}_mb": max(now for now, _ in found), f"{label}_peak_mb": max(top for _, top in found)}


@contextmanager
def highest_memory(label: str, every_s: float = 0.5) -> Iterator[dict[str, float]]:
    """`LABEL_peak_mb` as it grows while the block runs: a page that dies leaves nothing to read."""
    found: dict[str, float] = {}
    key = f"{label}_peak_mb"
    over = threading.Event()

    def look() -> None:
        while True:
            now = renderer_memory(label).get(key)
            if now is not None:
                found[key] = max(found.get(key, 0.0), now)
            if over.wait(every_s):
                return

    watch = threading.Thread(target=look, daemon=True)
    watch.start()
    try:
        yield found
    finally:
        over.set()
        watch.join()


def _below(root: int, parents: Mapping[int, int]) -> list[int]:
    found = {root}
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return sorted(found)
        found |= more


@contextmanager
def runtime_folder() -> Iterator[Path]:
    """Pyodide, numpy, our package and the stemmer, as lexical-hinny.js wants them."""
    with plain_runtime() as folder:
        shutil.copyfile(next(folder.glob("snowballstemmer-*.whl")), folder / "snowballstemmer.zip")
        yield folder
