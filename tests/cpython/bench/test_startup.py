"""Ratios of start-up, from visits made by hand."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from startup import figures  # noqa: E402


def test_a_ratio_is_the_median_of_the_rounds_own() -> None:
    rounds = [
        {"hinny": [100.0, 40.0, 60.0], "plain": [400.0, 100.0, 100.0]},
        {"hinny": [900.0, 300.0, 300.0], "plain": [1000.0, 1000.0, 200.0]},  # a busy one
        {"hinny": [100.0, 50.0, 50.0], "plain": [200.0, 100.0, 150.0]},
    ]
    found = figures(rounds)
    # Cold: 0.25, 0.9, 0.5. Warm: 50/100, 300/600, 50/125.
    assert found["startup_ratio_cold"] == 0.5
    assert (found["startup_ratio_cold_least"], found["startup_ratio_cold_largest"]) == (0.25, 0.9)
    assert found["startup_ratio_warm"] == 0.5
    assert found["startup_ratio_warm_least"] == 0.4
    assert found["startup_cold_hinny_ms"] == 100.0
    assert found["startup_warm_plain_ms"] == 125.0
    assert found["startup_rounds"] == 3
