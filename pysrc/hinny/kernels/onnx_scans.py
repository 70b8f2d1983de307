"""The scans run by onnxruntime, natively or in the browser's worker, through a ModelRuntime."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import Rows, Sessions
from hinny.kernels.buckets import make_buckets
from hinny.kernels.onnx_graphs import dense_graph, maxsim_graph

BLOCK_ROWS = 1984
"""Documents a block of the dense graph.

onnxruntime's wasm kernel reads a weight down its columns, 128 coordinates at a time, one row's stride apart.
A stride of 31 cache lines spreads those reads over the cache's sets and over few pages; measured 0.8 ms
for 10,000 x 384 against 1.2 in one block, and 2 to 3 times faster than strides of a power of two.
"""


class Weights(Mapping[str, "NDArray[np.generic]"]):
    """A graph's external weights by name, each made when the runtime asks for it and not kept here.

    A block is widened to bytes and turned to columns only then, so that Python never holds more than one.
    """

    def __init__(self, rows: Rows, blocks: Sequence[slice | NDArray[np.int32]]) -> None:
        self._makers: dict[str, Callable[[], NDArray[np.generic]]] = {}
        for block, which in enumerate(blocks):
            self._makers[f"rows{block}"] = partial(_columns, rows, which)
            if not isinstance(rows, np.ndarray):
                self._makers[f"worth{block}"] = partial(rows.worths, which)

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


class OnnxDenseScan:
    """Inner products with every row; a query is rounded to bytes where the rows are bytes."""

    kernel = "onnx"

    def __init__(self, runtime: Sessions, session: int) -> None:
        self._runtime = runtime
        self._session = session

    @classmethod
    async def load(cls, runtime: Sessions, rows: Rows) -> OnnxDenseScan:
        """Give the runtime a graph for these rows (at least one)."""
        starts = range(0, len(rows), BLOCK_ROWS)
        columns = [min(BLOCK_ROWS, len(rows) - start) for start in starts]
        blocks = [slice(start, start + BLOCK_ROWS) for start in starts]
        graph = dense_graph(_dim(rows), columns, quantised=not isinstance(rows, np.ndarray))
        return cls(runtime, await runtime.load_session(graph, Weights(rows, blocks)))

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
        buckets = make_buckets(counts)
        shapes = [(len(bucket.documents), bucket.length) for bucket in buckets]
        graph = maxsim_graph(_dim(tokens), shapes, quantised=not isinstance(tokens, np.ndarray))
        order = np.concatenate([bucket.documents for bucket in buckets])
        places = np.empty(len(order), dtype=np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        weights = Weights(tokens, [bucket.tokens for bucket in buckets])
        return cls(runtime, await runtime.load_session(graph, weights), places)

    async def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """float32 [documents] for query tokens [q, d]."""
        outputs = await self._runtime.run(self._session, {"query": query})
        scores: NDArray[np.float32] = outputs["scores"].astype(np.float32, copy=False)[self._places]
        return scores

    async def close(self) -> None:
        """Give the runtime's memory back."""
        await self._runtime.release(self._session)


def _dim(rows: Rows) -> int:
    return int(rows.shape[1]) if isinstance(rows, np.ndarray) else rows.dim


def _columns(rows: Rows, which: slice | NDArray[np.int32]) -> NDArray[np.generic]:
    """Some rows as the columns of a new C-contiguous array."""
    chosen: NDArray[np.generic] = rows[which] if isinstance(rows, np.ndarray) else rows.widened(which)
    return np.ascontiguousarray(chosen.T)
