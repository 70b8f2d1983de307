"""The source `tokens`: late interaction of a query's tokens with every document's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.dense.code_bytes import CodeBytes
from hinny.dense.ids import IdRows, id_rows
from hinny.dense.last_query import LastQuery
from hinny.dense.lazy_scan import LazyScan
from hinny.dense.options import check_whole
from hinny.errors import DimensionMismatch, InvalidInput, InvalidOption
from hinny.kernels.base import MaxSimScan, Sessions
from hinny.kernels.choice import Kernel, make_maxsim
from hinny.kernels.selection import top_rows
from hinny.late.token_index import (
    ColbertTokenIndex,
    TokenMatrices,
    build_colbert_token_index,
    collect_matrices,
)
from hinny.protocols import PartSource, resolve
from hinny.quant.rows import own_rows, unit_rows
from hinny.quant.turboquant import DEFAULT_SEED, TurboQuant
from hinny.records import Candidate, Query

EncodeQuery = Callable[[str], "NDArray[np.float32] | Awaitable[Any]"]


class ColbertRetriever:
    """Ranks by MaxSim averaged over the query's tokens, in [-1, 1]; a Retriever and a Rescorer.

    Make one with `create_colbert_retriever`. A query scans every document once; its scores are kept,
    so that a rescore of any pool inside the same search is a look-up.
    """

    name = "tokens"
    score_kind = "maxsim"

    def __init__(
        self,
        ids: Sequence[str] | IdRows,
        index: ColbertTokenIndex | TokenMatrices | None,
        encode_query: EncodeQuery,
        *,
        fingerprint: str = "",
        kernel: Kernel = "auto",
        runtime: Sessions | None = None,
    ) -> None:
        """One id a document of `index`; None is the index of no document."""
        self._ids = id_rows(ids)
        self._ids.expect(0 if index is None else len(index.token_counts), "documents in the token index")
        self.index = index
        self.fingerprint = fingerprint
        self._quantizer: TurboQuant | None = None
        if isinstance(index, ColbertTokenIndex):
            stored = index.turboquant
            self._quantizer = TurboQuant(stored.dim, stored.bits, stored.seed)
        self._scan: LazyScan[MaxSimScan] = LazyScan(self._make_scan, kernel, runtime)
        self._last = LastQuery(encode_query, "encode_query")
        self._last_scores: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def dim(self) -> int:
        """Dimension of a token; 0 for the empty index."""
        if isinstance(self.index, ColbertTokenIndex):
            return self.index.turboquant.dim
        return 0 if self.index is None else int(self.index.tokens.shape[1])

    @property
    def kernel(self) -> str:
        """What scans: `numpy`, `onnx`, or the choice still to be made (`auto`)."""
        return self._scan.kernel

    async def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> list[Candidate]:
        """The `limit` best documents, ties by id. Nothing for a query without text."""
        check_whole("limit", limit)
        eligible = self._ids.mask(ids)
        nothing = not limit or not len(self._ids) or (eligible is not None and not eligible.any())
        if nothing or not query.text.strip():
            return []
        scores = await self._scores(query.text)
        rows = top_rows(scores, limit, eligible)
        return self._ids.candidates(rows, scores[rows], limit)

    async def rescore(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        """Those of `ids` that are known, best first; from the kept scores when the query is the last one."""
        rows = np.unique(self._ids.rows(ids)).astype(np.int32)
        if not len(rows) or not query.text.strip():
            return []
        scores = await self._scores(query.text)
        return self._ids.candidates(rows, scores[rows])

    async def close(self) -> None:
        """Give back what a runtime holds for this index (numpy scans hold nothing)."""
        await self._scan.close()

    def to_parts(self) -> dict[str, bytes]:
        """The index as the part `tokens/index` of a bundle."""
        from hinny.late.parts import to_parts

        return to_parts(self._ids, self.index, self.fingerprint)

    @classmethod
    def from_parts(
        cls,
        parts: Mapping[str, bytes],
        *,
        ids: Sequence[str] | IdRows,
        encode_query: EncodeQuery,
        fingerprint: str | None = None,
        kernel: Kernel = "auto",
        runtime: Sessions | None = None,
    ) -> ColbertRetriever:
        """Open what `to_parts` made.

        `fingerprint` names the model that encodes the queries: FingerprintMismatch when the tokens
        are another's. InvalidInput when the ids are not those the index was built with.
        """
        from hinny.late.parts import from_parts

        rows = id_rows(ids)
        index, made_by = from_parts(parts, rows, fingerprint)
        return cls(rows, index, encode_query, fingerprint=made_by, kernel=kernel, runtime=runtime)

    @classmethod
    async def open(cls, source: PartSource, **options: Any) -> ColbertRetriever:
        """As `from_parts`, reading the part from a bundle."""
        from hinny.late.parts import INDEX

        return cls.from_parts({INDEX: await resolve(source.read(INDEX))}, **options)

    async def _scores(self, text: str) -> NDArray[np.float32]:
        tokens: NDArray[np.float32] = await self._last.get(text, self._checked)
        kept = self._last_scores
        if kept is not None and kept[0] is tokens:
            return kept[1]
        query = tokens if self._quantizer is None else self._quantizer.rotate(tokens)
        scores = np.clip(await self._scan.scores(query), np.float32(-1), np.float32(1))
        self._last_scores = (tokens, scores)
        return scores

    def _checked(self, matrix: Any) -> NDArray[np.float32]:
        tokens = own_rows(matrix, "query tokens")
        if not len(tokens):
            raise InvalidInput("query tokens: the encoder gave none")
        if tokens.shape[1] != self.dim:
            raise DimensionMismatch(f"query tokens: dimension {tokens.shape[1]}, the index has {self.dim}")
        return unit_rows(tokens, "query tokens")

    async def _make_scan(self, kernel: Kernel, runtime: Sessions | None) -> MaxSimScan:
        index = self.index
        assert index is not None
        if isinstance(index, TokenMatrices):
            return await make_maxsim(index.tokens, index.token_counts, kernel, runtime)
        assert self._quantizer is not None
        rows = CodeBytes(self._quantizer, index.turboquant)
        return await make_maxsim(rows, index.token_counts, kernel, runtime)


def create_colbert_retriever(
    *,
    ids: Sequence[str] | IdRows,
    encode_query: EncodeQuery,
    matrices: Sequence[Any] | None = None,
    index: ColbertTokenIndex | None = None,
    quantization: str = "turboquant",
    bits: int = 4,
    seed: int = DEFAULT_SEED,
    pool: float = 1.0,
    fingerprint: str = "",
    kernel: Kernel = "auto",
    runtime: Sessions | None = None,
) -> ColbertRetriever:
    """A late-interaction source from token matrices (one [tokens, d] a document) or a stored index.

    Exactly one of `matrices` and `index`, in the order of `ids`. quantization: `turboquant` (bits,
    seed) or `exact` (float32; from matrices only). pool: the share of tokens a document keeps.
    encode_query: from the query's text to its tokens [q, d], plain or awaitable.
    """
    if quantization not in ("turboquant", "exact"):
        raise InvalidOption("quantization", quantization, "'turboquant' or 'exact'")
    if (matrices is None) == (index is None):
        raise InvalidOption("matrices", "both" if index is not None else None, "one of matrices= and index=")
    if index is not None and quantization == "exact":
        raise InvalidOption("quantization", quantization, "'turboquant' with a stored index")
    if index is not None and pool != 1.0:
        raise InvalidOption("pool", pool, "1 with a stored index: pooling happens when it is built")
    known = id_rows(ids)
    source: ColbertTokenIndex | TokenMatrices | None = index
    if matrices is not None:
        known.expect(len(matrices), "token matrices")
        if quantization == "exact":
            source = collect_matrices(matrices, pool=pool)
        elif len(matrices):
            source = build_colbert_token_index(matrices, seed=seed, bits=bits, pool=pool)
    return ColbertRetriever(
        known, source, encode_query, fingerprint=fingerprint, kernel=kernel, runtime=runtime
    )
