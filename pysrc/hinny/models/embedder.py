"""Texts to single vectors: tokenise, run, pool, scale to length 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hinny.errors import ModelError
from hinny.models.batching import batches, fit, pad
from hinny.models.loaded import LoadedModel
from hinny.models.pins import ModelPin
from hinny.models.pooling import cls_pool, mean_pool, normalize

if TYPE_CHECKING:
    from hinny.platform.base import Platform

Vectors = NDArray[np.float32]


class TextEmbedder:
    """An `Embedder` (protocols.py) over a pin. The model is loaded at the first call.

    `truncate`: whether a text over the model's length is cut; None takes the pin's default, False
    makes it an `InputTooLong`. Whitespace reaches the tokenizer as it is.
    """

    def __init__(self, pin: ModelPin, platform: Platform, *, truncate: bool | None = None) -> None:
        if pin.kind != "embedder":
            raise ModelError(f"{pin.id} is a {pin.kind}, not an embedder")
        self.pin = pin
        self._truncate = pin.truncate if truncate is None else truncate
        self._model = LoadedModel(pin, platform)

    @property
    def fingerprint(self) -> str:
        """See `Embedder`."""
        return self.pin.fingerprint()

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        return self.pin.dimensions

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

    async def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of the texts as they are, special tokens included: to see what a model makes of them."""
        return await self._model.tokenize(texts)

    @property
    def loaded(self) -> bool:
        """Whether a text can be encoded without waiting for the model."""
        return self._model.loaded

    async def load(self) -> None:
        """Load the model now."""
        await self._model.load()

    async def dispose(self) -> None:
        """Free the model after the accepted work; harmless when called again."""
        await self._model.dispose()

    async def _embed(self, texts: Sequence[str], prefix: str, limit: int, truncate: bool | None) -> Vectors:
        out = np.zeros((len(texts), self.pin.dimensions), dtype=np.float32)
        if not len(texts):
            return out
        cut = self._truncate if truncate is None else truncate
        tokens = await self._model.tokenize([prefix + text for text in texts])
        rows = [fit(ids, limit, truncate=cut, what=f"text {number}") for number, ids in enumerate(tokens)]
        for group in batches([len(ids) for ids in rows]):
            ids, mask = pad([rows[row] for row in group], self.pin.pad_id)
            if not ids.shape[1]:  # a tokenizer that adds nothing to an empty text
                continue
            states = await self._model.run(ids, mask)
            pooled = mean_pool(states, mask) if self.pin.pooling == "mean" else cls_pool(states)
            if pooled.shape[1] != out.shape[1]:
                raise ModelError(
                    f"{self.pin.id} gave {pooled.shape[1]} dimensions, its pin says {out.shape[1]}"
                )
            out[group] = normalize(pooled) if self.pin.normalize else pooled
        return out
