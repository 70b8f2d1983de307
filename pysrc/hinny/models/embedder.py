"""Texts to single vectors: tokenise, run, pool, scale to length 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.models.batching import padded
from hinny.models.encoder import PinnedEncoder
from hinny.models.pooling import cls_pool, mean_pool, normalize

Vectors = NDArray[np.float32]


class TextEmbedder(PinnedEncoder):
    """An `Embedder` (protocols.py) over a pin."""

    kind = "embedder"
    called = "an embedder"

    async def embed_documents(self, texts: Sequence[str], *, truncate: bool | None = None) -> Vectors:
        """float32 [n, d], each of length 1 when the pin says so; no texts give [0, d]."""
        return await self._embed(texts, self.pin.document_prefix, self.pin.document_length, truncate)

    async def embed_queries(self, texts: Sequence[str], *, truncate: bool | None = None) -> Vectors:
        """float32 [n, d]."""
        return await self._embed(texts, self.pin.query_prefix, self.pin.query_length, truncate)

    async def embed_query(self, text: str, *, truncate: bool | None = None) -> Vectors:
        """float32 [d]."""
        vectors = await self.embed_queries([text], truncate=truncate)
        vector: Vectors = vectors[0]
        return vector

    async def _embed(self, texts: Sequence[str], prefix: str, limit: int, truncate: bool | None) -> Vectors:
        out = np.zeros((len(texts), self.pin.dimensions), dtype=np.float32)
        if not len(texts):
            return out
        rows = await self._fitted([prefix + text for text in texts], limit, truncate)
        for group, ids, mask in padded(rows, self.pin.pad_id):
            states = await self._model.run(ids, mask)
            pooled = mean_pool(states, mask) if self.pin.pooling == "mean" else cls_pool(states)
            self._check_width(pooled.shape[1])
            out[group] = normalize(pooled) if self.pin.normalize else pooled
        return out
