from __future__ import annotations

import numpy as np
import pytest

from hinny.errors import DimensionMismatch
from hinny.models.make.projection import fit_projection, shipped_projection


def test_the_first_direction_is_where_the_states_point():
    states = np.array([[3, 4, 0], [6, 8, 0], [0, 0, 0]], dtype=np.float32)
    fitted = fit_projection(states, np.array([1, 2, 3]), 1)
    np.testing.assert_allclose(fitted[:, 0], [0.6, 0.8, 0], atol=1e-6)
    assert fitted.dtype == np.float32


def test_a_common_token_weighs_no_more_than_a_rare_one():
    # Token 1 points along the first axis 99 times, tokens 2 and 3 once each along the second.
    states = np.array([[1, 0]] * 99 + [[0, 1], [0, 1]], dtype=np.float32)
    tokens = np.array([1] * 99 + [2, 3])
    np.testing.assert_allclose(fit_projection(states, tokens, 1)[:, 0], [0, 1], atol=1e-6)


def test_directions_are_orthonormal_with_a_fixed_sign():
    generator = np.random.default_rng(5)
    states = generator.standard_normal((200, 12)).astype(np.float32)
    fitted = fit_projection(states, np.arange(200), 5)
    np.testing.assert_allclose(fitted.T @ fitted, np.eye(5), atol=1e-5)
    assert (fitted[np.abs(fitted).argmax(axis=0), np.arange(5)] > 0).all()


def test_more_directions_than_there_are_is_an_error():
    with pytest.raises(DimensionMismatch):
        fit_projection(np.ones((3, 2), dtype=np.float32), np.arange(3), 3)


def test_what_is_shipped_is_orthonormal_as_far_as_float16_goes():
    projection = shipped_projection()
    assert projection.shape == (384, 64)
    assert projection.dtype == np.float32
    np.testing.assert_allclose(projection.T @ projection, np.eye(64), atol=1e-3)
