"""All benchmarks in one run: `python bench/run.py [--quick] [--resume] [NAME ...]`, or `make bench`.

Each is a script that prints a flat JSON object, name to number; together they are bench/results/summary.json,
and bench/results/machine.json says what they were measured on, runs.json when, on which commit and beside how
much other work. A whole run begins with nothing of an earlier one; one that is broken off goes on with
`--resume` where it stopped. Named benchmarks replace their own numbers and leave the others. What a benchmark
needs and this machine lacks (the collections, a browser) is said, none may take more than fifteen minutes
(what it started ends with it), all together no more than `--minutes` (40, and 5 of a quick run: what is then
not done is told as failed), and the exit status is 1 when any failed. What each says while it runs is in
bench/work/logs. docs/benchmarks.md is made anew at the end; a quick run has results and a report of its own,
in bench/work/quick.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "bench")) if path not in sys.path]

from bench.eval.corpora import NoCollections, data_folder  # noqa: E402
from bench.machine import commit, machine  # noqa: E402
from bench.places import QUICK, RESULTS  # noqa: E402

from calling import Hear, TooLong, called  # noqa: E402
from run_list import BENCHES, MODULES  # noqa: E402

SUMMARY = RESULTS / "summary.json"
STATE = ROOT / "bench" / "work" / "run.json"
"""What an unfinished run has done."""
LOGS = ROOT / "bench" / "work" / "logs"
DETAILS = ("rivals", "vectors", "embed", "cpython", "scaling", "requests", "profile")
"""Files beside the summary that the benchmarks of a whole run fill."""
TIME_LIMIT = 900.0
MINUTES = {False: 40.0, True: 5.0}
"""What a whole run may take, and a quick one (True)."""
CLOSING_S = 20.0
"""Kept of it for the report."""


def measure(
    name: str, *, quick: bool = False, hear: Hear | None = None, limit_s: float = TIME_LIMIT
) -> dict[str, float]:
    """The numbers of one benchmark. Raises `RuntimeError` with its last words when it failed."""
    bench = BENCHES[name]
    arguments = [*bench.arguments, *((bench.quick or []) if quick else [])]
    if bench.data:
        try:
            arguments += ["--data", str(data_folder())]
        except NoCollections as missing:
            raise RuntimeError(str(missing).splitlines()[0]) from missing
    if str(MODULES) in arguments:
        from bench.rivals_npm import prepared

        prepared()
    log = LOGS / f"{name}.log"
    return read(called([sys.executable, *arguments], ROOT, limit_s, log=log, hear=hear))


def read(text: str) -> dict[str, float]:
    """The flat object in what a benchmark printed: JSON, or lines of name and number."""
    start = text.find("{")
    if start >= 0:
        found = json.loads(text[start : text.rindex("}") + 1])
    else:
        found = dict(line.rsplit(None, 1) for line in text.splitlines() if line.strip())
    return {str(name): float(value) for name, value in found.items()}


def kept(file: Path) -> dict[str, Any]:
    """A JSON object of the results; empty when it is not there."""
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def keep(file: Path, content: Mapping[str, Any]) -> None:
    """Write one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=1) + "\n")


def merge(numbers: Mapping[str, float], *, anew: bool = False) -> int:
    """Put numbers into the summary, with `anew` in place of all that is there; how many it then has."""
    summary = {} if anew else kept(SUMMARY)
    summary.update(numbers)
    summary["machine_processors"] = float(os.cpu_count() or 0)
    keep(SUMMARY, dict(sorted(summary.items())))
    return len(summary)


def evaluated() -> dict[str, float]:
    """The numbers that the last `make eval` left: it takes too long to be part of a run."""
    from bench.eval.results import flat

    return flat(kept(RESULTS / "eval.json").get("collections", {}))


@contextmanager
def bar(seconds: float) -> Iterator[Any]:
    """A bar on a terminal, in seconds that the benchmarks are thought to take."""
    from tqdm import tqdm

    with tqdm(
        total=seconds,
        bar_format="{desc:>20} {percentage:3.0f}% |{bar:30}| {elapsed} of about {total:.0f} s {postfix}",
        disable=None,
    ) as shown:
        yield shown


def ticking(shown: Any, until: float) -> Hear:
    """Moves the bar on by a second each time, at most to where the benchmark's end is thought to be."""

    def hear(said: str) -> None:
        if shown.n + 1 < until:
            shown.update(1)
        shown.set_postfix_str(said[:60])

    return hear


