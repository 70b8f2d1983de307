"""The best rows, against sorting everything."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.lexical.results import LexicalHit, LexicalResult, by_id_where_equal, hits_of, top_rows
from hinny.lexical.syntax import ParsedQuery

# Few different scores, so that many are equal; enough rows for the bound by groups.
SCORES = st.lists(st.sampled_from([0.0, 0.0, 0.25, 0.5, 0.5, 1.5, 2.0]), max_size=400)


def sorted_whole(scores: list[float], good: list[bool], ids: list[str]) -> list[tuple[int, float]]:
    rows = [row for row, fits in enumerate(good) if fits]
    rows.sort(key=lambda row: (-scores[row], ids[row]))
    return [(row, scores[row]) for row in rows]


@given(SCORES, st.integers(0, 30), st.integers(1, 999))
def test_the_best_are_those_of_a_sort(scores: list[float], limit: int, seed: int) -> None:
    names = np.random.default_rng(seed).permutation(len(scores)).tolist()
    ids = [f"d{name:03}" for name in names]
    array = np.array(scores, np.float64)
    expected = sorted_whole(scores, [score > 0 for score in scores], ids)[:limit]
    rows, values = top_rows(array, None, limit, ids)
    assert list(zip(rows, values, strict=True)) == expected
    good = np.array([name % 3 > 0 for name in names], np.bool_)
    rows, values = top_rows(array, good, limit, ids)
    assert list(zip(rows, values, strict=True)) == sorted_whole(scores, good.tolist(), ids)[:limit]


@given(st.integers(1, 2000), st.integers(1, 100), st.integers(0, 999))
def test_the_best_of_different_scores(size: int, limit: int, seed: int) -> None:
    scores = np.random.default_rng(seed).random(size)
    rows, values = top_rows(scores, None, limit, [str(row) for row in range(size)])
    assert rows == np.argsort(-scores)[:limit].tolist()
    assert values == np.sort(scores)[::-1][:limit].tolist()


def test_hits_carry_their_ids() -> None:
    (hit,) = hits_of([1], [0.5], ["a", "b"])
    assert hit == LexicalHit("b", 1, 0.5) and hit.tier is None
    assert type(hit) is LexicalHit


def test_a_result_shares_no_facets_that_could_be_changed() -> None:
    result = LexicalResult((), 0, ParsedQuery("x"))
    assert result.facets == {}
    with pytest.raises(TypeError):
        result.facets["year"] = ()  # type: ignore[index]


def test_rows_with_equal_keys_are_in_the_order_of_their_ids() -> None:
    ids = ["d", "c", "b", "a"]
    keys = [np.array([1, 1, 1, 0]), np.array([5.0, 5.0, 4.0, 4.0])]
    assert by_id_where_equal(np.array([0, 1, 2, 3]), keys, ids) == [1, 0, 2, 3]
    assert by_id_where_equal(np.array([0, 1, 2, 3]), keys[:1], ids) == [2, 1, 0, 3]
    assert by_id_where_equal(np.zeros(0, np.intp), keys, ids) == []
