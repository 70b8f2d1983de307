"""The harness of late interaction: a rival that sleeps, one that fails, and what the report says."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from bench.reports import others  # noqa: E402

import late_rivals  # noqa: E402


def test_engines_are_asked_in_turns_and_timed() -> None:
    order: list[str] = []

    async def quick(number: int) -> list[str]:
        order.append("quick")
        return [str(number)]

    async def slow(number: int) -> list[str]:
        order.append("slow")
        await asyncio.sleep(0.005)
        return ["x"]

    times, ids = asyncio.run(late_rivals.ask({"quick": quick, "slow": slow}, 3))
    assert ids == {"quick": [["0"], ["1"], ["2"]], "slow": [["x"], ["x"], ["x"]]}
    assert all(ms >= 5 for ms in times["slow"])
    # One each to warm up, then each goes first as often as the other, or once more.
    assert order[2:6] == ["quick", "slow", "slow", "quick"]
    assert order.count("quick") == order.count("slow") == 1 + 3 * late_rivals.ROUNDS


def test_hinny_ranks_by_maxsim() -> None:
    matrices = [np.eye(8, dtype=np.float32)[rows] for rows in ([0, 1], [2, 3], [1, 2])]
    search, size = late_rivals.ours(["a", "b", "c"], matrices, [np.eye(8, dtype=np.float32)[[2, 3]]])
    assert asyncio.run(search(0))[0] == "b"
    assert size > 0


def test_the_report_says_what_is_missing() -> None:
    assert "pip install fast-plaid" in others.late({})
    found = {
        "set": "cranfield",
        "questions": 2,
        "tokens": 1000,
        "dimensions": 64,
        "documents": 3,
        "rows": {
            "hinny": {
                "median": 2.0,
                "ndcg10": 0.3,
                "overlap10": 1.0,
                "bytes": 2048,
                "build_ms": 9.0,
                "ratio": 1.0,
            },
            "fast-plaid": {"failed": "No module named 'torch'"},
        },
    }
    shown = others.late(found)
    assert "failed: No module named 'torch'" in shown
    assert "1,000 token vectors" in shown
    assert late_rivals.flat(found) == {
        "late_hinny_median": 2.0,
        "late_hinny_ndcg10": 0.3,
        "late_hinny_bytes": 2048.0,
        "late_hinny_build_ms": 9.0,
        "late_hinny_ratio": 1.0,
    }
