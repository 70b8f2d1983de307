from __future__ import annotations

from itertools import combinations
from math import comb, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError
from hinny.lexical.interpolative import BitReader, BitWriter, decode_sets, encode_sets


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def encoded(sets: list[list[int]], universes: list[int]) -> bytes:
    bits = BitWriter()
    numbers = ints(*(number for one in sets for number in one))
    encode_sets(bits, ints(*map(len, sets)), ints(*universes), numbers)
    return bits.bytes()


def decoded(data: bytes, sizes: list[int], universes: list[int]) -> list[int]:
    bits = BitReader(np.frombuffer(data, np.uint8))
    found = decode_sets(bits, ints(*sizes), ints(*universes))
    bits.finish()
    assert found.dtype == np.int64
    return found.tolist()


@st.composite
def some_sets(draw: st.DrawFn) -> tuple[list[list[int]], list[int]]:
    universes = draw(st.lists(st.one_of(st.integers(0, 40), st.integers(0, 2**31)), max_size=6))
    return [
        sorted(draw(st.sets(st.integers(0, universe - 1), max_size=50))) if universe else []
        for universe in universes
    ], universes


@given(some_sets())
def test_sets_come_back(given_sets: tuple[list[list[int]], list[int]]) -> None:
    sets, universes = given_sets
    data = encoded(sets, universes)
    assert decoded(data, list(map(len, sets)), universes) == [n for one in sets for n in one]


@given(st.binary(max_size=40), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 60)), max_size=5))
def test_any_bits_are_sets_or_named_damage(data: bytes, shapes: list[tuple[int, int]]) -> None:
    sizes, universes = [a for a, _ in shapes], [b for _, b in shapes]
    bits = BitReader(np.frombuffer(data, np.uint8))
    try:
        found = decode_sets(bits, ints(*sizes), ints(*universes)).tolist()
    except BundleError:
        return
    at = 0
    for size, universe in shapes:
        one = found[at : at + size]
        assert one == sorted(set(one)) and all(0 <= number < universe for number in one)
        at += size


def test_bits_worked_by_hand() -> None:
    # {2} of 4: two bits. {1, 5} of 8: first 5, the fifth of the 7 numbers from 1 to 7, of which only the last
    # has the code of two bits. Counting goes on from there: 7 is 0, 1 is 1, ..., 5 is 5, and with the code
    # that two bits hold more, 6 = 11 0. Then 1, the second of the 5 numbers from 0 to 4; the last three are
    # 0 to 2 in two bits, 0 is 3 and 1 is 4, and 4 + 3 = 7 = 11 1.
    assert encoded([[2]], [4]) == bytes([0b10_000000])
    assert encoded([[1, 5]], [8]) == bytes([0b110_111_00])


def test_runs_and_full_sets_cost_nothing() -> None:
    assert encoded([list(range(100)), []], [100, 7]) == b""
    assert decoded(b"", [100, 0], [100, 7]) == list(range(100))
    # Of a run, only nodes at its two edges lie in more room than they fill.
    assert len(encoded([list(range(500, 1000))], [100_000])) == 26


def test_every_set_of_a_small_universe_is_near_the_fewest_bits() -> None:
    for size in range(1, 9):
        total = 0
        for one in combinations(range(9), size):
            data = encoded([list(one)] * 8, [9] * 8)
            assert decoded(data, [size] * 8, [9] * 8) == list(one) * 8
            total += len(data)  # eight copies: bytes are the bits of one
        assert total / comb(9, size) < log2(comb(9, size)) + 0.2 * size + 0.3


def test_numbers_of_all_widths() -> None:
    widths = np.arange(33, dtype=np.int64)
    values = (np.int64(1) << widths) - 1
    bits = BitWriter()
    bits.put(values, widths)
    bits.put(values // 3, widths)
    reader = BitReader(np.frombuffer(bits.bytes(), np.uint8))
    assert reader.get(widths).tolist() == values.tolist()
    assert reader.get(widths).tolist() == (values // 3).tolist()
    reader.finish()


def test_missing_and_further_bits_and_impossible_sizes_are_damage() -> None:
    data = encoded([[3, 77, 400]], [1000])
    with pytest.raises(BundleError, match="too early"):
        decoded(data[:-1], [3], [1000])
    with pytest.raises(BundleError, match="longer"):
        decoded(data + b"\0", [3], [1000])
    for sizes, universes in (([5], [4]), ([-1], [4]), ([1], [2**31 + 1])):
        with pytest.raises(BundleError, match="more than there can be"):
            decoded(data, sizes, universes)
