"""Which maker runs a scan.

For enough work: WebAssembly where the host has it and the rows are 4-bit codes, else ONNX where a runtime
is at hand. For little work, or with neither: numpy.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidOption
from hinny.kernels.base import DenseScan, MaxSimScan, PackedRows, PackedScans, PackedSource, Rows, Sessions

Kernel = Literal["auto", "numpy", "onnx", "wasm"]

SMALL_DENSE = 400_000
"""Coordinates (rows x dimensions) under which numpy answers before a call has crossed over."""
SMALL_MAXSIM = 100_000


def check_kernel(kernel: str, runtime: Sessions | None) -> None:
    """InvalidOption for a name that is none, or for `onnx` or `wasm` without what runs it."""
    if kernel not in ("auto", "numpy", "onnx", "wasm"):
        raise InvalidOption("kernel", kernel, "'auto', 'numpy', 'onnx' or 'wasm'")
    if kernel == "onnx" and runtime is None:
        raise InvalidOption("kernel", kernel, "a runtime= to run it (a ModelRuntime), or 'numpy'")
    if kernel == "wasm" and _packed_scans(runtime) is None:
        raise InvalidOption("kernel", kernel, "the runtime= of a browser's worker, or 'numpy'")


async def make_dense(rows: Rows, kernel: Kernel, runtime: Sessions | None) -> DenseScan:
    """The dense scan over `rows` by the maker that `kernel` and the amount of work choose."""
    maker = _maker(rows, kernel, runtime, SMALL_DENSE)
    if maker == "wasm":
        from hinny.kernels.wasm_scans import WasmScan

        return WasmScan(*_packed(rows, runtime))
    if maker == "onnx":
        from hinny.kernels.onnx_scans import OnnxDenseScan

        assert runtime is not None
        return await OnnxDenseScan.load(runtime, rows)
    from hinny.kernels.numpy_dense import NumpyDenseScan

    return NumpyDenseScan(rows)


async def make_maxsim(
    tokens: Rows, counts: NDArray[np.int32], kernel: Kernel, runtime: Sessions | None
) -> MaxSimScan:
    """The MaxSim scan over documents of `counts` tokens each."""
    maker = _maker(tokens, kernel, runtime, SMALL_MAXSIM)
    if maker == "wasm":
        from hinny.kernels.wasm_scans import WasmScan

        return WasmScan(*_packed(tokens, runtime), counts)
    if maker == "onnx":
        from hinny.kernels.onnx_scans import OnnxMaxSimScan

        assert runtime is not None
        return await OnnxMaxSimScan.load(runtime, tokens, counts)
    from hinny.kernels.numpy_maxsim import NumpyMaxSimScan

    return NumpyMaxSimScan(tokens, counts)


def _maker(rows: Rows, kernel: Kernel, runtime: Sessions | None, small: int) -> Kernel:
    check_kernel(kernel, runtime)
    work = rows.size if isinstance(rows, np.ndarray) else len(rows) * rows.dim
    if not work or kernel == "numpy" or (kernel == "auto" and (work < small or runtime is None)):
        return "numpy"
    if kernel == "auto":
        return "onnx" if _packed_scans(runtime) is None or _packed_rows(rows) is None else "wasm"
    return kernel


def _packed_scans(runtime: Sessions | None) -> PackedScans | None:
    """What a runtime has beside its sessions."""
    found: PackedScans | None = getattr(runtime, "packed_scans", None)
    return found


def _packed_rows(rows: Rows) -> PackedRows | None:
    return rows.packed() if isinstance(rows, PackedSource) else None


def _packed(rows: Rows, runtime: Sessions | None) -> tuple[PackedScans, PackedRows]:
    scans, packed = _packed_scans(runtime), _packed_rows(rows)
    if packed is None:
        raise InvalidOption("kernel", "wasm", "codes of 4 bits, or another kernel")
    assert scans is not None
    return scans, packed
