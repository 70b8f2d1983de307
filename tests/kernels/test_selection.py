import numpy as np
import pytest

from hinny.kernels.selection import top_rows


def scores(*values):
    return np.array(values, dtype=np.float32)


def test_the_best_rows_in_row_order():
    rows = top_rows(scores(0.1, 0.9, 0.5, 0.7), 2)
    assert rows.dtype == np.int32
    assert rows.tolist() == [1, 3]


def test_all_ties_at_the_edge_are_kept():
    assert top_rows(scores(1, 5, 1, 3, 1), 3).tolist() == [0, 1, 2, 3, 4]
    assert top_rows(scores(1, 5, 1, 3, 1), 2).tolist() == [1, 3]


def test_eligibility_comes_before_the_top():
    eligible = np.array([True, False, True, True])
    assert top_rows(scores(0.1, 0.9, 0.5, 0.7), 2, eligible).tolist() == [2, 3]
    assert top_rows(scores(0.1, 0.9, 0.5, 0.7), 9, eligible).tolist() == [0, 2, 3]
    assert top_rows(scores(0.1), 1, np.array([False])).tolist() == []


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_asked(limit):
    assert top_rows(scores(1, 2), limit).tolist() == []
    assert top_rows(scores(), 3).tolist() == []
