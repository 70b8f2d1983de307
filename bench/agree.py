"""Do two runs agree? `make bench-agree`, or `python bench/agree.py [FIRST SECOND]`.

Compares two files of details (bench/results/rivals.json and its like): every ranking (by the hash of all
ids in their order), every relevance and every size must be the same; times may differ. Without files, the
quick parts beside the rivals are run twice, and what came of it is kept as bench/results/agree.json. Prints
what differs; the exit status is 1 when anything does.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.machine import commit  # noqa: E402
from bench.places import RESULTS  # noqa: E402

KEPT = RESULTS / "agree.json"
SAME = ("rankings", "questions", "unstable", "ndcg10", "mrr10", "r1", "r10", "found5", "phrase_first")
SIZES = ("raw", "gz", "positions", "files", "engine_gz")
PARTS = ("manual", "cranfield", "belebele_zh")


def facts(detail: Mapping[str, Any]) -> dict[str, Any]:
    """Everything of a run that another run must repeat, by where it stands; failures by that they failed."""
    found: dict[str, Any] = {}
    for group, engines in detail.get("results", {}).items():
        for name, row in engines.items():
            for part, value in row.items():
                where = f"{group} {name} {part}"
                if "failed" in value:
                    found[where] = "failed"
                for key in (*SAME, *SIZES):
                    if key in value:
                        found[f"{where} {key}"] = value[key]
    return found


def differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    """What the two say differently; what only one has counts."""
    one, other = facts(first), facts(second)
    return [
        f"{where}: {one.get(where, 'nothing')} and {other.get(where, 'nothing')}"
        for where in sorted(one.keys() | other.keys())
        if one.get(where) != other.get(where)
    ]


def twice(folder: Path) -> list[Path]:
    """Two quick runs beside all rivals, each part a process of its own."""
    files = [folder / "first.json", folder / "second.json"]
    for file in files:
        for part in PARTS:
            command = [
                sys.executable,
                "bench/lexical_rivals.py",
                "--quick",
                "--parts",
                part,
                "--keep",
                str(file),
            ]
            subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, timeout=420, check=True)
    return files


def main(given: list[str]) -> int:
    """Compare; the exit status."""
    with tempfile.TemporaryDirectory(prefix="hinny-agree-") as name:
        files = [Path(file) for file in given] or twice(Path(name))
        first, second = (json.loads(file.read_text()) for file in files)
    found = differences(first, second)
    for line in found:
        print(line)
    counted = len(facts(first))
    if not given:
        ended = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
        result = {"compared": counted, "differ": found, "commit": commit(), "ended": ended}
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(json.dumps(result, indent=1) + "\n")
    print(
        f"{counted} rankings, relevances and sizes; {len(found)} differ" if counted else "nothing to compare"
    )
    return 1 if found or not counted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
