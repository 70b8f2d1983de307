"""Exact promotion of an order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hinny.ranking.exact import promote_exact


def test_literal_matches_lead_and_both_parts_keep_their_order() -> None:
    assert promote_exact(list("abcde"), {"d", "b"}) == list("bdace")


def test_without_a_literal_match_the_order_is_a_copy() -> None:
    order = ["a", "b"]
    promoted = promote_exact(order, set())
    assert promoted == order
    assert promoted is not order


@given(st.lists(st.integers(0, 30).map(str), unique=True), st.sets(st.integers(0, 30).map(str)))
def test_promotion_is_a_stable_partition(order: list[str], literal: set[str]) -> None:
    promoted = promote_exact(order, literal)
    cut = len(set(order) & literal)
    assert promoted[:cut] == [id for id in order if id in literal]
    assert promoted[cut:] == [id for id in order if id not in literal]
    assert promote_exact(promoted, literal) == promoted
