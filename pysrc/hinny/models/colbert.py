"""Texts to token matrices for late interaction: ColBERT (arXiv 2004.12832, 2112.01488).

A marker token behind the first tells query from document. A query may be filled with mask tokens
that the model has learnt to use (query expansion); a document leaves out the tokens of a skip list,
punctuation as a rule. Every row has length 1, so that a dot product is a cosine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hinny.models.batching import padded
from hinny.models.encoder import PinnedEncoder
from hinny.models.pins import ModelPin
from hinny.models.pooling import normalize

if TYPE_CHECKING:
    from hinny.platform.base import Platform

Matrix = NDArray[np.float32]


class ColbertEncoder(PinnedEncoder):
    """A `TokenEncoder` (protocols.py) over a pin."""

    kind = "colbert"
    called = "a colbert model"

    def __init__(self, pin: ModelPin, platform: Platform, *, truncate: bool | None = None) -> None:
        super().__init__(pin, platform, truncate=truncate)
        self._skipped: NDArray[np.int64] | None = None

    async def encode_documents(self, texts: Sequence[str], *, truncate: bool | None = None) -> list[Matrix]:
        """One float32 [tokens, d] a text, tokens of the skip list left out."""
        rows = await self._tokens(texts, self.pin.document_marker, self.pin.document_length, truncate)
        matrices = await self._run(rows, rows)
        skipped = await self._skip_ids() if rows else None
        if skipped is None or not len(skipped):
            return matrices
        kept = [~np.isin(np.asarray(ids, dtype=np.int64), skipped) for ids in rows]
        return [matrix[keep] for matrix, keep in zip(matrices, kept, strict=True)]

    async def encode_queries(self, texts: Sequence[str], *, truncate: bool | None = None) -> list[Matrix]:
        """One float32 [tokens, d] a text; with query expansion all have `query_length` rows."""
        rows = await self._tokens(texts, self.pin.query_marker, self.pin.query_length, truncate)
        attended = rows
        if self.pin.query_expansion and self.pin.mask_id is not None:
            fill = self.pin.mask_id
            rows = [ids + [fill] * (self.pin.query_length - len(ids)) for ids in rows]
            if self.pin.attend_to_expansion:
                attended = rows
        return await self._run(rows, attended)

    async def _tokens(
        self, texts: Sequence[str], marker: int | None, limit: int, truncate: bool | None
    ) -> list[list[int]]:
        if not len(texts):
            return []
        given = [text.lower() for text in texts] if self.pin.lowercase else list(texts)
        rows = await self._fitted(given, limit if marker is None else limit - 1, truncate)
        return rows if marker is None else [[*ids[:1], marker, *ids[1:]] for ids in rows]

    async def _run(self, rows: list[list[int]], attended: list[list[int]]) -> list[Matrix]:
        """Rows to matrices; only the tokens of `attended`, a beginning of each row, are seen by others."""
        out = [np.zeros((0, self.pin.dimensions), dtype=np.float32) for _ in rows]
        for group, ids, mask in padded(rows, self.pin.pad_id):
            if attended is not rows:
                for place, row in enumerate(group):
                    mask[place, len(attended[row]) :] = 0
            states = await self._model.run(ids, mask)
            self._check_width(states.shape[2])
            for place, row in enumerate(group):
                out[row] = normalize(states[place, : len(rows[row])])
        return out

    async def _skip_ids(self) -> NDArray[np.int64]:
        if self._skipped is None:
            ids: list[list[int]] = []
            if self.pin.skiplist:
                ids = await self._model.tokenize(self.pin.skiplist, add_special_tokens=False)
            self._skipped = np.asarray(sorted({row[0] for row in ids if len(row) == 1}), dtype=np.int64)
        return self._skipped
