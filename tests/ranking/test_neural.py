"""The neural stage's order and scores, by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.ranking.neural import join_neural
from hinny.records import Candidate


def neural(names: str) -> list[Candidate]:
    return [Candidate(name, 10.0 - place) for place, name in enumerate(names)]


def test_rrf_joins_both_rankings_once_each() -> None:
    joined = join_neural(list("abcd"), neural("cba"), method="rrf", k=60, weight=1)
    # a: 1/61 + 1/63, b: 1/62 + 1/62, c: 1/63 + 1/61; a and c tie above b, a was ahead.
    assert joined.order == list("acbd")
    assert joined.scores["b"] == pytest.approx(2 / 62)
    assert joined.scores["a"] == joined.scores["c"] == pytest.approx(1 / 61 + 1 / 63)
    assert joined.contributions["c"] == {"current": 1 / 63, "neural": 1 / 61}
    assert "d" not in joined.scores


def test_replace_takes_the_raw_neural_order_and_scores() -> None:
    joined = join_neural(list("abcd"), neural("ba"), method="replace", k=60, weight=1)
    assert joined.order == list("bacd")
    assert joined.scores == {"b": 10.0, "a": 9.0}
    assert joined.contributions == {}


def test_the_preset_weight_cannot_displace_the_first_hit() -> None:
    # k = 1, weight 1/4: the first keeps at least 1/2, any other has at most 1/3 + 1/8 = 11/24.
    k, weight = 1, Fraction(1, 4)
    most = max(Fraction(1, k + rank) + weight / (k + 1) for rank in range(2, 26))
    assert Fraction(1, k + 1) == Fraction(1, 2)
    assert most == Fraction(11, 24)
    for order in permutations("abcde"):
        joined = join_neural(list("abcde"), neural("".join(order)), method="rrf", k=1, weight=0.25)
        assert joined.order[0] == "a"
        assert joined.scores["a"] > 1 / 2
        assert all(joined.scores[id] <= 11 / 24 for id in "bcde")


def test_the_preset_weight_can_change_lower_ranks() -> None:
    order = [f"d{n:02}" for n in range(25)]
    reverse = [Candidate(id, float(n)) for n, id in reversed(list(enumerate(order)))]
    joined = join_neural(order, reverse, method="rrf", k=1, weight=0.25)
    assert joined.order[0] == "d00"
    assert joined.order != order


@given(st.permutations([f"d{n}" for n in range(8)]), st.integers(0, 8), st.sampled_from(["rrf", "replace"]))
def test_only_the_prefix_is_reordered(shuffled: list[str], size: int, method: str) -> None:
    order = [f"d{n}" for n in range(8)]
    prefix = [id for id in shuffled if id in order[:size]]
    rows = [Candidate(id, 1.0 - place / 10) for place, id in enumerate(prefix)]
    joined = join_neural(order, rows, method=method, k=60, weight=1)  # type: ignore[arg-type]
    assert joined.order[size:] == order[size:]
    assert sorted(joined.order) == order
