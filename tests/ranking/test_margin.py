"""The gate before the neural stage: each of its conditions, one by one."""

from __future__ import annotations

import pytest

from hinny.ranking.margin import margin_skip
from hinny.records import Candidate


def rows(*pairs: tuple[str, float]) -> list[Candidate]:
    return [Candidate(id, score) for id, score in pairs]


VECTOR = rows(("v", 0.75), ("w", 0.5), ("x", 0.25))


def test_a_clear_winner_that_lexical_agrees_on_is_skipped_with_its_data() -> None:
    assert margin_skip("v", VECTOR, rows(("v", 9.0), ("x", 3.0)), 0.25) == {
        "action": "skipped",
        "reason": "vector-margin",
        "winner": "v",
        "margin": 0.25,
        "threshold": 0.25,
        "lexical": "agrees",
    }


def test_lexical_without_a_hit_does_not_object() -> None:
    decision = margin_skip("v", VECTOR, [], 0.1)
    assert decision is not None
    assert decision["lexical"] == "empty"


def test_a_lexical_source_that_failed_says_nothing_and_keeps_the_gate_shut() -> None:
    assert margin_skip("v", VECTOR, None, 0.1) is None


def test_lexical_that_disagrees_keeps_the_gate_shut() -> None:
    assert margin_skip("v", VECTOR, rows(("w", 9.0), ("v", 8.0)), 0.1) is None


def test_the_current_winner_must_be_the_vector_winner() -> None:
    assert margin_skip("w", VECTOR, [], 0.1) is None


def test_a_gap_below_the_threshold_does_not_qualify() -> None:
    assert margin_skip("v", VECTOR, [], 0.2500001) is None


@pytest.mark.parametrize("short", [[], rows(("v", 0.9))])
def test_fewer_than_two_hits_establish_no_margin(short: list[Candidate]) -> None:
    assert margin_skip("v", short, [], 0.0) is None


def test_a_list_that_rises_anywhere_does_not_qualify() -> None:
    assert margin_skip("v", rows(("v", 0.9), ("w", 0.1), ("x", 0.2)), [], 0.1) is None


def test_two_hits_are_enough_and_equal_scores_further_down_do_not_rise() -> None:
    assert margin_skip("v", VECTOR[:2], [], 0.25) is not None
    assert margin_skip("v", rows(("v", 0.9), ("w", 0.5), ("x", 0.5)), [], 0.1) is not None
