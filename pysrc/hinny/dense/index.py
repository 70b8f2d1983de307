"""What a vector index is to the retriever: a protocol, so that an ANN index can stand in."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


class Ranked(NamedTuple):
    """Rows and their scores, in no particular order."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float32]


@runtime_checkable
class VectorIndex(Protocol):
    """Vectors that can be searched; rows are numbered from 0."""

    @property
    def dim(self) -> int:
        """Dimension of the vectors and of every query."""

    @property
    def metric(self) -> str:
        """`cosine` (queries arrive unit-normalised) or `dot`."""

    @property
    def kernel(self) -> str:
        """What computes the scan: `numpy`, `onnx`, or another index's own name."""

    def __len__(self) -> int:
        """Number of vectors."""

    def search(
        self, query: NDArray[np.float32], limit: int, eligible: NDArray[np.bool_] | None = None
    ) -> Ranked | Awaitable[Ranked]:
        """The `limit` best eligible rows, and every row that ties with the last of them."""

    def score(
        self, query: NDArray[np.float32], rows: NDArray[np.int32]
    ) -> NDArray[np.float32] | Awaitable[NDArray[np.float32]]:
        """The most exact scores that the index can give for some rows, float32 [len(rows)]."""
