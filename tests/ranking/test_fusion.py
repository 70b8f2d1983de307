"""fuse_rankings: any named lists into one."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import InvalidOption, SourceError
from hinny.ranking.fusion import fuse, fuse_rankings
from hinny.records import Candidate

unique_ids = st.lists(
    st.sampled_from([f"d{n:02}" for n in range(30)] + ["ä", "Z", "𝔞"]), unique=True, max_size=20
)
named_lists = st.dictionaries(st.sampled_from("abcdefgh"), unique_ids, min_size=1, max_size=6)


def oracle(lists: dict[str, list[str]], k: int, weights: dict[str, int]) -> list[tuple[str, Fraction]]:
    """Brute force in exact fractions."""
    total: dict[str, Fraction] = {}
    for name, ids in lists.items():
        for rank, id in enumerate(ids, 1):
            total[id] = total.get(id, Fraction(0)) + Fraction(weights.get(name, 1), k + rank)
    return sorted(total.items(), key=lambda item: (-item[1], item[0]))


def test_an_id_on_which_lists_agree_outranks_one_that_tops_a_single_list() -> None:
    fused = fuse_rankings({"fts": ["solo", "both"], "vector": ["other", "both"]})
    assert [hit.id for hit in fused] == ["both", "other", "solo"]
    assert fused[0].score == pytest.approx(2 / 62)
    assert fused[1].score == fused[2].score == 1 / 61


def test_weights_and_k_are_used_as_stated() -> None:
    fused = fuse_rankings({"lexical": ["a", "b"], "vector": ["b"]}, k=1, weights={"lexical": 3, "vector": 1})
    assert [(hit.id, hit.score) for hit in fused] == [("a", 1.5), ("b", 1.5)]
    assert fused[1].contributions == {"lexical": 1.0, "vector": 0.5}
    assert fused[1].ranks == {"lexical": 2, "vector": 1}


def test_overlap_is_one_hit_and_a_missing_list_adds_zero() -> None:
    fused = fuse_rankings({"x": ["a", "b"], "y": ["b", "c"]})
    assert [hit.id for hit in fused] == ["b", "a", "c"]
    assert fused[1].contributions == {"x": 1 / 61}


def test_ties_go_by_code_points_not_by_letters() -> None:
    # U+FF5A is below U+10400 by code point and above it by UTF-16 unit.
    names = ["b", "B", "\uff5a", "\U00010400", "ä", "a"]
    fused = fuse_rankings({name: [name] for name in names})
    assert [hit.id for hit in fused] == ["B", "a", "b", "ä", "\uff5a", "\U00010400"]


def test_linear_weights_are_divided_by_their_sum() -> None:
    lists = {
        "lexical": [("a", 10.0), ("b", 5.0), ("c", 0.0)],
        "vector": [("c", 0.9), ("b", 0.1)],
    }
    fused = fuse_rankings(lists, method="linear", weights={"lexical": 7, "vector": 3})
    assert {hit.id: hit.score for hit in fused} == pytest.approx({"a": 0.7, "b": 0.35, "c": 0.3})
    assert fused[1].contributions == pytest.approx({"lexical": 0.35, "vector": 0.0})


def test_a_zero_weight_keeps_membership_without_score() -> None:
    for method in ("rrf", "linear"):
        fused = fuse_rankings(
            {"x": [("a", 1.0)], "y": [("b", 2.0), ("a", 1.0)]}, method=method, weights={"y": 0}
        )
        assert [(hit.id, hit.score > 0) for hit in fused] == [("a", True), ("b", False)]


def test_at_least_one_weight_is_positive() -> None:
    with pytest.raises(InvalidOption, match="at least one positive weight"):
        fuse_rankings({"x": ["a"], "y": ["b"]}, weights={"x": 0, "y": 0})


def test_where_only_unweighted_lists_are_left_their_order_counts() -> None:
    rows = [Candidate("z", 2.0), Candidate("a", 1.0)]
    assert fuse({"x": rows}, weights={"x": 0.0, "y": 1.0}).order == ["z", "a"]


def test_a_duplicate_inside_one_list_is_rejected_with_its_name() -> None:
    with pytest.raises(SourceError, match="words: answered the id 'a' twice"):
        fuse_rankings({"words": ["a", "b", "a"]})


def test_sixty_four_lists_are_the_most() -> None:
    assert len(fuse_rankings({f"l{n}": ["a", f"x{n}"] for n in range(64)})) == 65
    with pytest.raises(InvalidOption, match="1 to 64 lists"):
        fuse_rankings({f"l{n}": ["a"] for n in range(65)})
    with pytest.raises(InvalidOption, match="1 to 64 lists"):
        fuse_rankings({})


@pytest.mark.parametrize(
    ("option", "kwargs"),
    [
        ("method", {"method": "borda"}),
        ("k", {"k": -1}),
        ("k", {"k": float("nan")}),
        ("k", {"k": True}),
        ("weights.x", {"weights": {"x": -0.5}}),
        ("weights.x", {"weights": {"x": float("inf")}}),
        ("weights", {"weights": {"typo": 1}}),
        ("weights", {"weights": {"x": 1e308, "y": 1e308}}),
    ],
)
def test_bad_options_are_named(option: str, kwargs: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption) as caught:
        fuse_rankings({"x": ["a"], "y": ["b"]}, **kwargs)
    assert caught.value.option == option


def test_linear_needs_scores() -> None:
    with pytest.raises(SourceError, match="x: answered a str"):
        fuse_rankings({"x": ["a"]}, method="linear")


@given(named_lists, st.integers(0, 100), st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9)))
def test_fusion_agrees_with_exact_fractions(
    lists: dict[str, list[str]], k: int, weights: dict[str, int]
) -> None:
    weights = {name: weight for name, weight in weights.items() if name in lists}
    expected = oracle(lists, k, weights)
    fused = fuse_rankings(lists, k=k, weights=weights)
    assert {hit.id: hit.score for hit in fused} == pytest.approx({id: float(score) for id, score in expected})
    exact = dict(expected)
    for above, below in pairwise(fused):
        # Order may differ from the fractions' only where they are equal to the last bit of a float.
        assert exact[above.id] >= exact[below.id] or above.score == pytest.approx(below.score, rel=1e-14)


@given(named_lists, st.randoms(use_true_random=False))
def test_the_order_in_which_lists_are_given_changes_nothing(lists: dict[str, list[str]], random: Any) -> None:
    names = list(lists)
    random.shuffle(names)
    assert fuse_rankings({name: lists[name] for name in names}) == fuse_rankings(lists)


@given(named_lists)
def test_inputs_are_left_as_they_were(lists: dict[str, list[str]]) -> None:
    before = {name: list(ids) for name, ids in lists.items()}
    fuse_rankings(lists)
    assert lists == before


@given(named_lists)
def test_contributions_add_up_to_the_score(lists: dict[str, list[str]]) -> None:
    for hit in fuse_rankings(lists):
        assert sum(hit.contributions.values()) == pytest.approx(hit.score, rel=1e-12)
        assert set(hit.contributions) == {name for name, ids in lists.items() if hit.id in ids}
