"""bench/pipeline.py in Chromium, where its figures count, and on CPython beside it.

    python bench/pipeline_browser.py

`pipeline_ms_N` and `pipeline_all_ms_N` are Chromium's, `pipeline_cpython_ms_N` this process's.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from harness import HERE, Chromium, Folders, plain_runtime, run_python, served  # noqa: E402

import pipeline  # noqa: E402


def run() -> dict[str, float]:
    """The figures of both."""
    code = (ROOT / "bench" / "pipeline.py").read_text(encoding="utf-8").replace("__main__", "not now")
    # An isolated page's clock ticks in microseconds, another's in tenths of a millisecond.
    isolated = type("_Isolated", (Folders,), {"isolate": True})
    with (
        plain_runtime() as runtime,
        served({"": HERE, "runtime": runtime}, isolated) as address,
        Chromium() as chromium,
        chromium.profile() as context,
    ):
        found: dict[str, float] = run_python(context, address, f"{code}\nrun()\n")
    native = {name.replace("_ms_", "_cpython_ms_"): value for name, value in pipeline.run().items()}
    return found | native


if __name__ == "__main__":
    print(json.dumps(run(), indent=1))
