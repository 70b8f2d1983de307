from __future__ import annotations

import numpy as np

from hinny.models.pooling import cls_pool, mean_pool, normalize


def test_the_mean_is_over_the_tokens_that_the_mask_keeps():
    states = np.array([[[1, 2], [3, 6], [100, 100]], [[5, 5], [9, 9], [9, 9]]], dtype=np.float32)
    mask = np.array([[1, 1, 0], [1, 0, 0]], dtype=np.int64)
    pooled = mean_pool(states, mask)
    np.testing.assert_array_equal(pooled, np.array([[2, 4], [5, 5]], dtype=np.float32))
    assert pooled.dtype == np.float32


def test_a_row_without_tokens_gives_zeros():
    states = np.ones((1, 2, 3), dtype=np.float32)
    np.testing.assert_array_equal(mean_pool(states, np.zeros((1, 2), dtype=np.int64)), np.zeros((1, 3)))


def test_cls_is_the_first_state():
    states = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    np.testing.assert_array_equal(cls_pool(states), np.array([[0, 1, 2], [6, 7, 8]], dtype=np.float32))


def test_vectors_get_length_one_and_zero_stays_zero():
    unit = normalize(np.array([[3, 4], [0, 0]], dtype=np.float32))
    np.testing.assert_allclose(unit, [[0.6, 0.8], [0, 0]], rtol=1e-6)
    assert unit.dtype == np.float32
