import numpy as np
import pytest

import hinny.kernels.numpy_products as products
from vectors_data import gaussian


@pytest.mark.parametrize("blas", [True, False])
def test_both_ways_agree_with_float64(monkeypatch, blas):
    monkeypatch.setattr(products, "_HAS_BLAS", blas)
    rows, queries = gaussian(30, 48, seed=1), gaussian(5, 48, seed=2)
    expected = rows.astype(np.float64) @ queries.astype(np.float64).T
    together = products.by_rows(rows, queries)
    assert together.dtype == np.float32
    assert together.shape == (30, 5)
    assert np.allclose(together, expected, atol=1e-4)
    assert np.allclose(products.by_vector(rows, queries[0]), expected[:, 0], atol=1e-4)
