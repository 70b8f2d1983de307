"""All kernels in Chromium on the same codes: WebAssembly, onnxruntime-web and numpy give the same scores.

The tolerance is five standard deviations of what rounding a query to 255 steps does to a product (see
tests/cpython/kernels/test_onnx_graphs.py), more than any of these thousands of scores should need.
"""

from __future__ import annotations

import pytest
from bench.vectors_browser import bench_pages


def tolerance(dim: int) -> float:
    return 5 * 7 / 255 / 12**0.5 / dim**0.5


@pytest.fixture(scope="module")
def call(browser):
    with bench_pages(browser) as open_page:
        yield open_page()


def test_the_dense_scans_agree(call):
    call("prepare", "dense", 2000)
    found = call("measure", "dense", ["wasm", "onnx", "numpy", "javascript", "search"], 1)
    assert 0 < found["wasm_agreement"] < tolerance(384)
    assert 0 < found["onnx_agreement"] < tolerance(384)
    # JavaScript reads the codebook's own levels, the scans their nearest bytes.
    assert 0 < found["javascript_agreement"] < tolerance(384)


def test_the_maxsim_scans_agree(call):
    call("prepare", "maxsim", 20_000)
    found = call("measure", "maxsim", ["wasm", "onnx", "numpy", "javascript", "search"], 1)
    assert 0 < found["wasm_agreement"] < tolerance(96)
    assert 0 < found["onnx_agreement"] < tolerance(96)
    assert 0 < found["javascript_agreement"] < tolerance(96)
