"""What a scan is: every document's score for one query, whoever computes it.

Three makers stand behind `choice.make_dense` and `choice.make_maxsim`: numpy everywhere, ONNX graphs
wherever a ModelRuntime can run them, and WebAssembly over packed 4-bit codes in the browser. A scan
returns the scores of all documents, float32 [n]; eligibility and the top are taken from them in numpy
(`selection`), where ids are known: a TopK inside the graph was measured no faster for 10,000 documents
and slower for 100,000, and a mask would have to travel with each query.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

ZERO_POINT = 128
"""The byte that stands for 0."""


@dataclass(frozen=True, slots=True, eq=False)
class ByteRows:
    """Vectors as bytes: row i is (values[i] - ZERO_POINT) * worth[i]."""

    values: NDArray[np.uint8]
    """[n, d]."""
    worth: NDArray[np.float32]
    """[n]."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def dim(self) -> int:
        """Coordinates of a row."""
        return int(self.values.shape[1])

    def widened(self, rows: slice | NDArray[np.integer]) -> NDArray[np.uint8]:
        """Some of the values."""
        return self.values[rows]

    def worths(self, rows: slice | NDArray[np.integer]) -> NDArray[np.float32]:
        """What one unit of each of these rows is worth."""
        return self.worth[rows]


class ByteSource(Protocol):
    """Whatever can give byte rows piece by piece, so that packed codes are never widened all at once."""

    def __len__(self) -> int:
        """Number of rows."""

    @property
    def dim(self) -> int:
        """Coordinates of a row."""

    def widened(self, rows: slice | NDArray[np.integer]) -> NDArray[np.uint8]:
        """Values [m, d] of some of the rows."""

    def worths(self, rows: slice | NDArray[np.integer]) -> NDArray[np.float32]:
        """What one unit of each of these rows is worth, [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedRows:
    """4-bit codes as they are stored: coordinate j of row i is (levels[code] - 64) * worth[i]."""

    codes: NDArray[np.uint8]
    """[n, ceil(dim / 2)], the low half of a byte first."""
    worth: NDArray[np.float32]
    """[n]."""
    levels: NDArray[np.uint8]
    """[16], from 0 to 127."""
    dim: int


@runtime_checkable
class PackedSource(Protocol):
    """A ByteSource that can also give its codes unwidened."""

    def packed(self) -> PackedRows | None:
        """All rows, None where their codes are not 4 bits wide."""


class PackedScans(Protocol):
    """Scans over packed codes by a host that has them (the browser's worker); they answer at once."""

    def load(self, rows: PackedRows, counts: NDArray[np.int32] | None) -> int:
        """A handle. `counts`: tokens of each document, for MaxSim; None: each row is a document."""

    def scores(self, handle: int, query: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """Scores of a query [q, dim] (one row without `counts`) into `out` [documents]."""

    def release(self, handle: int) -> None:
        """Frees a scan."""


Rows = NDArray[np.float32] | ByteSource
"""What is scanned: float32 [n, d], or bytes."""


def held(rows: Rows) -> NDArray[np.float32] | ByteRows:
    """All rows at once, for a scan in numpy."""
    everything = slice(None)
    return (
        rows if isinstance(rows, np.ndarray) else ByteRows(rows.widened(everything), rows.worths(everything))
    )


class DenseScan(Protocol):
    """Inner products with every row."""

    @property
    def kernel(self) -> str:
        """`numpy`, `onnx` or `wasm`."""

    def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32] | Awaitable[NDArray[np.float32]]:
        """float32 [n] for a query [d]."""

    async def close(self) -> None:
        """Give back what the runtime holds; the scan is not used after."""


class MaxSimScan(Protocol):
    """Late interaction with every document."""

    @property
    def kernel(self) -> str:
        """`numpy`, `onnx` or `wasm`."""

    def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32] | Awaitable[NDArray[np.float32]]:
        """float32 [documents] for query tokens [q, d]: mean over q of the best token's product."""

    async def close(self) -> None:
        """Give back what the runtime holds; the scan is not used after."""


class Sessions(Protocol):
    """What the ONNX maker needs of a ModelRuntime."""

    async def load_session(
        self, graph: bytes, external: Mapping[str, NDArray[np.generic]] | None = None
    ) -> int:
        """A handle for a graph, its external weights given by file name."""

    async def run(
        self, session: int, inputs: Mapping[str, NDArray[np.generic]]
    ) -> dict[str, NDArray[np.generic]]:
        """The named outputs."""

    async def release(self, handle: int) -> None:
        """Frees a session."""
