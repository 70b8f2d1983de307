"""The metrics of `make eval`: worked by hand, and beside trec_eval's own."""

from __future__ import annotations

from math import log2

import pytest
import pytrec_eval
from bench.eval.metrics import METRICS, measure, ndcg, recall, reciprocal_rank
from hypothesis import given
from hypothesis import strategies as st

GAINS = {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2}
"""Järvelin and Kekäläinen's example, without the three documents past the sixth."""


def test_ndcg_of_a_worked_example() -> None:
    found = 3 + 2 / log2(3) + 3 / 2 + 0 + 1 / log2(6) + 2 / log2(7)
    ideal = 3 + 3 / log2(3) + 2 / 2 + 2 / log2(5) + 1 / log2(6)
    assert found == pytest.approx(6.861, abs=5e-4)
    assert ideal == pytest.approx(7.141, abs=5e-4)
    assert ndcg(list("abcdef"), GAINS) == pytest.approx(found / ideal)


def test_ndcg_knows_what_was_not_found() -> None:
    assert ndcg(["a"], {"a": 1, "b": 1}) == pytest.approx(1 / (1 + 1 / log2(3)))
    assert ndcg(["x", "a"], {"a": 1}) == pytest.approx(1 / log2(3))
    assert ndcg([f"x{n}" for n in range(10)] + ["a"], {"a": 1}) == 0.0
    assert ndcg(["a"], {"a": 0}) == 0.0


def test_gains_count_as_they_are() -> None:
    """Linear, so 2 is worth two of 1, not three."""
    assert ndcg(["b", "a"], {"a": 2, "b": 1}) == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))


def test_a_gain_below_nothing_is_nothing() -> None:
    assert ndcg(["b", "a"], {"a": 1, "b": -1}) == pytest.approx(1 / log2(3))
    assert reciprocal_rank(["b", "a"], {"a": 1, "b": -1}) == 0.5
    assert recall(["b"], {"a": 1, "b": -1}, 1) == 0.0


def test_the_reciprocal_rank_is_of_the_first_relevant_one_within_ten() -> None:
    assert reciprocal_rank(["x", "y", "a", "b"], {"a": 1, "b": 3}) == 1 / 3
    assert reciprocal_rank([*"0123456789", "a"], {"a": 1}) == 0.0


def test_recall_is_of_all_relevant_documents() -> None:
    gains = {"a": 1, "b": 2, "c": 1, "d": 0}
    assert recall(["a", "d", "b"], gains, 1) == pytest.approx(1 / 3)
    assert recall(["a", "d", "b"], gains, 5) == pytest.approx(2 / 3)
    assert recall([], gains, 5) == 0.0
    assert recall(["a"], {}, 5) == 0.0


IDS = [f"d{n:03}" for n in range(120)]
THEIRS = ("ndcg_cut_10", "recip_rank", "recall_1", "recall_5", "recall_100")


@given(
    st.lists(st.sampled_from(IDS), unique=True, min_size=1, max_size=110),
    st.dictionaries(st.sampled_from(IDS), st.integers(0, 4), min_size=1, max_size=30),
)
def test_trec_eval_says_the_same(ranked: list[str], gains: dict[str, int]) -> None:
    # trec_eval orders by score and breaks ties itself, so every rank has a score of its own.
    scores = {id: float(len(ranked) - rank) for rank, id in enumerate(ranked)}
    judge = pytrec_eval.RelevanceEvaluator({"q": gains}, {"ndcg_cut.10", "recall.1,5,100", "recip_rank"})
    theirs = judge.evaluate({"q": scores})["q"]
    ours = dict(zip(METRICS, measure(ranked, gains), strict=True))
    for name, their_name in zip(METRICS, THEIRS, strict=True):
        expected = theirs[their_name]
        if name == "mrr10" and expected < 1 / 10:
            expected = 0.0  # theirs has no depth
        assert ours[name] == pytest.approx(expected, abs=1e-6), name
