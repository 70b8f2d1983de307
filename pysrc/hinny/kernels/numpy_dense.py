"""The dense scan in numpy: blocks of rows, so that bytes become float32 in cache and not in memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import ZERO_POINT, Rows, held
from hinny.kernels.numpy_products import by_vector

BLOCK_ROWS = 2048


class NumpyDenseScan:
    """Inner products of a query with float32 rows or byte rows."""

    kernel = "numpy"

    def __init__(self, rows: Rows) -> None:
        self._rows = held(rows)

    def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 [n] for a query [d]."""
        if isinstance(self._rows, np.ndarray):
            return by_vector(self._rows, query)
        values, worth = self._rows.values, self._rows.worth
        out = np.empty(len(values), dtype=np.float32)
        for start in range(0, len(values), BLOCK_ROWS):
            block = values[start : start + BLOCK_ROWS].astype(np.float32)
            out[start : start + BLOCK_ROWS] = by_vector(block, query)
        out -= np.float32(ZERO_POINT * query.sum(dtype=np.float64))
        out *= worth
        return out

    async def close(self) -> None:
        """Nothing outside Python is held."""
