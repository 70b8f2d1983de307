"""Hinny's words beside the search engines of npm: one Chromium, the same documents and questions, in turns.

    python bench/lexical_rivals.py [--quick] [--only NAME ...] [--parts PART ...] [--keep FILE]

Each rival shares a page with Hinny and nobody else; both have workers of their own and are asked each
question in turn, the order changing with every question; a time is what passes inside the worker between a
text and its ids. Questions of another set warm both up, then each is asked in every round: an engine's
figure for a question is the median of its rounds, `first` is the first round alone. The set-up of each engine
is what its own documentation recommends (bench/rivals/engines). An engine that fails, or whose page dies, is
written down as failed. Details go to bench/results/rivals.json, part by part; prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.machine import commit  # noqa: E402
from bench.rivals_npm import DIST, prepared  # noqa: E402
from lexical_page import engine_pages, runtime_folder  # noqa: E402

import rival_pagefind  # noqa: E402
from rival_figures import failures, flat  # noqa: E402
from rival_parts import PARTS, ROUNDS  # noqa: E402
from rival_run import OURS, PAGEFIND, Run, gz  # noqa: E402

RESULTS = ROOT / "bench" / "results" / "rivals.json"
SETUP = (
    "LexicalIndex with its defaults (stemming, typos for words that it lacks); with typos: every word as a "
    "prefix and with typos; typing: as_you_type; phrases in quotation marks. Built on CPython, positions "
    "apart"
)


def every_rival() -> dict[str, dict[str, Any]]:
    """What is known of each rival, by name."""
    words = {name: about for name, about in prepared().items() if "modes" in about}
    pagefind = rival_pagefind.ABOUT | {"version": rival_pagefind.version()}
    return dict(sorted({**words, PAGEFIND: pagefind}.items()))


def engine_bytes(rivals: Mapping[str, Mapping[str, Any]], results: Mapping[str, Any]) -> dict[str, int]:
    """gzipped bytes of each engine's own code."""
    found = {}
    for name, about in rivals.items():
        if "module" in about:  # not one of our bundles: what built the index has counted its code
            sizes = [row[name]["index"].get("engine_gz", 0) for row in results.values() if name in row]
            found[name] = max(sizes, default=0)
        else:
            files = [f"{name}.js", *about.get("files", ())]
            found[name] = sum(gz((DIST / file).read_bytes()) for file in files)
    return found


class Keeping:
    """The details of a run, written as each group of them ends, with when and on which commit that was."""

    def __init__(self, file: Path, known: Mapping[str, Mapping[str, Any]], *, fresh: bool) -> None:
        self._file = file
        self._known = known
        kept = json.loads(file.read_text()) if file.exists() and not fresh else {}
        self.results: dict[str, Any] = kept.get("results", {})
        self._runs: dict[str, Any] = kept.get("runs", {})

    def add(self, group: str, rows: Mapping[str, Any], *, quick: bool) -> None:
        """Replace what is kept of these engines in this group; others of it stay."""
        before = self.results.get(group, {}) if self._runs.get(group, {}).get("quick") == quick else {}
        self.results[group] = {**before, **rows}
        load = max(os.getloadavg()) if hasattr(os, "getloadavg") else 0.0
        self._runs[group] = {
            "quick": quick,
            "commit": commit(),
            "ended": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
            "load": round(load, 1),
        }
        detail = {
            "setups": {OURS: SETUP} | {name: about["setup"] for name, about in self._known.items()},
            "versions": {name: about["version"] for name, about in self._known.items()},
            "engine_gz": engine_bytes(self._known, self.results),
            "not_asked": {
                group: [name for name in self._known if name not in rows]
                for group, rows in self.results.items()
            },
            "runs": self._runs,
            "results": self.results,
        }
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(detail, indent=1) + "\n")


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], Any]]:
    """A bar on a terminal that hears of engines opened and questions asked."""
    from tqdm import tqdm

    with tqdm(total=total, unit="step", desc="rivals", disable=None, file=sys.stderr) as bar:
        yield bar.update


def main() -> None:
    """Measure, keep the details, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer questions, one round")
    parser.add_argument("--only", nargs="*", help="these rivals only, beside those kept")
    parser.add_argument("--parts", nargs="*", choices=list(PARTS), help="these parts only, beside those kept")
    parser.add_argument("--rounds", type=int, help=f"of plain questions (default: {ROUNDS}, quick: 1)")
    parser.add_argument("--keep", type=Path, default=RESULTS, help="where the details go")
    arguments = parser.parse_args()
    rounds = arguments.rounds or (1 if arguments.quick else ROUNDS)
    known = every_rival()
    rivals = {name: about for name, about in known.items() if not arguments.only or name in arguments.only}
    keeping = Keeping(arguments.keep, known, fresh=not arguments.parts and not arguments.only)
    steps = 4000 if arguments.quick else 20_000
    with (
        progress(steps) as advance,
        tempfile.TemporaryDirectory(prefix="hinny-rivals-") as name,
        runtime_folder() as runtime,
    ):
        folders = {"runtime": runtime, "data": Path(name), "rivals": DIST}
        with engine_pages(folders, advance=advance) as opened:
            whole = Run(opened, rivals, Path(name))
            for part in arguments.parts or list(PARTS):
                for group, rows in PARTS[part](whole, arguments.quick, rounds):
                    keeping.add(group, rows, quick=arguments.quick)
    for what, reason in failures(keeping.results).items():
        print(f"failed: {what}: {reason}", file=sys.stderr)
    print(json.dumps(flat(keeping.results), indent=1))


if __name__ == "__main__":
    main()
