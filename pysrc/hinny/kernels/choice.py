"""Which maker runs a scan: ONNX where a runtime is at hand and the work is worth the crossing, else numpy."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidOption
from hinny.kernels.base import DenseScan, MaxSimScan, Rows, Sessions

Kernel = Literal["auto", "numpy", "onnx"]

SMALL_DENSE = 400_000
"""Coordinates (rows x dimensions) under which numpy answers before an ONNX call has crossed over."""
SMALL_MAXSIM = 100_000


def check_kernel(kernel: str, runtime: Sessions | None) -> None:
    """InvalidOption for a name that is none, or for `onnx` without a runtime to run it."""
    if kernel not in ("auto", "numpy", "onnx"):
        raise InvalidOption("kernel", kernel, "'auto', 'numpy' or 'onnx'")
    if kernel == "onnx" and runtime is None:
        raise InvalidOption("kernel", kernel, "a runtime= to run it (a ModelRuntime), or 'numpy'")


async def make_dense(rows: Rows, kernel: Kernel, runtime: Sessions | None) -> DenseScan:
    """The dense scan over `rows` by the maker that `kernel` and the amount of work choose."""
    if _use_onnx(rows, kernel, runtime, SMALL_DENSE):
        from hinny.kernels.onnx_scans import OnnxDenseScan

        assert runtime is not None
        return await OnnxDenseScan.load(runtime, rows)
    from hinny.kernels.numpy_dense import NumpyDenseScan

    return NumpyDenseScan(rows)


async def make_maxsim(
    tokens: Rows, counts: NDArray[np.int32], kernel: Kernel, runtime: Sessions | None
) -> MaxSimScan:
    """The MaxSim scan over documents of `counts` tokens each."""
    if _use_onnx(tokens, kernel, runtime, SMALL_MAXSIM):
        from hinny.kernels.onnx_scans import OnnxMaxSimScan

        assert runtime is not None
        return await OnnxMaxSimScan.load(runtime, tokens, counts)
    from hinny.kernels.numpy_maxsim import NumpyMaxSimScan

    return NumpyMaxSimScan(tokens, counts)


def _use_onnx(rows: Rows, kernel: Kernel, runtime: Sessions | None, small: int) -> bool:
    check_kernel(kernel, runtime)
    work = rows.size if isinstance(rows, np.ndarray) else len(rows) * rows.dim
    if kernel == "auto":
        return runtime is not None and work >= small
    return kernel == "onnx" and work > 0
