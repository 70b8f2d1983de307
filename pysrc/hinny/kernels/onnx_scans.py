"""The scans run by onnxruntime, natively or in the browser's worker, through a ModelRuntime."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import Rows, Sessions
from hinny.kernels.buckets import make_buckets
from hinny.kernels.onnx_graphs import dense_graph, maxsim_graph

BLOCK_ROWS = 16384
"""Documents a block of the dense graph: what is copied while a session packs its weights stays small."""

External = dict[str, "NDArray[np.generic]"]


class OnnxDenseScan:
    """Inner products with every row; a query is rounded to bytes where the rows are bytes."""

    kernel = "onnx"

    def __init__(self, runtime: Sessions, session: int) -> None:
        self._runtime = runtime
        self._session = session

    @classmethod
    async def load(cls, runtime: Sessions, rows: Rows) -> OnnxDenseScan:
        """Give the runtime a graph for these rows (at least one)."""
        external: External = {}
        columns = []
        for block, start in enumerate(range(0, len(rows), BLOCK_ROWS)):
            columns.append(_add_block(external, block, rows, slice(start, start + BLOCK_ROWS)))
        quantised = not isinstance(rows, np.ndarray)
        dim = rows.shape[1] if isinstance(rows, np.ndarray) else rows.dim
        graph = dense_graph(dim, columns, quantised=quantised)
        return cls(runtime, await runtime.load_session(graph, external))

    async def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 [n] for a query [d]."""
        outputs = await self._runtime.run(self._session, {"query": query[None]})
        scores: NDArray[np.float32] = outputs["scores"].reshape(-1).astype(np.float32, copy=False)
        return scores

    async def close(self) -> None:
        """Give the runtime's memory back."""
        await self._runtime.release(self._session)


class OnnxMaxSimScan:
    """MaxSim with every document, over blocks of documents of nearly one length."""

    kernel = "onnx"

    def __init__(self, runtime: Sessions, session: int, places: NDArray[np.int32]) -> None:
        """`places[i]`: where document i stands in the graph's answer."""
        self._runtime = runtime
        self._session = session
        self._places = places

    @classmethod
    async def load(cls, runtime: Sessions, tokens: Rows, counts: NDArray[np.int32]) -> OnnxMaxSimScan:
        """Give the runtime a graph for these documents (at least one)."""
        external: External = {}
        buckets = make_buckets(counts)
        for block, bucket in enumerate(buckets):
            _add_block(external, block, tokens, bucket.tokens)
        quantised = not isinstance(tokens, np.ndarray)
        dim = tokens.shape[1] if isinstance(tokens, np.ndarray) else tokens.dim
        shapes = [(len(bucket.documents), bucket.length) for bucket in buckets]
        graph = maxsim_graph(dim, shapes, quantised=quantised)
        order = np.concatenate([bucket.documents for bucket in buckets])
        places = np.empty(len(order), dtype=np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        return cls(runtime, await runtime.load_session(graph, external), places)

    async def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 [documents] for query tokens [q, d]."""
        outputs = await self._runtime.run(self._session, {"query": query})
        scores: NDArray[np.float32] = outputs["scores"].astype(np.float32, copy=False)[self._places]
        return scores

    async def close(self) -> None:
        """Give the runtime's memory back."""
        await self._runtime.release(self._session)


def _add_block(external: External, block: int, rows: Rows, which: slice | NDArray[np.int32]) -> int:
    """Add one block's weights, [d, columns], and say how many columns it has."""
    if isinstance(rows, np.ndarray):
        chosen = rows[which]
        external[f"rows{block}"] = np.ascontiguousarray(chosen.T)
        return len(chosen)
    taken = rows.take(which)
    external[f"rows{block}"] = np.ascontiguousarray(taken.values.T)
    external[f"worth{block}"] = taken.worth
    return len(taken)
