"""TurboQuant without its residual stage, with the length correction of RaBitQ.

Zandieh et al., arXiv 2504.19874, Algorithm 1: rotate a unit vector so that its coordinates are
nearly Gaussian, then round each to a Lloyd-Max codebook. Gao et al., arXiv 2405.12497 and
2409.09913: store norm / <unit, decoded> beside the codes, which makes the estimated inner product
unbiased. The paper's second stage (QJL) is left out: at equal bits it adds more variance than it
removes bias (arXiv 2604.19528 and our own check agree).

Encoding uses elementwise float32 and float64 arithmetic and sums in a fixed order: the same bytes
on every platform and with any number of threads.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hinny.errors import DimensionMismatch, InvalidInput, NotFinite
from hinny.quant.codebooks import (
    SEVEN_BIT_LARGEST,
    ZERO_POINT,
    levels,
    nearest,
    scan_codes,
    scan_step,
    seven_bit_codes,
)
from hinny.quant.packing import check_bits, pack, row_bytes, unpack
from hinny.quant.rotation import Rotation
from hinny.quant.rows import BLOCK_ROWS, row_sums

DEFAULT_SEED = 0x48696E6E79


@dataclass(frozen=True, slots=True, eq=False)
class QuantizedVectors:
    """Vectors as plain arrays, ready to store: 196 bytes each for 384 dimensions at 4 bits."""

    codes: NDArray[np.uint8]
    """Packed codes [n, row_bytes(dim, bits)]."""
    scales: NDArray[np.float32]
    """norm / <unit, decoded> of each vector, [n]."""
    dim: int
    bits: int
    seed: int

    def __post_init__(self) -> None:
        check_bits(self.bits)
        if self.dim < 1:
            raise DimensionMismatch(f"codes: dimension {self.dim}")
        shape = (len(self), row_bytes(self.dim, self.bits))
        if self.codes.dtype != np.uint8 or self.codes.shape != shape:
            raise InvalidInput(
                f"codes: expected uint8 {list(shape)} for {len(self)} scales, {self.dim} dimensions and "
                f"{self.bits} bits, got {self.codes.dtype} {list(self.codes.shape)}"
            )
        if self.scales.dtype != np.float32 or self.scales.ndim != 1:
            raise InvalidInput(f"scales: expected float32 [n], got {self.scales.dtype} {self.scales.shape}")
        if not np.isfinite(self.scales).all():
            raise NotFinite("scales: NaN or infinity")

    def __len__(self) -> int:
        return len(self.scales)

    @property
    def nbytes(self) -> int:
        """Bytes of codes and scales."""
        return int(self.codes.nbytes + self.scales.nbytes)

    def take(self, rows: slice | NDArray[np.integer]) -> QuantizedVectors:
        """Some of the vectors, in the order asked."""
        return QuantizedVectors(self.codes[rows], self.scales[rows], self.dim, self.bits, self.seed)


class TurboQuant:
    """Encoder and decoder for one dimension, bit width and seed."""

    def __init__(self, dim: int, bits: int = 4, seed: int = DEFAULT_SEED) -> None:
        self.dim = dim
        self.bits = check_bits(bits)
        self.rotation = Rotation(dim, seed)
        self._root = np.float32(dim**0.5)

    def encode(self, rows: NDArray[np.float32]) -> QuantizedVectors:
        """Quantise finite rows [n, dim] of any length; a zero row gets scale 0 and decodes to zero."""
        packed = np.empty((len(rows), row_bytes(self.dim, self.bits)), dtype=np.uint8)
        scales = np.empty(len(rows), dtype=np.float32)
        for start in range(0, len(rows), BLOCK_ROWS):
            block = slice(start, start + BLOCK_ROWS)
            packed[block], scales[block] = self._encode_block(rows[block].astype(np.float64))
        return QuantizedVectors(packed, scales, self.dim, self.bits, self.rotation.seed)

    def _encode_block(self, rows: NDArray[np.float64]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        norms = np.sqrt(row_sums(rows * rows))
        unit = (rows / np.where(norms == 0, 1, norms)[:, None]).astype(np.float32)
        scaled = self.rotation.apply(unit) * self._root
        codes = nearest(scaled, self.bits)
        # Both factors carry sqrt(dim), so that this is dim * <unit, decoded>.
        aligned = row_sums(scaled.astype(np.float64) * levels(self.bits)[codes].astype(np.float64)) / self.dim
        scales = norms / np.where(norms == 0, 1, aligned)
        return pack(codes, self.bits), scales.astype(np.float32)

    def decode(self, vectors: QuantizedVectors) -> NDArray[np.float32]:
        """The vectors that the codes stand for, float32 [n, dim]."""
        return self.rotation.undo(self.decode_rotated(vectors))

    def decode_rotated(self, vectors: QuantizedVectors) -> NDArray[np.float32]:
        """As `decode`, in rotated coordinates, where inner products are the same and cost less."""
        rows = unpack(vectors.codes, self.dim, self.bits, levels(self.bits)).astype(np.float32, copy=False)
        scaled: NDArray[np.float32] = rows * (vectors.scales / self._root)[:, None]
        return scaled

    def products(
        self, vectors: QuantizedVectors, rotated: NDArray[np.float32], rows: NDArray[np.int32]
    ) -> NDArray[np.float32]:
        """Estimated inner products of a rotated query [dim] with some vectors, float32 [len(rows)]."""
        product: NDArray[np.float32] = np.einsum("ij,j->i", self.decode_rotated(vectors.take(rows)), rotated)
        return product

    def rotate(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Queries [q, dim] in rotated coordinates."""
        return self.rotation.apply(queries)

    def scan_bytes(self, vectors: QuantizedVectors) -> NDArray[np.uint8]:
        """The codes' levels as uint8 [n, dim].

        A rotated vector is nearly (scan_bytes - ZERO_POINT) * scan_worths.
        """
        return unpack(vectors.codes, self.dim, self.bits, scan_codes(self.bits)).astype(np.uint8, copy=False)

    def scan_worths(self, vectors: QuantizedVectors) -> NDArray[np.float32]:
        """What one unit of a vector's `scan_bytes` is worth, float32 [n]."""
        return self._worths(vectors, scan_step(self.bits))

    def seven_bit_scan(self, vectors: QuantizedVectors) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Levels of seven bits, uint8 [2**bits], and what one unit is worth in each vector, float32 [n].

        A rotated vector is nearly (levels[codes] - SEVEN_BIT_ZERO) * worth.
        """
        step = scan_step(self.bits, SEVEN_BIT_LARGEST)
        return seven_bit_codes(self.bits), self._worths(vectors, step)

    def _worths(self, vectors: QuantizedVectors, step: float) -> NDArray[np.float32]:
        worths: NDArray[np.float32] = vectors.scales * np.float32(step / self.dim**0.5)
        return worths


__all__ = ["DEFAULT_SEED", "ZERO_POINT", "QuantizedVectors", "TurboQuant"]
