"""What a custom backend may answer."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest

from hinny.errors import SourceError
from hinny.ranking.checks import check_candidates, check_ids, check_permutation
from hinny.records import Candidate


def test_good_rows_come_back_in_a_list_of_their_own() -> None:
    rows = (Candidate("a", 2.0), Candidate("b", 1.0))
    checked = check_candidates("s", rows, limit=2, ids={"a", "b"})
    assert checked == list(rows)


def test_pairs_and_other_number_types_become_candidates_with_floats() -> None:
    rows = [("a", 2), Candidate("b", np.float32(0.5), tier="t", payload={"x": 1})]  # type: ignore[arg-type]
    checked = check_candidates("s", rows)
    assert checked == [Candidate("a", 2.0), Candidate("b", 0.5, "t", {"x": 1})]
    assert [type(row.score) for row in checked] == [float, float]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (None, "answered NoneType, not a sequence"),
        ("ab", "answered str, not a sequence"),
        ({"a": 1.0}, "answered dict"),
        ([("a", 1.0), ("b", 1.0), ("c", 1.0)], "answered 3 candidates, asked for at most 2"),
        ([("a", 1.0), ("a", 0.5)], "the id 'a' twice"),
        ([("z", 1.0)], "'z', which is out of scope"),
        ([("a", nan)], "score nan for 'a': not finite"),
        ([("a", -inf)], "score -inf for 'a': not finite"),
        ([("a", 10**400)], "not a number"),
        ([("a", "high")], "score 'high' for 'a': not a number"),
        ([("a", None)], "not a number"),
        ([("a", True)], "not a number"),
        ([(7, 1.0)], "the id 7, which is no string"),
        ([5], "answered a int"),
        ([("a", 1.0, 2.0)], "answered a tuple"),
    ],
)
def test_bad_rows_are_an_error_that_names_the_source(rows: Any, problem: str) -> None:
    with pytest.raises(SourceError, match="words: ") as caught:
        check_candidates("words", rows, limit=2, ids={"a", "b", "c"})
    assert problem in str(caught.value)
    assert caught.value.source == "words"


def test_a_permutation_holds_every_id_once_and_does_not_rise() -> None:
    rows = [Candidate("b", 1.0), Candidate("a", 1.0)]
    assert check_permutation("rerank", rows, ["a", "b"]) == rows
    for bad in ([], rows[:1], [Candidate("b", 0.0), Candidate("a", 1.0)], [*rows, Candidate("c", 0.0)]):
        with pytest.raises(SourceError):
            check_permutation("rerank", bad, ["a", "b"])


def test_id_lists_are_held_to_the_same_rules() -> None:
    assert check_ids("exact", ("a", "b"), limit=2) == ["a", "b"]
    for bad in ("ab", None, ["a", "a"], ["a", "b", "c"], [1]):
        with pytest.raises(SourceError, match="exact: "):
            check_ids("exact", bad, limit=2)
