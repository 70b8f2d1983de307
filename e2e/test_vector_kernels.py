"""All kernels in Chromium on the same codes: WebAssembly, onnxruntime-web and numpy give the same scores.

The tolerance is five standard deviations of what rounding does to a product, more than any of these thousands
of scores should need: that of a query to 255 steps (see tests/cpython/kernels/test_onnx_graphs.py), and for
WebAssembly that of levels to seven bits where numpy has eight.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.vectors_browser import bench_pages

from hinny.quant.codebooks import (
    SEVEN_BIT_LARGEST,
    SEVEN_BIT_ZERO,
    ZERO_POINT,
    levels,
    scan_codes,
    scan_step,
    seven_bit_codes,
)

QUERY = 7 / 255 / 12**0.5
"""Root mean square error of a coordinate, in units of its standard deviation."""


def tolerance(dim: int, error: float = QUERY) -> float:
    return 5 * error / dim**0.5


def packed_tolerance(dim: int) -> float:
    """All 16 levels are equally common in these random codes."""
    seven = (seven_bit_codes(4).astype(float) - SEVEN_BIT_ZERO) * scan_step(4, SEVEN_BIT_LARGEST)
    eight = (scan_codes(4).astype(float) - ZERO_POINT) * scan_step(4)
    size = float(np.sqrt((levels(4).astype(float) ** 2).mean()))
    return tolerance(dim, math.hypot(QUERY * size, float(np.sqrt(((seven - eight) ** 2).mean()))))


@pytest.fixture(scope="module")
def call(browser):
    with bench_pages(browser) as open_page:
        yield open_page()


def test_the_dense_scans_agree(call):
    call("prepare", "dense", 2000)
    found = call("measure", "dense", ["wasm", "onnx", "numpy", "javascript", "search"], 1)
    assert 0 < found["wasm_agreement"] < packed_tolerance(384)
    assert 0 < found["onnx_agreement"] < tolerance(384)
    # JavaScript reads the codebook's own levels, the scans their nearest bytes.
    assert 0 < found["javascript_agreement"] < tolerance(384)


def test_the_maxsim_scans_agree(call):
    call("prepare", "maxsim", 20_000)
    found = call("measure", "maxsim", ["wasm", "onnx", "numpy", "javascript", "search"], 1)
    assert 0 < found["wasm_agreement"] < packed_tolerance(96)
    assert 0 < found["onnx_agreement"] < tolerance(96)
    assert 0 < found["javascript_agreement"] < tolerance(96)
