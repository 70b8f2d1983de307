"""Reciprocal rank fusion, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hinny.ranking.rrf import DEFAULT_K, rrf_terms


def test_each_term_is_weight_over_k_plus_rank_from_one() -> None:
    terms = rrf_terms(["a", "b", "c"], k=1, weight=3)
    assert terms == {"a": 3 / 2, "b": 1.0, "c": 3 / 4}


def test_the_default_constant_is_sixty() -> None:
    assert DEFAULT_K == 60
    assert rrf_terms(["a", "b"]) == {"a": 1 / 61, "b": 1 / 62}


def test_k_may_be_zero() -> None:
    assert rrf_terms(["a", "b", "c"], k=0) == {"a": 1.0, "b": 0.5, "c": pytest.approx(1 / 3)}


def test_an_empty_list_adds_nothing() -> None:
    assert rrf_terms([]) == {}


def test_two_firsts_outrank_nothing_but_equal_the_fraction() -> None:
    # 1/61 + 1/62 = 123/3782, the textbook pair of a first and a second rank.
    total = rrf_terms(["a", "b"])["a"] + rrf_terms(["b", "a"])["a"]
    assert total == pytest.approx(float(Fraction(123, 3782)), rel=1e-15)
