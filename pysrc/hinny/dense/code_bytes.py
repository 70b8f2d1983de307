"""Packed codes as the byte rows that a scan reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import PackedRows
from hinny.quant.turboquant import QuantizedVectors, TurboQuant


class CodeBytes:
    """A ByteSource: widens only the rows asked for."""

    def __init__(self, quantizer: TurboQuant, vectors: QuantizedVectors) -> None:
        self._quantizer = quantizer
        self._vectors = vectors

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def dim(self) -> int:
        """Coordinates of a row."""
        return self._vectors.dim

    def widened(self, rows: slice | NDArray[np.integer]) -> NDArray[np.uint8]:
        """Values [m, d] of some of the rows."""
        return self._quantizer.scan_bytes(self._vectors.take(rows))

    def worths(self, rows: slice | NDArray[np.integer]) -> NDArray[np.float32]:
        """What one unit of each of these rows is worth, [m]."""
        return self._quantizer.scan_worths(self._vectors.take(rows))

    def packed(self) -> PackedRows | None:
        """The codes as they are; None where they are not 4 bits wide."""
        if self._vectors.bits != 4:
            return None
        levels, worth = self._quantizer.seven_bit_scan(self._vectors)
        return PackedRows(self._vectors.codes, worth, levels, self._vectors.dim)
