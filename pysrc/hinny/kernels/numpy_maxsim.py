"""MaxSim in numpy: the product of a block of whole documents with the query, reduced at once.

Khattab and Zaharia, "ColBERT", SIGIR 2020: for each query token the best document token, then, here,
the mean over query tokens, so that the score of unit tokens lies in [-1, 1].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import ZERO_POINT, Rows, held
from hinny.kernels.numpy_products import by_rows

BLOCK_TOKENS = 4096


class NumpyMaxSimScan:
    """MaxSim of query tokens with every document's tokens."""

    kernel = "numpy"

    def __init__(self, tokens: Rows, counts: NDArray[np.int32]) -> None:
        """`tokens` of all documents in order, `counts` (each at least 1) of them a document."""
        self._tokens = held(tokens)
        self._starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int32)

    def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 [documents] for query tokens [q, d]."""
        starts = self._starts
        out = np.empty(len(starts) - 1, dtype=np.float32)
        first = 0
        while first < len(out):
            # As many whole documents as fit a block, at least one.
            last = int(np.searchsorted(starts, starts[first] + BLOCK_TOKENS, side="right")) - 1
            last = min(max(last, first + 1), len(out))
            similarity = self._similarity(query, slice(int(starts[first]), int(starts[last])))
            best = np.maximum.reduceat(similarity, starts[first:last] - starts[first], axis=0)
            out[first:last] = best.mean(axis=1)
            first = last
        return out

    def _similarity(self, query: NDArray[np.float32], block: slice) -> NDArray[np.float32]:
        """float32 [block tokens, q]."""
        if isinstance(self._tokens, np.ndarray):
            return by_rows(self._tokens[block], query)
        product = by_rows(self._tokens.values[block].astype(np.float32), query)
        product -= np.float32(ZERO_POINT) * query.sum(axis=1)
        product *= self._tokens.worth[block, None]
        return product

    async def close(self) -> None:
        """Nothing outside Python is held."""
