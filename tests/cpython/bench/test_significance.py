"""Intervals and p values: known cases, small ones counted out, and the same each time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from bench.eval.significance import compare, compare_many


def test_no_difference_is_no_difference() -> None:
    values = np.array([0.2, 0.9, 0.4])
    found = compare(values, values)
    assert (found.difference, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)
    assert not found.significant


def test_the_p_value_is_that_of_all_signs() -> None:
    differences = np.array([0.3, 0.1, -0.05, 0.2, 0.15, 0.02, -0.1, 0.4])
    means = [
        abs(float(np.dot(signs, differences)))
        for signs in itertools.product((-1, 1), repeat=len(differences))
    ]
    exact = float(np.mean([mean >= abs(differences.sum()) - 1e-12 for mean in means]))
    found = compare(differences, np.zeros(len(differences)))
    assert found.p == pytest.approx(exact, abs=0.01)


def test_the_interval_is_near_the_normal_one() -> None:
    rng = np.random.default_rng(5)
    differences = rng.normal(0.03, 0.2, 400)
    found = compare(differences + 0.5, np.full(400, 0.5))
    error = float(differences.std()) / 20
    assert found.difference == pytest.approx(float(differences.mean()))
    assert found.low == pytest.approx(found.difference - 1.96 * error, abs=0.002)
    assert found.high == pytest.approx(found.difference + 1.96 * error, abs=0.002)


def test_a_clear_gain_is_significant_and_a_rare_one_is_not() -> None:
    base = np.zeros(100)
    assert compare(base + 0.1, base).significant
    rare = base.copy()
    rare[0] = 1.0
    assert not compare(rare, base).significant


def test_the_same_each_time_and_alone_as_together() -> None:
    rng = np.random.default_rng(9)
    values, base = rng.random((50, 3)), rng.random(50)
    together = compare_many(values, base)
    assert together == compare_many(values, base)
    alone = compare(values[:, 1], base)
    assert alone.p == together[1].p
    assert (alone.low, alone.high) == pytest.approx((together[1].low, together[1].high))
    assert compare(values[:, 1], base, seed=1).low != alone.low


def test_numbers_that_do_not_belong_together() -> None:
    with pytest.raises(ValueError, match="3 questions against 2"):
        compare(np.zeros(3), np.zeros(2))
    with pytest.raises(ValueError, match="no question"):
        compare(np.zeros(0), np.zeros(0))
