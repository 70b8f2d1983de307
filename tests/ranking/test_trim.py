"""min_score and drop-off, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.ranking.trim import dropoff_cut, trim

SCORES = {"a": 1.0, "b": 0.9, "c": 0.3, "d": 0.2}


def test_the_cut_is_at_the_largest_relative_drop() -> None:
    # Relative drops: 0.1, 2/3, 1/3.
    assert dropoff_cut([1.0, 0.9, 0.3, 0.2]) == 2
    # The largest absolute drop is the first; the largest relative one the last.
    assert dropoff_cut([10.0, 6.0, 1.0]) == 2
    assert dropoff_cut([10.0, 6.0, 5.0, 0.5]) == 3


def test_the_first_of_equal_drops_counts() -> None:
    assert dropoff_cut([8.0, 4.0, 2.0, 1.0]) == 1


@pytest.mark.parametrize("flat", [[], [1.0], [2.0, 2.0, 2.0], [0.0, 0.0], [0.0, -1.0], [-1.0, -2.0]])
def test_a_list_without_a_drop_is_left_whole(flat: list[float]) -> None:
    assert dropoff_cut(flat) == len(flat)


def test_a_drop_that_is_smaller_than_asked_does_not_cut() -> None:
    assert dropoff_cut([1.0, 0.9, 0.3], least=0.7) == 3
    assert dropoff_cut([1.0, 0.9, 0.3], least=0.6) == 2
    assert dropoff_cut([1.0, 0.5], least=0.5) == 1


def test_min_score_keeps_what_reaches_it() -> None:
    assert trim("abcd", SCORES, 0.3, False) == list("abc")


def test_both_trim_together_and_neither_trims_nothing() -> None:
    assert trim("abcd", SCORES, 0.25, True) == list("ab")
    assert trim("abcd", SCORES, None, 0.9) == list("abcd")
    assert trim("abcd", SCORES, None, False) == list("abcd")


@given(st.lists(st.floats(-5, 5), max_size=20))
def test_something_always_stays_of_something(scores: list[float]) -> None:
    cut = dropoff_cut(scores)
    assert (cut == 0) == (not scores)
    assert cut <= len(scores)
