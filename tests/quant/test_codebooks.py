import math

import numpy as np
import pytest

from hinny.quant.codebooks import (
    DISTORTION,
    SEVEN_BIT_LARGEST,
    SEVEN_BIT_ZERO,
    ZERO_POINT,
    boundaries,
    levels,
    nearest,
    scan_codes,
    scan_step,
    seven_bit_codes,
)

BITS = (2, 3, 4, 8)


def above(x):
    """The Gaussian mass above x."""
    return 0.5 * math.erfc(x / math.sqrt(2))


def density(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def cells(bits):
    edges = [-math.inf, *boundaries(bits).astype(float).tolist(), math.inf]
    return list(zip(edges[:-1], edges[1:], levels(bits).astype(float).tolist(), strict=True))


def test_the_published_levels():
    assert np.allclose(levels(2)[2:], [0.45278, 1.51042], atol=5e-6)
    assert np.allclose(levels(3)[4:], [0.24509, 0.75601, 1.34391, 2.15195], atol=6e-6)
    published = [0.12840, 0.38805, 0.65676, 0.94234, 1.25623, 1.61805, 2.06902, 2.73259]
    assert np.allclose(levels(4)[8:], published, atol=6e-6)


@pytest.mark.parametrize("bits", BITS)
def test_each_level_is_the_mean_of_its_cell(bits):
    for low, high, level in cells(bits):
        mean = (density(low) - density(high)) / (above(low) - above(high))
        assert mean == pytest.approx(level, abs=3e-5 if bits < 8 else 2e-4)


@pytest.mark.parametrize("bits", BITS)
def test_the_distortion_is_the_gaussian_integral(bits):
    explained = sum(level * level * (above(low) - above(high)) for low, high, level in cells(bits))
    # E[(x - c)^2] = 1 - 2 E[x c] + E[c^2], and E[x | cell] = c.
    assert 1 - explained == pytest.approx(DISTORTION[bits], rel=0.002 if bits < 8 else 0.05)


@pytest.mark.parametrize("bits", BITS)
def test_levels_are_symmetric_and_ascending(bits):
    assert len(levels(bits)) == 2**bits
    assert (levels(bits) == -levels(bits)[::-1]).all()
    assert (np.diff(levels(bits)) > 0).all()
    assert not levels(bits).flags.writeable


@pytest.mark.parametrize("bits", BITS)
def test_nearest_is_the_level_with_the_least_distance(bits):
    values = np.linspace(-6, 6, 4001, dtype=np.float32)
    distances = np.abs(values[:, None].astype(np.float64) - levels(bits).astype(np.float64))
    chosen = nearest(values, bits)
    assert chosen.dtype == np.uint8
    assert np.allclose(distances[np.arange(len(values)), chosen], distances.min(axis=1), atol=1e-6)


def test_a_value_on_a_boundary_takes_the_lower_level():
    assert nearest(boundaries(4), 4).tolist() == list(range(15))


@pytest.mark.parametrize("bits", BITS)
def test_scan_codes_stand_for_the_levels_within_half_a_step(bits):
    back = (scan_codes(bits).astype(np.float64) - ZERO_POINT) * scan_step(bits)
    assert np.abs(back - levels(bits)).max() <= scan_step(bits) * 0.5000001
    assert scan_codes(bits)[-1] == 255
    assert scan_codes(bits)[0] == 1


@pytest.mark.parametrize("bits", (2, 3, 4))
def test_seven_bit_codes_stand_for_the_levels_within_half_a_step(bits):
    step = scan_step(bits, SEVEN_BIT_LARGEST)
    codes = seven_bit_codes(bits)
    assert np.abs((codes.astype(np.float64) - SEVEN_BIT_ZERO) * step - levels(bits)).max() <= step * 0.5000001
    assert (codes[0], codes[-1]) == (1, 127)


def test_what_seven_bits_cost_at_four_bits():
    error = (seven_bit_codes(4).astype(np.float64) - SEVEN_BIT_ZERO) * scan_step(
        4, SEVEN_BIT_LARGEST
    ) - levels(4)
    weights = [above(low) - above(high) for low, high, _ in cells(4)]
    assert np.abs(error).max() < 0.0133
    assert float(np.dot(weights, error**2)) ** 0.5 < 0.0074
