from __future__ import annotations

import numpy as np

from hinny.models.make.linear import quantise_rows, smoothing


def test_each_row_has_its_own_scale_and_is_rounded_to_the_nearest_code():
    weight = np.array([[127, -63.6, 0.4], [0, 0, 0], [-2, 1, 0.5]], dtype=np.float32)
    codes, scales = quantise_rows(weight)
    np.testing.assert_array_equal(codes, np.array([[127, -64, 0], [0, 0, 0], [-127, 64, 32]]))
    np.testing.assert_allclose(scales, [1, 1, 2 / 127], rtol=1e-6)
    assert codes.dtype == np.int8
    assert scales.dtype == np.float32


def test_what_is_quantised_is_off_by_half_a_step_at_most():
    weight = np.random.default_rng(3).standard_normal((20, 50)).astype(np.float32)
    codes, scales = quantise_rows(weight)
    assert (np.abs(codes * scales[:, None] - weight) <= scales[:, None] * 0.5001).all()


def test_smoothing_shares_a_channels_range_between_activation_and_weight():
    # Channel 0: values to 16, weights to 1: both become 4. Channel 1: 1 and 4: both become 2.
    weight = np.array([[1, -4], [0.5, 2]], dtype=np.float32)
    amplitude = np.array([16, 1], dtype=np.float32)
    s = smoothing(weight, amplitude)
    np.testing.assert_allclose(s, [4, 0.5], rtol=1e-6)
    np.testing.assert_allclose(amplitude / s, np.abs(weight * s).max(axis=0), rtol=1e-6)
    x = np.array([[3, -1]], dtype=np.float32)
    np.testing.assert_allclose((x / s) @ (weight * s).T, x @ weight.T, rtol=1e-6)


def test_channels_without_weight_or_range_do_no_harm():
    s = smoothing(np.zeros((2, 2), dtype=np.float32), np.zeros(2, dtype=np.float32))
    assert np.isfinite(s).all()
    assert (s > 0).all()
