import numpy as np

from hinny.kernels.base import ByteRows
from hinny.kernels.numpy_dense import BLOCK_ROWS, NumpyDenseScan
from hinny.quant.randomness import random_bits
from vectors_data import gaussian


def byte_rows(count, dim, seed):
    values = (random_bits(seed, 0, count * dim) >> np.uint64(56)).astype(np.uint8).reshape(count, dim)
    return ByteRows(values, np.abs(gaussian(1, count, seed)[0]) * np.float32(0.01))


def test_worked_by_hand():
    rows = ByteRows(np.array([[130, 127], [128, 228]], dtype=np.uint8), np.array([0.5, 2], dtype=np.float32))
    scan = NumpyDenseScan(rows)
    assert scan.kernel == "numpy"
    # (2, -1) * 0.5 and (0, 100) * 2, each times (3, 4).
    assert scan.scores(np.array([3, 4], dtype=np.float32)).tolist() == [1.0, 800.0]


def test_bytes_over_several_blocks_agree_with_float64():
    rows = byte_rows(BLOCK_ROWS * 2 + 3, 48, seed=3)
    query = gaussian(1, 48, seed=4)[0]
    expected = ((rows.values.astype(np.float64) - 128) * rows.worth[:, None].astype(np.float64)) @ query
    scores = NumpyDenseScan(rows).scores(query)
    assert scores.dtype == np.float32
    assert np.allclose(scores, expected, atol=2e-4)


def test_float_rows():
    rows, query = gaussian(100, 48, seed=5), gaussian(1, 48, seed=6)[0]
    assert np.allclose(NumpyDenseScan(rows).scores(query), rows.astype(np.float64) @ query, atol=1e-4)


def test_some_rows():
    rows = byte_rows(5, 4, seed=1)
    assert (len(rows), rows.dim) == (5, 4)
    assert (rows.widened(np.array([3, 0])) == rows.values[[3, 0]]).all()
    assert (rows.worths(slice(1, 3)) == rows.worth[1:3]).all()
