"""Brute force over float32 rows: cosine on unit rows, or the plain inner product."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.dense.index import Ranked
from hinny.dense.lazy_scan import LazyScan
from hinny.kernels.base import DenseScan, Sessions
from hinny.kernels.choice import Kernel, make_dense
from hinny.kernels.numpy_products import by_vector
from hinny.kernels.selection import top_rows


class ExactIndex:
    """Every row is compared with the query; nothing is approximated."""

    def __init__(
        self,
        rows: NDArray[np.float32],
        metric: str = "cosine",
        *,
        kernel: Kernel = "auto",
        runtime: Sessions | None = None,
    ) -> None:
        """`rows` float32 [n, d], already checked, owned, and unit-normalised under cosine."""
        self.rows = rows
        self.metric = metric
        self._scan: LazyScan[DenseScan] = LazyScan(
            lambda kernel, runtime: make_dense(rows, kernel, runtime), kernel, runtime
        )

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def dim(self) -> int:
        return int(self.rows.shape[1])

    @property
    def kernel(self) -> str:
        return self._scan.kernel

    async def close(self) -> None:
        """Give back what the runtime holds."""
        await self._scan.close()

    async def search(
        self, query: NDArray[np.float32], limit: int, eligible: NDArray[np.bool_] | None = None
    ) -> Ranked:
        """The best eligible rows, ties at the edge included."""
        scores = await self._scan.scores(query)
        rows = top_rows(scores, limit, eligible)
        return Ranked(rows, scores[rows])

    def score(self, query: NDArray[np.float32], rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Inner products with some rows, float32."""
        return by_vector(self.rows[rows], query)
