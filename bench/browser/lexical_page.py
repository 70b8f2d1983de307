"""Chromium with engines in workers, asked in turns: the Python side of lexical-page.js."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import HERE, Chromium, Folders, plain_runtime, served

PATIENCE_MS = 600_000

Advance = Callable[[int], Any]


class _Keeping(Folders):
    """Keeps what is posted below /keep/, and isolates pages so that their clocks tick in microseconds."""

    isolate = True
    kept: dict[str, bytes]

    def do_POST(self) -> None:  # noqa: N802
        self.kept[self.path.rpartition("/")[2]] = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()


class Engines:
    """A page of engines. An engine that fails stays in every answer, as `{"failed": reason}`."""

    def __init__(self, page: Any, kept: dict[str, bytes], patience_ms: float) -> None:
        self._page = page
        self._patience = patience_ms
        self.kept = kept
        """What each engine made of its index, by name."""

    def open(
        self, engines: Sequence[Mapping[str, str]], documents: str, fields: Sequence[str]
    ) -> dict[str, Any]:
        """Open engines (`name`, `module`, perhaps `prebuilt`); name to `build_ms`, `load_ms`."""
        self.kept.clear()
        given = {"documents": documents, "fields": list(fields)}
        found: dict[str, Any] = self._page.evaluate(
            "(a) => openEngines(...a)", [list(engines), given, self._patience]
        )
        return found

    def compare(
        self,
        plan: Mapping[str, Mapping[str, Any]],
        texts: Sequence[str],
        *,
        rounds: int = 3,
        limit: int = 10,
        warm: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Ask all engines of `plan` (name to `mode`, `every` and `rounds`) all texts, in turns.

        Name to `ms` [rounds][texts] (None: not asked), `ids` of the first round by text, and `unstable`,
        how many later answers differed from the first.
        """
        options = {"rounds": rounds, "limit": limit, "warm": list(warm)}
        found: dict[str, Any] = self._page.evaluate(
            "(a) => compareEngines(...a)", [dict(plan), list(texts), options]
        )
        return found

    def memory(self) -> dict[str, float]:
        """Bytes by engine, as the browser counts them."""
        found: dict[str, float] = self._page.evaluate("engineMemory()")
        return found


@contextmanager
def engines_page(
    folders: Mapping[str, Path], *, advance: Advance | None = None, patience_ms: float = PATIENCE_MS
) -> Iterator[Engines]:
    """A page that can reach `folders`, each below its own name."""
    kept: dict[str, bytes] = {}
    handler = type("_Handler", (_Keeping,), {"kept": kept})
    with (
        served({"": HERE, **folders}, handler) as address,
        Chromium() as chromium,
        chromium.profile(["--enable-blink-features=ForceEagerMeasureMemory"]) as context,
    ):
        page = context.new_page()
        page.set_default_timeout(0)
        if advance is not None:
            page.expose_function("advanced", advance)
        page.goto(f"{address}/lexical.html")
        page.wait_for_function("globalThis.ready")
        yield Engines(page, kept, patience_ms)


@contextmanager
def runtime_folder() -> Iterator[Path]:
    """Pyodide, numpy, our package and the stemmer, as lexical-hinny.js wants them."""
    with plain_runtime() as folder:
        shutil.copyfile(next(folder.glob("snowballstemmer-*.whl")), folder / "snowballstemmer.zip")
        yield folder
