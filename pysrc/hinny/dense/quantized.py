"""Brute force over TurboQuant codes: a byte scan for the pool, then a more exact look at the pool.

The scan rounds the query to bytes (in the ONNX graph) and the codebook's levels to bytes (in both
kernels). So it only proposes: the pool's scores are computed again with the float query, from the
codes, or from the full rows where they are kept and `refine_candidates` asks. What comes out is the
same whichever kernel scanned, as long as the pool holds it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.dense.code_bytes import CodeBytes
from hinny.dense.index import Ranked
from hinny.dense.lazy_scan import LazyScan
from hinny.kernels.base import DenseScan, Sessions
from hinny.kernels.choice import Kernel, make_dense
from hinny.kernels.numpy_products import by_vector
from hinny.kernels.selection import top_rows
from hinny.quant.turboquant import QuantizedVectors, TurboQuant

Full = NDArray[np.float32] | QuantizedVectors
"""What a pool is scored from again: unit float32 rows [n, d], or codes of more bits."""

_SPARE = 16
"""Rows that the scan proposes beyond those asked for, so that its rounding does not lose the last ones."""


class QuantizedIndex:
    """Cosine over codes of unit vectors, 2 to 8 bits a coordinate."""

    metric = "cosine"

    def __init__(
        self,
        vectors: QuantizedVectors,
        *,
        full: Full | None = None,
        refine_candidates: int = 0,
        kernel: Kernel = "auto",
        runtime: Sessions | None = None,
    ) -> None:
        """`full`, where it is at hand, is what `score` and `refine_candidates` use."""
        self.vectors = vectors
        self.full = full
        self.refine_candidates = refine_candidates
        self._quantizer = TurboQuant(vectors.dim, vectors.bits, vectors.seed)
        if isinstance(full, QuantizedVectors):
            self._full_quantizer = TurboQuant(full.dim, full.bits, full.seed)
        self._scan: LazyScan[DenseScan] = LazyScan(self._make_scan, kernel, runtime)

    def __len__(self) -> int:
        return len(self.vectors)

    @property
    def dim(self) -> int:
        return self.vectors.dim

    @property
    def kernel(self) -> str:
        return self._scan.kernel

    async def close(self) -> None:
        """Give back what the runtime holds."""
        await self._scan.close()

    async def search(
        self, query: NDArray[np.float32], limit: int, eligible: NDArray[np.bool_] | None = None
    ) -> Ranked:
        """The best eligible rows, ties at the edge included.

        The first `refine_candidates` (at least `limit`) of the scan are scored from the full rows
        where there are any; otherwise scores come from the codes.
        """
        if limit <= 0:
            return Ranked(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))
        rotated = self._quantizer.rotate(query[None])[0]
        refine = self.refine_candidates > 0 and self.full is not None
        pool_size = max(limit, self.refine_candidates) if refine else limit
        pool = top_rows(await self._scan.scores(rotated), pool_size + _SPARE, eligible)
        scores = self._quantizer.products(self.vectors, rotated, pool)
        if refine:
            pool = pool[top_rows(scores, pool_size)]
            scores = self.score(query, pool)
        best = top_rows(scores, limit)
        return Ranked(pool[best], scores[best])

    def score(self, query: NDArray[np.float32], rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Cosine with some rows: from the full rows where they are kept, else from the codes."""
        if self.full is None:
            return self._quantizer.products(self.vectors, self._quantizer.rotate(query[None])[0], rows)
        if isinstance(self.full, QuantizedVectors):
            return self._full_quantizer.products(self.full, self._full_quantizer.rotate(query[None])[0], rows)
        return by_vector(self.full[rows], query)

    async def _make_scan(self, kernel: Kernel, runtime: Sessions | None) -> DenseScan:
        return await make_dense(CodeBytes(self._quantizer, self.vectors), kernel, runtime)
