"""Vectors that are made, and what is counted of answers."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from vector_rivals import flat, made, overlap  # noqa: E402


def test_made_vectors_are_unit_rows_the_same_every_time() -> None:
    work, vectors, asked = made(20, dim=16)
    assert vectors.shape == (5000, 16)
    assert asked.shape == (20, 16)
    np.testing.assert_allclose(np.linalg.norm(np.concatenate([vectors, asked]), axis=1), 1, atol=1e-6)
    _, again, _ = made(20, dim=16)
    np.testing.assert_array_equal(vectors, again)
    # Most questions lie nearest to the vector that they come from.
    nearest = (asked @ vectors.T).argmax(axis=1)
    right = [f"d{row}" in gains for row, gains in zip(nearest, work.judged, strict=True)]
    assert sum(right) > 10


def test_overlap_is_with_the_exact_ten() -> None:
    exact = [{"a", "b"}, {"c", "d"}, {"e", "f"}]
    assert overlap([["a", "x"], None, ["f", "e"]], exact) == 0.75


def test_figures_have_the_engines_short_names() -> None:
    value = {"median": 2.0, "overlap10": 1.0, "ndcg10": 0.6, "beside": {"ratio": [0.5, 0.4, 0.6]}}
    failed = {"index": {"failed": "no"}, "vectors": {"failed": "no"}}
    found = flat({"vector-voy": {"index": {"gz": 9}, "vectors": value}, "vector-edgevec": failed})
    assert found == {
        "vectors_ms_voy": 2.0,
        "vectors_overlap10_voy": 1.0,
        "vectors_ndcg10_voy": 0.6,
        "vectors_gz_voy": 9,
        "vectors_vs_voy": 0.5,
    }
