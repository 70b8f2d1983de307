import numpy as np
import pytest

from hinny.kernels.base import ByteRows
from hinny.kernels.numpy_maxsim import NumpyMaxSimScan
from vectors_data import gaussian, token_matrices


def brute_force(query, matrices):
    """MaxSim by its definition."""
    return [float(np.mean([max(float(q @ t) for t in matrix) for q in query])) for matrix in matrices]


def test_worked_by_hand():
    tokens = np.array([[1, 0], [0, 1], [-1, 0]], dtype=np.float32)
    scan = NumpyMaxSimScan(tokens, np.array([2, 1], dtype=np.int32))
    assert scan.kernel == "numpy"
    query = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    # Document 0: 1 and 0.8; document 1: -1 and -0.6.
    assert scan.scores(query).tolist() == pytest.approx([0.9, -0.8])


@pytest.mark.parametrize("block", [1, 7, 4096])
def test_blocks_do_not_show(monkeypatch, block):
    monkeypatch.setattr("hinny.kernels.numpy_maxsim.BLOCK_TOKENS", block)
    matrices = token_matrices(30, 16, seed=1)
    query = gaussian(4, 16, seed=2)
    counts = np.array([len(matrix) for matrix in matrices], dtype=np.int32)
    scores = NumpyMaxSimScan(np.concatenate(matrices), counts).scores(query)
    assert scores.dtype == np.float32
    assert np.allclose(scores, brute_force(query, matrices), atol=1e-5)


def test_bytes():
    values = np.array([[129, 128], [126, 130], [128, 255]], dtype=np.uint8)
    rows = ByteRows(values, np.array([1, 0.5, 0.25], dtype=np.float32))
    matrices = [np.array([[1, 0], [-1, 1]]), np.array([[0, 31.75]])]
    query = gaussian(3, 2, seed=3)
    scores = NumpyMaxSimScan(rows, np.array([2, 1], dtype=np.int32)).scores(query)
    assert np.allclose(scores, brute_force(query, matrices), atol=1e-4)
