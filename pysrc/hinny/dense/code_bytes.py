"""Packed codes as the byte rows that a scan reads."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import ByteRows
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

    def take(self, rows: slice | NDArray[np.integer]) -> ByteRows:
        """Some of the rows."""
        return ByteRows(*self._quantizer.widen(self._vectors.take(rows)))
