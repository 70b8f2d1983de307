"""What comes in: rows of numbers, checked once and owned, and reductions in a fixed order.

`numpy.sum` and BLAS add in an order that depends on the machine's vector width and threads. Bytes
that are stored or hashed may not, so the sums here halve the row again and again with elementwise
additions in float64, which IEEE 754 makes the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import DimensionMismatch, InvalidInput, NotFinite, ZeroVector

BLOCK_ROWS = 2048
"""Rows handled at a time: keeps float64 intermediates small beside the data."""


def own_rows(vectors: Any, what: str = "vectors", dim: int | None = None) -> NDArray[np.float32]:
    """A finite float32 copy [n, d] of the caller's rows.

    Raises DimensionMismatch for rows of different lengths or of another length than `dim`,
    NotFinite for NaN or infinity (also what float32 cannot hold), InvalidInput for what is no
    list of rows of numbers. No rows at all give [0, dim or 0].
    """
    if not isinstance(vectors, np.ndarray):
        vectors = list(vectors)
        lengths = {np.shape(row)[0] if np.ndim(row) == 1 else -1 for row in vectors}
        if -1 in lengths:
            raise InvalidInput(f"{what}: expected rows of numbers, one list or array a row")
        if len(lengths) > 1:
            raise DimensionMismatch(f"{what}: rows of different dimensions {sorted(lengths)}")
    try:
        with np.errstate(over="ignore"):
            rows = np.array(vectors, dtype=np.float32, order="C")
    except (TypeError, ValueError) as problem:
        raise InvalidInput(f"{what}: not numbers ({problem})") from None
    if rows.size == 0 and rows.ndim < 2:
        rows = rows.reshape(0, dim or 0)
    if rows.ndim != 2:
        raise InvalidInput(f"{what}: expected shape [n, d], got {list(rows.shape)}")
    if dim is not None and rows.shape[1] != dim:
        raise DimensionMismatch(f"{what}: dimension {rows.shape[1]}, expected {dim}")
    if len(rows) and rows.shape[1] == 0:
        raise DimensionMismatch(f"{what}: rows without coordinates")
    finite = np.isfinite(rows).all(axis=1)
    if not finite.all():
        raise NotFinite(f"{what}: row {int(np.argmin(finite))} holds NaN or infinity")
    return rows


def row_sums(products: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of each row, [n, d] to [n], by repeated halving; overwrites its argument."""
    width = products.shape[1]
    if width == 0:
        return np.zeros(len(products), dtype=np.float64)
    while width > 1:
        kept = (width + 1) // 2
        products[:, : width - kept] += products[:, kept:width]
        width = kept
    return products[:, 0].copy()


def unit_rows(rows: NDArray[np.float32], what: str = "vectors") -> NDArray[np.float32]:
    """Each row over its Euclidean norm, float32 [n, d], in place; ZeroVector where there is no direction."""
    for block in _blocks(len(rows)):
        wide = rows[block].astype(np.float64)
        norms = np.sqrt(row_sums(wide * wide))
        if not norms.all():
            raise ZeroVector(f"{what}: row {block.start + int(np.argmin(norms))} is all zeros")
        rows[block] = wide / norms[:, None]
    return rows


def own_query(query: Any, dim: int, what: str = "query vector") -> NDArray[np.float32]:
    """A finite float32 copy [d] of a query's vector; accepts [d] and [1, d]."""
    vector = np.asarray(query)
    if vector.ndim == 2 and len(vector) == 1:
        vector = vector[0]
    if vector.ndim != 1:
        raise InvalidInput(f"{what}: expected shape [{dim}], got {list(vector.shape)}")
    if len(vector) != dim:
        raise DimensionMismatch(f"{what}: dimension {len(vector)}, the index has {dim}")
    row: NDArray[np.float32] = own_rows(vector[None], what)[0]
    return row


def _blocks(count: int) -> Iterator[slice]:
    for start in range(0, count, BLOCK_ROWS):
        yield slice(start, min(start + BLOCK_ROWS, count))
