"""Building the whole PostgreSQL manual: seconds, peak memory, sizes.

    python bench/build_manual.py

The manual is the archive in web/demo-data. `hinny build` runs as a process of its own, three times; the best
time counts (what else the machine does can only add to it), the highest memory, and what it wrote.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
ARCHIVE = ROOT / "web" / "demo-data" / "postgresql-doc-15.tar.xz"


def run(rounds: int = 3) -> dict[str, float]:
    """`build_manual_s` (wall), `build_manual_cpu_s`, `build_manual_mb` and what was built."""
    walls, cpus, peaks = [], [], []
    with tempfile.TemporaryDirectory(prefix="hinny-bench-") as folder:
        with tarfile.open(ARCHIVE) as archive:
            archive.extractall(folder, filter="data")
        command = [
            *(sys.executable, "-m", "hinny", "build", f"{folder}/html", "--out", f"{folder}/out"),
            *("--language", "en", "--exclude", "bookindex.html", "--json"),
        ]
        for _ in range(rounds):
            started = perf_counter()
            process = subprocess.Popen(command, stdout=subprocess.PIPE)
            assert process.stdout is not None
            shown = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                raise SystemExit(f"hinny build failed with status {process.returncode}")
            walls.append(perf_counter() - started)
            cpus.append(usage.ru_utime + usage.ru_stime)
            peaks.append(usage.ru_maxrss / 1024)
        summary = json.loads(shown)
    return {
        "build_manual_s": round(min(walls), 2),
        "build_manual_cpu_s": round(min(cpus), 2),
        "build_manual_mb": round(max(peaks), 1),
        "build_manual_pages": summary["pages"],
        "build_manual_sections": summary["sections"],
        "build_manual_bytes": summary["bytes"],
        "build_manual_files": summary["files"],
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=1))
