"""Cascade replacement, by hand."""

from __future__ import annotations

from hinny.ranking.cascade import cascade_replace
from hinny.records import Candidate


def rows(names: str) -> list[Candidate]:
    return [Candidate(name, 1.0 - place / 10) for place, name in enumerate(names)]


def test_the_second_stage_leads_and_the_unmatched_follow_in_the_first_order() -> None:
    assert cascade_replace(rows("abcd"), rows("dc"), keep_unmatched=True) == (list("dcab"), 2)


def test_drop_removes_the_unmatched_tail() -> None:
    assert cascade_replace(rows("abcd"), rows("dc"), keep_unmatched=False) == (list("dc"), 2)


def test_a_second_stage_without_a_match_leaves_the_first_order_or_nothing() -> None:
    assert cascade_replace(rows("ab"), [], keep_unmatched=True) == (["a", "b"], 0)
    assert cascade_replace(rows("ab"), [], keep_unmatched=False) == ([], 0)
