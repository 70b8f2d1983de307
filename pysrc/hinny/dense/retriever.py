"""The source `vector`: a query's embedding against every document's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.dense.exact import ExactIndex
from hinny.dense.ids import IdRows, id_rows
from hinny.dense.index import VectorIndex
from hinny.dense.last_query import LastQuery
from hinny.dense.options import check_whole
from hinny.dense.quantized import QuantizedIndex
from hinny.errors import InvalidOption
from hinny.kernels.base import Sessions
from hinny.kernels.choice import Kernel
from hinny.protocols import PartSource, resolve
from hinny.quant.rows import own_query, own_rows, unit_rows
from hinny.quant.turboquant import DEFAULT_SEED, TurboQuant
from hinny.records import Candidate, Query

EmbedQuery = Callable[[str], "NDArray[np.float32] | Sequence[float] | Awaitable[Any]"]


class VectorRetriever:
    """Ranks by cosine or inner product; a Retriever and a Rescorer.

    Make one with `create_vector_retriever`, or open one from a bundle.
    """

    name = "vector"

    def __init__(
        self,
        ids: Sequence[str] | IdRows,
        index: VectorIndex,
        embed_query: EmbedQuery | None = None,
        *,
        fingerprint: str = "",
    ) -> None:
        """One id a row of `index`; `embed_query` may be left out when every query brings its vector."""
        self._ids = id_rows(ids)
        self._ids.expect(len(index), "vectors")
        self.index = index
        self.fingerprint = fingerprint
        self._last = LastQuery(embed_query, "embed_query")

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def score_kind(self) -> str:
        """`cosine` or `dot`."""
        return self.index.metric

    @property
    def kernel(self) -> str:
        """What scans: `numpy`, `onnx`, or the choice still to be made (`auto`)."""
        return self.index.kernel

    async def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> list[Candidate]:
        """The `limit` nearest documents, ties by id. Nothing for an empty query, index or `ids`."""
        check_whole("limit", limit)
        eligible = self._ids.mask(ids)
        if query.is_empty or not limit or not len(self._ids) or (eligible is not None and not eligible.any()):
            return []
        rows, scores = await resolve(self.index.search(await self._vector(query), limit, eligible))
        return self._ids.candidates(rows, self._bounded(scores), limit)

    async def rescore(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        """Those of `ids` that are known, best first, from the most exact vectors kept."""
        rows = np.unique(self._ids.rows(ids)).astype(np.int32)
        if query.is_empty or not len(rows):
            return []
        scores = await resolve(self.index.score(await self._vector(query), rows))
        return self._ids.candidates(rows, self._bounded(scores))

    async def close(self) -> None:
        """Give back what a runtime holds for this index (numpy scans hold nothing)."""
        close = getattr(self.index, "close", None)
        if close is not None:
            await resolve(close())

    def to_parts(self, *, full: str = "none") -> dict[str, bytes]:
        """The index as parts of a bundle, `vectors/...`.

        full: what a quantised index takes along to refine and rescore from: `none`, `bytes` (8-bit
        codes, d bytes a vector) or `floats`.
        """
        from hinny.dense.parts import to_parts

        return to_parts(self._ids, self.index, self.fingerprint, full=full)

    @classmethod
    def from_parts(
        cls,
        parts: Mapping[str, bytes],
        *,
        ids: Sequence[str] | IdRows,
        embed_query: EmbedQuery | None = None,
        fingerprint: str | None = None,
        refine_candidates: int = 0,
        kernel: Kernel = "auto",
        runtime: Sessions | None = None,
    ) -> VectorRetriever:
        """Open what `to_parts` made.

        `fingerprint` names the model that embeds the queries: FingerprintMismatch when the vectors
        are another's. InvalidInput when the ids are not those the index was built with.
        """
        from hinny.dense.parts import from_parts

        rows = id_rows(ids)
        index, made_by = from_parts(
            parts, rows, fingerprint, refine_candidates=refine_candidates, kernel=kernel, runtime=runtime
        )
        return cls(rows, index, embed_query, fingerprint=made_by)

    @classmethod
    async def open(cls, source: PartSource, **options: Any) -> VectorRetriever:
        """As `from_parts`, reading the parts from a bundle."""
        from hinny.dense.parts import part_names

        names = part_names(source.names, full=bool(options.get("refine_candidates")))
        return cls.from_parts({name: await resolve(source.read(name)) for name in names}, **options)

    async def _vector(self, query: Query) -> NDArray[np.float32]:
        if query.vector is not None:
            return self._checked(query.vector)
        vector: NDArray[np.float32] = await self._last.get(query.text, self._checked)
        return vector

    def _checked(self, vector: Any) -> NDArray[np.float32]:
        row = own_query(vector, self.index.dim)
        return unit_rows(row[None], "query vector")[0] if self.index.metric == "cosine" else row

    def _bounded(self, scores: NDArray[np.float32]) -> NDArray[np.float32]:
        """Rounding can carry a cosine past 1 by a little."""
        if self.index.metric != "cosine":
            return scores
        return np.clip(scores, np.float32(-1), np.float32(1))


def create_vector_retriever(
    *,
    ids: Sequence[str] | IdRows,
    vectors: Any,
    embed_query: EmbedQuery | None = None,
    metric: str = "cosine",
    strategy: str = "exact",
    refine_candidates: int = 0,
    bits: int = 4,
    seed: int = DEFAULT_SEED,
    fingerprint: str = "",
    kernel: Kernel = "auto",
    runtime: Sessions | None = None,
) -> VectorRetriever:
    """A vector source over an owned copy of `vectors` ([n, d] numbers, in the order of `ids`).

    metric: `cosine` (rows and queries are unit-normalised here) or `dot` (exact only).
    strategy: `exact` scans float32; `turboquant` scans codes of `bits` (2, 3, 4 or 8) a coordinate
    and keeps the float rows for rescoring. refine_candidates: under `turboquant`, how many of the
    scan's first are scored again from the float rows (0: none).
    """
    if metric not in ("cosine", "dot"):
        raise InvalidOption("metric", metric, "'cosine' or 'dot'")
    if strategy not in ("exact", "turboquant"):
        raise InvalidOption("strategy", strategy, "'exact' or 'turboquant'")
    if strategy == "turboquant" and metric == "dot":
        raise InvalidOption(
            "metric", metric, "'cosine' with strategy='turboquant'; dot product is exact only"
        )
    check_whole("refine_candidates", refine_candidates)
    known = id_rows(ids)
    rows = own_rows(vectors)
    known.expect(len(rows), "vectors")
    if metric == "cosine":
        unit_rows(rows)
    index: VectorIndex
    if strategy == "exact" or not len(rows):
        index = ExactIndex(rows, metric, kernel=kernel, runtime=runtime)
    else:
        index = QuantizedIndex(
            TurboQuant(rows.shape[1], bits, seed).encode(rows),
            full=rows,
            refine_candidates=refine_candidates,
            kernel=kernel,
            runtime=runtime,
        )
    return VectorRetriever(known, index, embed_query, fingerprint=fingerprint)
