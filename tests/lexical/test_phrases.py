"""The sloppy phrase by its definition: the largest displacement of its words."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hinny.lexical.phrases import SPAN, keys, match, member

TOKENS = st.lists(st.sampled_from("abc"), max_size=8)
FIELDS = st.lists(TOKENS, min_size=1, max_size=5)


def arrays(fields: list[list[str]], phrase: list[str]) -> list[np.ndarray]:
    found = []
    for place, word in enumerate(phrase):
        pairs = [(f, p) for f, field in enumerate(fields) for p, token in enumerate(field) if token == word]
        owners = np.array([owner for owner, _ in pairs], np.int64)
        found.append(keys(owners, np.array([at for _, at in pairs], np.int64), place))
    return found


def displacements(field: list[str], phrase: list[str]) -> list[int]:
    """max(p - r) - min(p - r) for every way to place the words."""
    places = [[at for at, token in enumerate(field) if token == word] for word in phrase]
    shifts = [[p - r for r, p in enumerate(chosen)] for chosen in product(*places)]
    return [max(each) - min(each) for each in shifts]


@given(FIELDS, st.lists(st.sampled_from("abc"), min_size=1, max_size=3), st.integers(0, 4))
def test_a_phrase_stands_where_its_definition_says(
    fields: list[list[str]], phrase: list[str], slop: int
) -> None:
    expected = [
        n for n, field in enumerate(fields) if any(size <= slop for size in displacements(field, phrase))
    ]
    assert match(arrays(fields, phrase), slop).tolist() == expected


def test_two_words_by_hand() -> None:
    fields = [["a", "b"], ["b", "a"], ["a", "x", "b"], ["a"], ["b"]]
    words = arrays(fields, ["a", "b"])
    assert match(words, 0).tolist() == [0]
    assert match(words, 1).tolist() == [0, 2]  # one word between
    assert match(words, 2).tolist() == [0, 1, 2]  # and the other way round


def test_fields_lie_apart_even_for_the_widest_window() -> None:
    words = arrays([["a"], ["b"]], ["a", "b"])
    assert match(words, 1000).tolist() == []
    assert int(words[1][0]) - int(words[0][0]) == SPAN - 1


def test_nothing_is_found_of_no_words() -> None:
    assert match([], 0).size == 0
    assert match([np.array([5]), np.zeros(0, np.int64)], 3).size == 0


@given(st.lists(st.integers(0, 20)), st.lists(st.integers(0, 20), min_size=1))
def test_members(values: list[int], among: list[int]) -> None:
    found = member(np.array(values, np.int64), np.array(sorted(among), np.int64))
    assert found.tolist() == [value in among for value in values]
