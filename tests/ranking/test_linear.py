"""Min-max normalised scores, by hand."""

from __future__ import annotations

import sys

import pytest

from hinny.errors import SourceError
from hinny.ranking.linear import linear_terms
from hinny.records import Candidate


def rows(*scores: float) -> list[Candidate]:
    return [Candidate(f"d{place}", score) for place, score in enumerate(scores)]


def test_the_list_is_stretched_to_zero_and_one_and_weighed() -> None:
    assert linear_terms("s", rows(9.0, 7.0, 5.0), weight=0.5) == {"d0": 0.5, "d1": 0.25, "d2": 0.0}


def test_negative_scores_are_stretched_the_same_way() -> None:
    assert linear_terms("s", rows(-1.0, -3.0), weight=1.0) == {"d0": 1.0, "d1": 0.0}


@pytest.mark.parametrize("constant", [[4.0], [2.0, 2.0, 2.0], [0.0, 0.0]])
def test_a_constant_list_gives_every_hit_one(constant: list[float]) -> None:
    assert set(linear_terms("s", rows(*constant), weight=0.7).values()) == {0.7}


def test_scores_that_rise_are_rejected_with_the_source_and_the_place() -> None:
    with pytest.raises(SourceError, match=r"words: .*rank 3 \(5\.0\) is above rank 2 \(4\.0\)"):
        linear_terms("words", rows(6.0, 4.0, 5.0), weight=1.0)
    with pytest.raises(SourceError, match="rank 2"):
        linear_terms("words", rows(4.0, 5.0), weight=1.0)


def test_an_empty_list_adds_nothing() -> None:
    assert linear_terms("s", [], weight=1.0) == {}


def test_the_largest_and_smallest_numbers_do_not_overflow() -> None:
    big = sys.float_info.max
    assert linear_terms("s", rows(big, 0.0, -big), weight=1.0) == {"d0": 1.0, "d1": 0.5, "d2": 0.0}
    tiny = linear_terms("s", rows(5e-324, 0.0), weight=1.0)
    assert tiny == {"d0": 1.0, "d1": 0.0}
