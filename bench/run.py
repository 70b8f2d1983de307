"""All benchmarks in one run: `python bench/run.py [NAME ...]`, or `make bench`.

Each is a script that prints a flat JSON object, name to number; together they are bench/results/summary.json.
Named benchmarks replace their own numbers there and leave the others. What a benchmark needs and this machine
lacks (the collections beside the repository, a browser) is said, and the exit status is 1 when any failed.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
SUMMARY = ROOT / "bench" / "results" / "summary.json"
DATA = ROOT.parent / "shared" / "data"
TIME_LIMIT = 3600.0

# Name to the script's arguments and whether it needs the collections.
BENCHES: dict[str, tuple[list[str], bool]] = {
    "build": (["bench/build_manual.py"], False),
    "startup": (["bench/startup.py"], False),
    "roundtrip": (["bench/roundtrip.py"], False),
    "pipeline": (["bench/pipeline.py"], False),
    "models": (["bench/models.py"], False),
    "vectors-browser": (["bench/vectors_browser.py"], False),
    "words": (["bench/lexical_cpython.py"], True),
    "words-size": (["bench/lexical_size.py"], True),
    "relevance-words": (["bench/lexical_eval.py"], True),
    "relevance-vectors": (["bench/vectors.py"], True),
}


def measure(name: str) -> dict[str, float]:
    """The numbers of one benchmark. Raises `RuntimeError` with its last words when it failed."""
    arguments, needs_data = BENCHES[name]
    if needs_data:
        if not DATA.is_dir():
            raise RuntimeError(
                f"the collections are not at {DATA.parent.name}/{DATA.name} beside the repository"
            )
        arguments = [*arguments, "--data", str(DATA)]
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


def main(names: list[str]) -> int:
    """Run, merge, write; the exit status."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no benchmark {unknown[0]}: expected {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    summary: dict[str, float] = json.loads(SUMMARY.read_text()) if names and SUMMARY.exists() else {}
    failed = []
    for name in names or BENCHES:
        started = perf_counter()
        try:
            numbers = measure(name)
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as problem:
            failed.append(name)
            print(f"{name}: failed: {problem}", file=sys.stderr)
            continue
        summary.update(numbers)
        print(f"{name}: {len(numbers)} numbers in {perf_counter() - started:.0f} s")
    summary["machine_processors"] = float(os.cpu_count() or 0)
    SUMMARY.parent.mkdir(parents=True, exist_ok=True)
    SUMMARY.write_text(json.dumps(dict(sorted(summary.items())), indent=1) + "\n")
    print(f"{len(summary)} numbers in {SUMMARY.relative_to(ROOT)}, Python {platform.python_version()}")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
