"""Weak-lexical promotion: its parts, by hand."""

from __future__ import annotations

import pytest

from hinny.ranking.options import WeakLexicalOptions
from hinny.ranking.weak_lexical import decide, early_reason, promote_first, unavailable, vector_gap
from hinny.records import Candidate
from support import run

LEXICAL = [Candidate("l", 9.0)]
VECTOR = [Candidate("v", 0.75), Candidate("w", 0.5), Candidate("x", 0.25)]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"fusion": False}, "strategy"),
        ({"lexical": []}, "no-candidates"),
        ({"vector": []}, "no-candidates"),
        ({"lexical": [Candidate("v", 3.0)]}, "same-first-hit"),
        ({"supported": False}, "unsupported"),
        ({}, None),
    ],
)
def test_why_the_rule_cannot_be_applied(change: dict[str, object], reason: str | None) -> None:
    given = {"fusion": True, "lexical": LEXICAL, "vector": VECTOR, "supported": True, **change}
    assert early_reason(**given) == reason  # type: ignore[arg-type]
    assert unavailable("no-words") == {"action": "unavailable", "reason": "no-words"}


async def knows_nothing(id: str) -> float | None:
    return None


def test_the_gap_comes_from_the_candidates_when_the_hit_is_among_them() -> None:
    async def must_not_be_asked(id: str) -> float | None:
        raise AssertionError(id)

    assert run(vector_gap("x", VECTOR, must_not_be_asked)) == (0.5, False)


def test_else_from_an_exact_rescore() -> None:
    async def rescored(id: str) -> float | None:
        assert id == "l"
        return -0.25

    assert run(vector_gap("l", VECTOR, rescored)) == (1.0, False)


def test_else_the_last_candidate_bounds_it() -> None:
    assert run(vector_gap("l", VECTOR, knows_nothing)) == (0.5, True)


@pytest.mark.parametrize(
    ("share", "gap", "action"),
    [(0.19, 0.16, "promoted"), (0.2, 0.16, "kept"), (0.19, 0.15, "kept"), (1.0, 0.0, "kept")],
)
def test_both_thresholds_must_be_passed(share: float, gap: float, action: str) -> None:
    decision = decide("l", "v", share, gap, True, WeakLexicalOptions(0.2, 0.15))
    assert decision == {
        "action": action,
        "lexical": "l",
        "vector": "v",
        "share": share,
        "gap": gap,
        "gap_bound": True,
    }


def test_the_promoted_hit_stands_behind_exact_matches_and_others_keep_their_order() -> None:
    assert promote_first(list("abcv"), "v", ()) == list("vabc")
    assert promote_first(list("EFabv"), "v", {"E", "F"}) == list("EFvab")
    assert promote_first(list("EvF"), "E", {"E"}) == list("EvF")
