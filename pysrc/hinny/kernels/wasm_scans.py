"""The scans run by the worker's own WebAssembly (worker/assembly/scan.ts) over codes that stay packed.

A query is rounded to int8, the codebook's levels to seven bits; a product is an integer until the end. The
answer comes from the same call, with no turn of the event loop between.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import PackedRows, PackedScans


class WasmScan:
    """Inner products with every row, or MaxSim with every document."""

    kernel = "wasm"

    def __init__(self, scans: PackedScans, rows: PackedRows, counts: NDArray[np.int32] | None = None) -> None:
        """Hand the codes over; `counts` (each at least 1) are the tokens of each document, for MaxSim."""
        self._scans = scans
        self._documents = len(rows.worth) if counts is None else len(counts)
        self._handle = scans.load(rows, counts)

    def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 [n] for a query [d], or [documents] for query tokens [q, d]."""
        out = np.empty(self._documents, dtype=np.float32)
        self._scans.scores(self._handle, query, out)
        return out

    async def close(self) -> None:
        """Give the worker's memory back."""
        self._scans.release(self._handle)
