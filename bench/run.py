"""All benchmarks in one run: `python bench/run.py [--quick] [NAME ...]`, or `make bench`, `make bench-quick`.

Each is a script that prints a flat JSON object, name to number; together they are bench/results/summary.json,
and bench/results/machine.json says what they were measured on. Named benchmarks replace their own numbers
there and leave the others. What a benchmark needs and this machine lacks (the collections, a browser) is
said, and the exit status is 1 when any failed. docs/benchmarks.md is made anew at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.eval.corpora import NoCollections, data_folder  # noqa: E402
from bench.machine import machine  # noqa: E402

SUMMARY = ROOT / "bench" / "results" / "summary.json"
MACHINE = ROOT / "bench" / "results" / "machine.json"
FAILED = ROOT / "bench" / "results" / "failed.json"
MODULES = ROOT / "bench" / "rivals" / "node_modules"
TIME_LIMIT = 3600.0


class Bench(NamedTuple):
    """A script, and how it is called."""

    arguments: list[str]
    data: bool = False
    """Whether it needs the folder of collections, as `--data`."""
    quick: list[str] | None = None
    """What a quick run adds to the arguments; None leaves the benchmark out of it."""
    seconds: float = 60.0
    """About what it takes on two processors, for the bar."""


BENCHES: dict[str, Bench] = {
    "build": Bench(["bench/build_manual.py"], quick=[], seconds=40),
    "startup": Bench(["bench/startup.py"], quick=["--rounds", "1"], seconds=120),
    "first-answer": Bench(["bench/first_answer.py"], quick=[], seconds=10),
    "roundtrip": Bench(["bench/roundtrip.py"], quick=[], seconds=10),
    "pipeline": Bench(["bench/pipeline_browser.py"], quick=[], seconds=15),
    "models": Bench(["bench/models.py"], seconds=60),
    "vectors-browser": Bench(["bench/vectors_browser.py"], seconds=120),
    "words": Bench(["bench/lexical_cpython.py"], data=True, seconds=120),
    "words-size": Bench(
        ["bench/lexical_size.py", "--minisearch", str(MODULES)], data=True, quick=[], seconds=60
    ),
    "rivals": Bench(["bench/lexical_rivals.py"], quick=["--quick"], seconds=600),
    "relevance": Bench(["-m", "bench.eval"], seconds=300),
    "relevance-vectors": Bench(["bench/vectors.py"], data=True, seconds=300),
}


def measure(name: str, *, quick: bool = False) -> dict[str, float]:
    """The numbers of one benchmark. Raises `RuntimeError` with its last words when it failed."""
    bench = BENCHES[name]
    arguments = [*bench.arguments, *((bench.quick or []) if quick else [])]
    if bench.data:
        try:
            arguments += ["--data", str(data_folder())]
        except NoCollections as missing:
            raise RuntimeError(str(missing)) from missing
    if str(MODULES) in arguments:
        from bench.rivals_npm import prepared

        prepared()
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-2000:] or f"exit status {done.returncode}")
    return read(done.stdout)


def read(text: str) -> dict[str, float]:
    """The flat object in what a benchmark printed: JSON, or lines of name and number."""
    start = text.find("{")
    if start >= 0:
        found = json.loads(text[start : text.rindex("}") + 1])
    else:
        found = dict(line.rsplit(None, 1) for line in text.splitlines() if line.strip())
    return {str(name): float(value) for name, value in found.items()}


def merge(numbers: Mapping[str, float], *, anew: bool = False) -> int:
    """Put numbers into the summary, with `anew` in place of all that is there; how many it then has."""
    summary: dict[str, float] = {} if anew or not SUMMARY.exists() else json.loads(SUMMARY.read_text())
    summary.update(numbers)
    summary["machine_processors"] = float(os.cpu_count() or 0)
    SUMMARY.parent.mkdir(parents=True, exist_ok=True)
    SUMMARY.write_text(json.dumps(dict(sorted(summary.items())), indent=1) + "\n")
    return len(summary)


@contextmanager
def bar(names: list[str]) -> Iterator[Any]:
    """A bar on a terminal, in seconds that the benchmarks are thought to take."""
    from tqdm import tqdm

    with tqdm(
        total=sum(BENCHES[name].seconds for name in names),
        bar_format="{desc:>18} {percentage:3.0f}% |{bar}| {elapsed} of about {total:.0f} s",
        disable=None,
    ) as shown:
        yield shown


def main(names: list[str], *, quick: bool = False) -> int:
    """Run, merge, write; the exit status."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no benchmark {unknown[0]}: expected {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    chosen = names or [name for name, bench in BENCHES.items() if not quick or bench.quick is not None]
    found: dict[str, float] = {}
    failed: dict[str, str] = {} if not names or not FAILED.exists() else json.loads(FAILED.read_text())
    with bar(chosen) as shown:
        for name in chosen:
            started = perf_counter()
            shown.set_description(name)
            failed.pop(name, None)
            try:
                numbers = measure(name, quick=quick)
            except (RuntimeError, ValueError, OSError, subprocess.SubprocessError) as problem:
                failed[name] = str(problem).replace(str(ROOT), "").strip().splitlines()[-1]
                shown.write(f"{name}: failed: {problem}", file=sys.stderr)
            else:
                found.update(numbers)
                shown.write(f"{name}: {len(numbers)} numbers in {perf_counter() - started:.0f} s")
            shown.update(BENCHES[name].seconds)
    count = merge(found, anew=not names and not quick)
    MACHINE.write_text(json.dumps(machine(), indent=1) + "\n")
    FAILED.write_text(json.dumps(failed, indent=1) + "\n")
    print(f"{count} numbers in {SUMMARY.relative_to(ROOT)}, Python {platform.python_version()}")
    from bench.report import write_report

    print(write_report())
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="the short ones, with fewer questions: 5 minutes"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHES)}")
    given = parser.parse_args()
    sys.exit(main(given.names, quick=given.quick))
