from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import InputTooLong
from hinny.models.batching import batches, fit, pad, padded


def test_a_text_that_fits_is_left_as_it_is():
    ids = [1, 10, 2]
    assert fit(ids, 3, truncate=False) is ids


def test_a_long_text_loses_its_end_but_not_the_last_special_token():
    assert fit([1, 10, 11, 12, 2], 4, truncate=True) == [1, 10, 11, 2]
    assert fit([1, 10, 11, 12], 3, truncate=True, ending=0) == [1, 10, 11]


def test_a_long_text_is_an_error_with_length_and_limit_when_truncation_is_off():
    with pytest.raises(InputTooLong, match="text 3 has 5 tokens, the model takes 4") as caught:
        fit([1, 10, 11, 12, 2], 4, truncate=False, what="text 3")
    assert (caught.value.length, caught.value.limit) == (5, 4)


def test_batches_go_from_short_to_long_and_keep_within_their_cells():
    # Two rows of 2 are 4 cells; with the row of 3 they would be 9; the row of 9 is alone whatever happens.
    assert list(batches([2, 9, 2, 3], cells=6)) == [[0, 2], [3], [1]]
    assert list(batches([1, 1, 1], rows=2)) == [[0, 1], [2]]
    assert list(batches([])) == []


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 60), st.integers(1, 5))
def test_every_row_is_in_one_batch(lengths: list[int], cells: int, rows: int):
    groups = list(batches(lengths, cells=cells, rows=rows))
    assert sorted(row for group in groups for row in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) <= rows
        assert len(group) == 1 or len(group) * max(lengths[row] for row in group) <= cells


def test_padding_fills_on_the_right_and_the_mask_says_where():
    ids, mask = pad([[1, 2], [3]], 9)
    np.testing.assert_array_equal(ids, np.array([[1, 2], [3, 9]], dtype=np.int64))
    np.testing.assert_array_equal(mask, np.array([[1, 1], [1, 0]], dtype=np.int64))
    assert ids.dtype == mask.dtype == np.int64
    assert pad([], 0)[0].shape == (0, 0)


def test_token_lists_come_as_rectangles_of_at_least_one_token():
    (first,) = padded([[1, 2], [], [3]], 9)
    # Shortest first; the empty one shares the rectangle and is masked as a whole.
    assert first[0] == [1, 2, 0]
    np.testing.assert_array_equal(first[1], [[9, 9], [3, 9], [1, 2]])
    np.testing.assert_array_equal(first[2], [[0, 0], [1, 0], [1, 1]])
    assert list(padded([[], []], 9)) == []
    assert list(padded([], 9)) == []
