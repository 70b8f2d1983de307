"""Token matrices as plain arrays: how many tokens each document has, and all tokens one after the other.

Khattab and Zaharia, "ColBERT", SIGIR 2020, for what the tokens are; every token is unit-normalised,
so that a product of two is a cosine. Quantised by TurboQuant, a 96-dimensional token is 52 bytes at 4
bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import DimensionMismatch, InvalidInput
from hinny.late.pooling import check_pool, pooled
from hinny.quant.rows import own_rows, unit_rows
from hinny.quant.turboquant import DEFAULT_SEED, QuantizedVectors, TurboQuant


@dataclass(frozen=True, slots=True, eq=False)
class TokenMatrices:
    """Every document's unit tokens, exact."""

    token_counts: NDArray[np.int32]
    """Tokens a document, [documents], each at least 1."""
    tokens: NDArray[np.float32]
    """[all tokens, d], document by document."""


@dataclass(frozen=True, slots=True, eq=False)
class ColbertTokenIndex:
    """Every document's tokens, quantised: numbers and arrays only, to store and to load."""

    token_counts: NDArray[np.int32]
    """Tokens a document, [documents], each at least 1."""
    turboquant: QuantizedVectors

    def __post_init__(self) -> None:
        counts = self.token_counts
        if counts.dtype != np.int32 or counts.ndim != 1:
            raise InvalidInput(f"token_counts: expected int32 [n], got {counts.dtype} {list(counts.shape)}")
        if len(counts) and int(counts.min()) < 1:
            raise InvalidInput(f"token_counts: document {int(counts.argmin())} has no token")
        total = int(counts.sum(dtype=np.int64))
        if total != len(self.turboquant):
            raise InvalidInput(f"token_counts sum to {total}, there are {len(self.turboquant)} token codes")

    def __len__(self) -> int:
        return len(self.token_counts)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return int(self.token_counts.nbytes) + self.turboquant.nbytes


def collect_matrices(matrices: Sequence[Any], *, pool: float = 1.0) -> TokenMatrices:
    """Owned unit tokens of all documents.

    matrices: one [tokens, d] a document. pool: the share of its tokens that a document keeps, after
    merging the most alike (1: all). InvalidInput, DimensionMismatch, NotFinite or ZeroVector name
    the document that cannot be used.
    """
    check_pool(pool)
    owned = []
    dim: int | None = None
    for position, matrix in enumerate(matrices):
        what = f"matrices[{position}]"
        rows = own_rows(matrix, what)
        if not len(rows):
            raise InvalidInput(f"{what}: a document without tokens")
        if dim is not None and rows.shape[1] != dim:
            raise DimensionMismatch(f"{what}: dimension {rows.shape[1]}, the first document has {dim}")
        dim = rows.shape[1]
        owned.append(pooled(unit_rows(rows, what), pool))
    counts = np.array([len(rows) for rows in owned], dtype=np.int32)
    tokens = np.concatenate(owned) if owned else np.empty((0, 0), dtype=np.float32)
    return TokenMatrices(counts, tokens)


def build_colbert_token_index(
    matrices: Sequence[Any], *, seed: int = DEFAULT_SEED, bits: int = 4, pool: float = 1.0
) -> ColbertTokenIndex:
    """Quantise token matrices once, for every retriever that will be made from them.

    A retriever made from the index ranks exactly as one made from the matrices with the same
    options. At least one document is needed, since its dimension is the index's.
    """
    collected = collect_matrices(matrices, pool=pool)
    if not len(collected.token_counts):
        raise InvalidInput("matrices: no document to build a token index from")
    quantizer = TurboQuant(collected.tokens.shape[1], bits, seed)
    return ColbertTokenIndex(collected.token_counts, quantizer.encode(collected.tokens))
