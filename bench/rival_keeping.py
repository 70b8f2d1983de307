"""The details of a run beside rivals, kept group by group."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.machine import commit
from bench.rivals_npm import DIST

from rival_run import OURS, gz


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

    def __init__(
        self, file: Path, known: Mapping[str, Mapping[str, Any]], setup: str, *, fresh: bool
    ) -> None:
        self._file = file
        self._known = known
        self._setup = setup
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
            "setups": {OURS: self._setup} | {name: about["setup"] for name, about in self._known.items()},
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


def keeping_parser(doc: str | None, kept: Path) -> argparse.ArgumentParser:
    """`--quick` and `--keep`, as every comparison has them."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer questions, one round")
    parser.add_argument("--keep", type=Path, default=kept, help="where the details go")
    return parser
