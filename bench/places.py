"""Where results go: bench/results, or the folder that HINNY_BENCH_RESULTS names (a quick run's)."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUICK = ROOT / "bench" / "work" / "quick"
RESULTS = Path(os.environ.get("HINNY_BENCH_RESULTS") or ROOT / "bench" / "results")
DOCS = ROOT / "docs" if RESULTS == ROOT / "bench" / "results" else RESULTS
"""Where reports are written: beside results that lie elsewhere."""
