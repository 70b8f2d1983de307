from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError, InvalidInput
from hinny.lexical.codec import (
    Strings,
    common_prefix,
    get_uints,
    put_strings,
    put_uints,
)

NUMBERS = st.one_of(st.integers(0, 300), st.integers(16_000, 17_000), st.integers(0, 2**32 - 1))


@given(st.lists(NUMBERS))
def test_numbers_come_back(values: list[int]) -> None:
    arrays: dict = {}
    put_uints(arrays, "n", np.array(values, np.int64))
    assert get_uints(arrays, "n").tolist() == values


def test_a_number_takes_one_byte_below_192_and_two_below_16320() -> None:
    arrays: dict = {}
    put_uints(arrays, "n", np.array([0, 191, 192, 16_319, 16_320]))
    assert arrays["n.first"].tolist() == [0, 191, 192, 254, 255]
    assert arrays["n.low"].tolist() == [0, 255]
    assert arrays["n.wide"].tolist() == [16_320]


@pytest.mark.parametrize("value", [-1, 2**32])
def test_a_number_out_of_range_is_refused(value: int) -> None:
    with pytest.raises(InvalidInput, match="n: a number"):
        put_uints({}, "n", np.array([value]))


def test_streams_that_do_not_fit_together_are_damage() -> None:
    arrays: dict = {}
    put_uints(arrays, "n", np.array([200, 300]))
    arrays["n.low"] = arrays["n.low"][:1]
    with pytest.raises(BundleError, match="fit together"):
        get_uints(arrays, "n")
    with pytest.raises(BundleError, match="lacks the array 'm'"):
        get_uints(arrays, "m")


@given(st.lists(st.text()))
def test_texts_come_back(strings: list[str]) -> None:
    arrays: dict = {}
    put_strings(arrays, "t", strings)
    stored = Strings(arrays, "t")
    assert stored.tolist() == strings
    assert [stored[row] for row in range(len(stored))] == strings
    with pytest.raises(IndexError):
        stored[len(strings)]


def test_prefixes_are_counted_up_to_255() -> None:
    assert common_prefix("abc", "abd") == 2
    assert common_prefix("", "a") == 0
    assert common_prefix("x" * 300, "x" * 300) == 255
