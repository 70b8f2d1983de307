"""docs/benchmarks.md and its plots, made from bench/results: `python bench/report.py`.

What Hinny is behind in comes first, then aims and ratios, then absolute figures, set-ups and the machine.
Results that lie elsewhere (a quick run's in bench/work/quick) have their report beside them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.places import DOCS, RESULTS  # noqa: E402
from bench.reports import behind, engines, front, others  # noqa: E402
from bench.reports.figures import figures  # noqa: E402
from bench.reports.plots import draw  # noqa: E402
from bench.reports.tables import in_order, table  # noqa: E402

FILES = ("summary", "rivals", "vectors", "embed", "cpython", "scaling", "requests", "profile", "costs")
FILES += ("late", "failed", "machine", "runs")


def load(name: str, folder: Path) -> dict[str, Any]:
    """A JSON file of results; empty when it is not there."""
    file = folder / f"{name}.json"
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def write_report(results: Path = RESULTS, docs: Path = DOCS) -> str:
    """Write docs/benchmarks.md and the plots; says what was written."""
    found = {name: load(name, results) for name in FILES}
    rivals, summary, machine = found["rivals"], found["summary"], found["machine"]
    details = {name: found[name] for name in ("rivals", "vectors", "embed", "cpython")}
    groups = in_order(rivals.get("results", {}))
    if groups:
        rivals["results"] = groups
    shown = draw(rivals, found["scaling"], docs / "images")
    runs = dict(found["runs"])
    for name in (*details, "scaling"):
        # The same collection may be asked in the browser and on CPython.
        here = f"{name}: " if name == "cpython" else ""
        runs |= {f"{here}{group}": run for group, run in found[name].get("runs", {}).items()}
    evaluated = load("eval", results)
    if "ended" in evaluated:
        runs["all methods and collections (`make eval`)"] = {
            key: evaluated[key] for key in ("commit", "ended")
        }
    if "ended" in found["late"]:
        runs["late interaction"] = {key: found["late"][key] for key in ("commit", "ended")}
    sections = [
        front.INTRODUCTION,
        front.busy(runs, machine),
        front.agreement(load("agree", results)),
        front.left_out(rivals),
        front.failed_rows(found["failed"]),
        behind.behind(summary, {**details, "requests": found["requests"]}),
        behind.aims(summary),
        engines.ratios(groups) if groups else "",
        engines.gains(groups),
        "\n".join(f"![{text}](images/{name})\n" for name, text in shown),
        engines.absolute(groups) if groups else "",
        others.scaling(found["scaling"]),
        others.requests(found["requests"]),
        others.vectors(found["vectors"], found["embed"]),
        others.cpython(found["cpython"]),
        others.late(found["late"]),
        figures(summary),
        others.profile(found["profile"], found["costs"], found["embed"]),
        front.setups(details),
        front.when(runs, front.earlier(runs)),
        "## Machine and versions\n\n" + table(("", ""), machine.items()),
    ]
    text = "\n".join(section for section in sections if section)
    docs.mkdir(parents=True, exist_ok=True)
    (docs / "benchmarks.md").write_text(text, encoding="utf-8")
    return f"{len(text.splitlines())} lines in {docs.name}/benchmarks.md, {len(shown)} plots"


if __name__ == "__main__":
    print(write_report())
