import numpy as np
import pytest

from hinny.errors import DimensionMismatch, InvalidInput, NotFinite, ZeroVector
from hinny.quant.rows import own_query, own_rows, row_sums, unit_rows


def test_rows_are_an_owned_float32_copy():
    given = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
    rows = own_rows(given)
    rows[0, 0] = 9
    assert given[0, 0] == 1
    assert own_rows([[1, 2], (3, 4)]).dtype == np.float32
    assert own_rows([np.array([1.0]), [2]]).tolist() == [[1], [2]]


def test_no_rows_have_no_dimension_unless_told():
    assert own_rows([]).shape == (0, 0)
    assert own_rows([], dim=4).shape == (0, 4)
    assert own_rows(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([[1, 2], [3]], DimensionMismatch, "different dimensions [1, 2]"),
        ([[1, np.nan]], NotFinite, "row 0"),
        ([[1, 2], [np.inf, 0]], NotFinite, "row 1"),
        ([[1e39, 0]], NotFinite, "row 0"),
        ([["a", "b"]], InvalidInput, "not numbers"),
        ([1, 2], InvalidInput, "rows of numbers"),
        (np.zeros((2, 2, 2)), InvalidInput, "[2, 2, 2]"),
        (np.empty((3, 0)), DimensionMismatch, "without coordinates"),
    ],
)
def test_what_cannot_be_rows(rows, error, message):
    with pytest.raises(error) as caught:
        own_rows(rows, "vectors")
    assert message in str(caught.value)


def test_another_dimension_than_expected():
    with pytest.raises(DimensionMismatch, match="dimension 2, expected 3"):
        own_rows([[1, 2]], dim=3)


def test_row_sums_add_halves_in_a_fixed_order():
    # Width 5: (a0 + a3) + (a1 + a4) + a2 in this order of halving: kept = 3, then 2, then 1.
    a = np.array([[1e16, 1.0, 3.0, -1e16, 1.0]])
    first = [1e16 + -1e16, 1.0 + 1.0, 3.0]
    expected = (first[0] + first[2]) + first[1]
    assert row_sums(a).tolist() == [expected]
    assert row_sums(np.empty((2, 0))).tolist() == [0, 0]


def test_unit_rows_survive_the_ends_of_float32():
    rows = own_rows([[3e38, 3e38], [1e-40, 0], [3, 4]])
    unit_rows(rows)
    assert np.allclose(rows, [[0.5**0.5, 0.5**0.5], [1, 0], [0.6, 0.8]])


def test_a_zero_row_has_no_direction():
    rows = np.ones((3000, 2), dtype=np.float32)
    rows[2500] = 0
    with pytest.raises(ZeroVector, match="row 2500"):
        unit_rows(rows)


def test_queries():
    assert own_query([1, 2], 2).tolist() == [1, 2]
    assert own_query(np.ones((1, 2)), 2).tolist() == [1, 1]
    with pytest.raises(DimensionMismatch, match="dimension 3, the index has 2"):
        own_query([1, 2, 3], 2)
    with pytest.raises(NotFinite):
        own_query([1, np.nan], 2)
    with pytest.raises(InvalidInput):
        own_query(np.ones((2, 2)), 2)