def one(name: str, left_s: float, *, quick: bool, hear: Hear | None = None) -> dict[str, Any]:
    """What one benchmark came to: `numbers` or `failed`, and when, how long, on what, beside which load."""
    began = perf_counter()
    load = max(os.getloadavg()) if hasattr(os, "getloadavg") else 0.0
    found: dict[str, Any]
    try:
        if left_s <= 0:
            raise TooLong("not begun: the run's time was over")
        found = {"numbers": measure(name, quick=quick, hear=hear, limit_s=min(TIME_LIMIT, left_s))}
    except (RuntimeError, ValueError, OSError, subprocess.SubprocessError) as problem:
        found = {"failed": str(problem).replace(str(ROOT), "").strip()}
    return found | {
        "seconds": round(perf_counter() - began, 1),
        "load_before": round(load, 1),
        "commit": commit(),
        "ended": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "quick": quick,
    }


def resumed(quick: bool) -> dict[str, dict[str, Any]]:
    """What an unfinished run of the same kind, on the same commit, has done already."""
    state = kept(STATE)
    done: dict[str, dict[str, Any]] = state.get("done", {})
    return done if state.get("commit") == commit() and state.get("quick") == quick else {}


def main(names: list[str], *, quick: bool = False, resume: bool = False, minutes: float | None = None) -> int:
    """Run, merge, write; the exit status."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no benchmark {unknown[0]}: expected {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    chosen = names or [
        name
        for name, bench in BENCHES.items()
        if not bench.by_name and (not quick or bench.quick is not None)
    ]
    costs = {name: BENCHES[name].quick_seconds if quick else BENCHES[name].seconds for name in chosen}
    done = resumed(quick) if resume and not names else {}
    if not names and not done:
        for detail in DETAILS:
            (RESULTS / f"{detail}.json").unlink(missing_ok=True)
    allowed = 60 * (minutes or MINUTES[quick]) - CLOSING_S if minutes or not names else math.inf
    end = perf_counter() + allowed - sum(each["seconds"] for each in done.values())
    passed = 0.0
    with bar(sum(costs.values())) as shown:
        for name in chosen:
            shown.set_description(name)
            passed += costs[name]
            if name not in done:
                done[name] = one(name, end - perf_counter(), quick=quick, hear=ticking(shown, passed))
                if names:
                    merge(done[name].get("numbers", {}))
                else:
                    keep(STATE, {"commit": commit(), "quick": quick, "done": done})
            shown.update(max(0.0, passed - shown.n))
            said = done[name].get("failed", f"{len(done[name].get('numbers', {}))} numbers")
            shown.write(f"{name}: {said}, {done[name]['seconds']:.0f} s", file=sys.stderr)
    numbers = {} if names or quick else evaluated()
    numbers |= {key: value for each in done.values() for key, value in each.get("numbers", {}).items()}
    count = merge(numbers, anew=not names)
    before = kept(RESULTS / "failed.json") if names else {}
    failed = {name: reason for name, reason in before.items() if name not in done}
    failed |= {name: each["failed"].splitlines()[-1] for name, each in done.items() if "failed" in each}
    runs = (kept(RESULTS / "runs.json") if names else {}) | {
        name: {key: value for key, value in each.items() if key not in ("numbers", "failed")}
        for name, each in done.items()
    }
    for file, content in (("machine", machine()), ("failed", failed), ("runs", runs)):
        keep(RESULTS / f"{file}.json", content)
    if not names:
        STATE.unlink(missing_ok=True)
    print(f"{count} numbers in {SUMMARY}, Python {platform.python_version()}")
    from bench.report import write_report

    print(write_report())
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="the short ones, fewer questions: 5 minutes")
    parser.add_argument("--resume", action="store_true", help="go on with a run that was broken off")
    parser.add_argument("--minutes", type=float, help="what the run may take (default: 40, quick: 5)")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}")
    given = parser.parse_args()
    if given.quick and "HINNY_BENCH_RESULTS" not in os.environ:
        # Its figures are of fewer questions: they shall not stand among those of a whole run.
        os.environ["HINNY_BENCH_RESULTS"] = str(QUICK)
        os.execv(sys.executable, [sys.executable, *sys.argv])
    sys.exit(main(given.names, quick=given.quick, resume=given.resume, minutes=given.minutes))
