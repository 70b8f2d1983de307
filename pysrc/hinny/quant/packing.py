"""Codes as bytes: 2, 3, 4 or 8 bits a coordinate, each row a whole number of bytes.

Little end first: with 4 bits, a byte's low nibble is the earlier coordinate. 3 bits pack eight
coordinates into three bytes. A row whose dimension does not fill its last unit is padded with
zeros that are never read. Unpacking goes through a table with one entry per unit (a byte, or 12
bits) that holds all of the unit's coordinates side by side: one gather a unit instead of one a
coordinate, which is what is fast in numpy everywhere.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidInput, InvalidOption

BITS = (2, 3, 4, 8)


def check_bits(bits: int) -> int:
    """The number itself, or InvalidOption."""
    if bits not in BITS:
        raise InvalidOption("bits", bits, "2, 3, 4 or 8")
    return bits


def row_bytes(dim: int, bits: int) -> int:
    """Bytes of one packed row; 192 for 384 coordinates at 4 bits."""
    if bits == 3:
        return (dim + 7) // 8 * 3
    return (dim * bits + 7) // 8


def pack(codes: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    """uint8 [n, d], each below 2**bits, to packed uint8 [n, row_bytes(d, bits)]."""
    count, dim = codes.shape
    if bits == 8:
        return codes.copy()
    each = 8 if bits == 3 else 8 // bits
    units = (dim + each - 1) // each
    padded = np.zeros((count, units, each), dtype=np.uint8)
    padded.reshape(count, units * each)[:, :dim] = codes
    if bits != 3:
        packed = padded[:, :, 0].copy()
        for place in range(1, each):
            packed |= padded[:, :, place] << np.uint8(place * bits)
        return packed
    words = np.zeros(padded.shape[:2], dtype=np.uint32)
    for place in range(8):
        words |= padded[:, :, place].astype(np.uint32) << np.uint32(3 * place)
    out = np.empty((*words.shape, 3), dtype=np.uint8)
    for byte in range(3):
        out[:, :, byte] = (words >> np.uint32(8 * byte)) & np.uint32(255)
    return out.reshape(count, units * 3)


def unpack(
    packed: NDArray[np.uint8], dim: int, bits: int, values: NDArray[np.generic] | None = None
) -> NDArray[np.generic]:
    """Packed rows to [n, dim]: codes as uint8, or `values[code]` in the dtype of `values`.

    `values` holds 2**bits entries of uint8 or float32. InvalidInput where the rows have another
    number of bytes than `dim` needs.
    """
    if packed.ndim != 2 or packed.shape[1] != row_bytes(dim, bits):
        raise InvalidInput(
            f"codes: expected {row_bytes(dim, bits)} bytes a row for {dim} dimensions at {bits} bits, "
            f"got shape {list(packed.shape)}"
        )
    levels = np.arange(1 << bits, dtype=np.uint8) if values is None else values
    if bits == 8:
        return packed.copy() if values is None else levels[packed]
    table = _table(bits, levels.tobytes(), levels.dtype.str)
    units = _twelve_bits(packed) if bits == 3 else packed
    wide = table[units].view(levels.dtype)
    return wide[:, :dim] if wide.shape[1] != dim else wide


def _twelve_bits(packed: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Each three bytes as two 12-bit numbers: [n, 3 m] to uint16 [n, 2 m]."""
    count, size = packed.shape
    triples = packed.reshape(count, size // 3, 3).astype(np.uint16)
    units = np.empty((*triples.shape[:2], 2), dtype=np.uint16)
    units[:, :, 0] = triples[:, :, 0] | ((triples[:, :, 1] & np.uint16(15)) << np.uint16(8))
    units[:, :, 1] = (triples[:, :, 1] >> np.uint16(4)) | (triples[:, :, 2] << np.uint16(4))
    return units.reshape(count, size // 3 * 2)


@cache
def _table(bits: int, levels: bytes, dtype: str) -> NDArray[np.generic]:
    """One entry a unit: its coordinates' values side by side, as one wide element."""
    values = np.frombuffer(levels, dtype=dtype)
    each = 4 if bits in (2, 3) else 2
    units = np.arange(1 << (bits * each), dtype=np.uint32)
    codes = np.stack(
        [(units >> np.uint32(bits * place)) & np.uint32((1 << bits) - 1) for place in range(each)], axis=1
    )
    wide = np.ascontiguousarray(values[codes])
    size = wide.dtype.itemsize * each
    kind = {2: "<u2", 4: "<u4", 8: "<u8", 16: "<c16"}[size]
    return wide.view(kind)[:, 0]
