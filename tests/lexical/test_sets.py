from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError, InvalidInput
from hinny.lexical.sets import BlockReader, BlockWriter

SMALL = st.lists(st.one_of(st.integers(0, 5), st.integers(0, 2**32 - 1)), max_size=40)


def block(writer: BlockWriter) -> BlockReader:
    return BlockReader(np.frombuffer(writer.bytes(), np.uint8))


def numbers_bytes(values: np.ndarray, steps: int) -> int:
    writer = BlockWriter()
    writer.put_numbers(values, steps)
    return len(writer.bytes())


@given(SMALL, SMALL, st.integers(0, 6), st.sets(st.integers(0, 99)), st.lists(st.integers(0, 31)))
def test_a_block_gives_back_what_was_put(
    first: list[int], second: list[int], steps: int, members: set[int], digits: list[int]
) -> None:
    writer = BlockWriter()
    writer.put_numbers(np.array(first, np.int64), steps)
    writer.put_set(100, np.array(sorted(members), np.int64))
    writer.put_own_numbers(np.array(second, np.int64), 2)
    writer.put_number(70_000)
    writer.put_digits(np.array(digits, np.int64), 5)
    reader = block(writer)
    numbers, one, own = reader.numbers(len(first), steps), reader.set(100), reader.own_numbers(2)
    assert reader.number() == 70_000
    reader.read()
    assert reader.take_numbers(numbers).tolist() == first
    assert reader.take(one).tolist() == sorted(members)
    assert reader.take_numbers(own).tolist() == second
    assert reader.digits(len(digits), 5).tolist() == digits
    reader.finish()


@given(st.binary(max_size=60), st.integers(0, 40), st.integers(0, 6))
def test_any_bytes_are_numbers_or_named_damage(data: bytes, count: int, steps: int) -> None:
    reader = BlockReader(np.frombuffer(data, np.uint8))
    try:
        own, numbers, one = reader.own_numbers(3), reader.numbers(count, steps), reader.set(50)
        reader.read()
        found = reader.take_numbers(own), reader.take_numbers(numbers), reader.take(one)
        reader.finish()
    except BundleError:
        return
    assert found[1].size == count and all(part.min(initial=0) >= 0 for part in found)
    assert found[2].max(initial=0) < 50


def test_many_sets_at_once() -> None:
    writer = BlockWriter()
    sizes, universes = np.array([2, 0, 3]), np.array([9, 5, 3])
    writer.put_sets(sizes, universes, np.array([4, 8, 0, 1, 2]))
    reader = block(writer)
    handle = reader.sets(sizes, universes)
    reader.read()
    assert reader.take(handle).tolist() == [4, 8, 0, 1, 2]


def test_a_large_set_is_kept_by_what_it_lacks() -> None:
    members = np.array([n for n in range(1000) if n != 700], np.int64)
    writer = BlockWriter()
    writer.put_set(1000, members)
    assert len(writer.bytes()) == 2 + 2  # the size, and ten bits
    reader = block(writer)
    one = reader.set(1000)
    assert (one.size, one.stop - one.start) == (999, 1)
    reader.read()
    assert reader.take(one).tolist() == members.tolist()


def test_like_numbers_together_take_fewer_bits() -> None:
    numbers = np.repeat([0, 1, 5], 1000).astype(np.int64)
    mixed = numbers.reshape(3, -1).T.reshape(-1)
    assert numbers_bytes(numbers, 8) < 40 < numbers_bytes(mixed, 8)


@pytest.mark.parametrize("value", [-1, 1 << 32])
def test_a_number_out_of_range_is_refused(value: int) -> None:
    with pytest.raises(InvalidInput, match="does not fit"):
        BlockWriter().put_numbers(np.array([value], np.int64), 1)


def test_sizes_that_cannot_be_are_damage() -> None:
    with pytest.raises(BundleError, match="another kind"):
        BlockReader(np.zeros(3, np.int64))
    with pytest.raises(BundleError, match="damaged in its sizes"):
        BlockReader(np.array([200], np.uint8)).number()
    with pytest.raises(BundleError, match="damaged in its sizes"):
        BlockReader(np.full(9, 255, np.uint8)).number()
    with pytest.raises(BundleError, match="damaged in its sizes"):
        BlockReader(np.array([9], np.uint8)).set(8)
    for count in (-1, 1 << 40):
        with pytest.raises(BundleError, match="more than there can be"):
            BlockReader(np.array([0], np.uint8)).numbers(count, 1)
    with pytest.raises(BundleError, match="more than there can be"):
        BlockReader(np.zeros(1, np.uint8)).sets(np.array([1 << 30]), np.array([1 << 31]))
