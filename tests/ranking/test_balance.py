"""Source coverage, by hand and by its laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import PolicyConflict
from hinny.ranking.balance import balance, reserve


def test_each_sources_best_available_candidate_is_reserved() -> None:
    sources = {"lexical": list("abc"), "vector": list("xyz")}
    assert reserve(list("abcxyz"), sources, {"lexical": 1, "vector": 2}) == {
        "a": ["lexical"],
        "x": ["vector"],
        "y": ["vector"],
    }


def test_overlap_counts_toward_both() -> None:
    sources = {"lexical": ["a", "b"], "vector": ["a", "c"]}
    assert reserve(list("abc"), sources, {"lexical": 1, "vector": 1}) == {"a": ["lexical", "vector"]}


def test_what_the_order_no_longer_holds_is_not_available() -> None:
    assert reserve(["b", "c"], {"lexical": list("abc")}, {"lexical": 1}) == {"b": ["lexical"]}


def test_a_short_source_reserves_what_it_has_and_an_unnamed_one_nothing() -> None:
    assert reserve(list("ab"), {"lexical": ["a"], "vector": ["b"]}, {"lexical": 3}) == {"a": ["lexical"]}


def test_a_reserved_candidate_takes_the_place_of_the_lowest_unreserved_one() -> None:
    assert balance(list("abcdefg"), {"a", "g"}, window=5) == list("abcdgef")


def test_an_order_that_covers_already_is_left_alone() -> None:
    assert balance(list("abcdefg"), {"a", "e"}, window=5) == list("abcdefg")


def test_exact_matches_stay_ahead_of_what_is_moved_up() -> None:
    assert balance(list("EFabcdz"), {"a", "z"}, window=4, ahead={"E", "F"}) == list("EFazbcd")


def test_a_conflict_with_exact_matches_is_raised() -> None:
    with pytest.raises(PolicyConflict, match=r"window of 3 behind 3 exact"):
        balance(list("EFGaz"), {"z"}, window=3, ahead={"E", "F", "G"})


def test_a_reserved_exact_match_moves_up_among_the_exact_ones() -> None:
    assert balance(list("EFGa"), {"G"}, window=2, ahead={"E", "F", "G"}) == list("EGFa")


@given(
    st.lists(st.integers(0, 40).map(str), unique=True, max_size=40),
    st.integers(1, 12),
    st.data(),
)
def test_laws_of_coverage(order: list[str], window: int, data: st.DataObject) -> None:
    lead = data.draw(st.integers(0, len(order)))
    ahead = set(order[:lead])
    reserved = data.draw(st.sets(st.sampled_from(order), max_size=window)) if order else set()
    others = reserved - ahead
    if others and len(ahead) + len(others) > window and reserved - set(order[:window]):
        with pytest.raises(PolicyConflict):
            balance(order, reserved, window=window, ahead=ahead)
        return
    balanced = balance(order, reserved, window=window, ahead=ahead)
    assert sorted(balanced) == sorted(order)
    assert reserved <= set(balanced[:window])
    assert set(balanced[:lead]) == ahead
    moved = reserved - set(order[:window])
    left = [id for id in balanced if id not in moved]
    assert left[: window - len(moved)] == [id for id in order[:window] if id in left[: window - len(moved)]]
    assert balance(balanced, reserved, window=window, ahead=ahead) == balanced
