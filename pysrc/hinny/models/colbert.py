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

from hinny.errors import ModelError
from hinny.models.batching import batches, fit, pad
from hinny.models.loaded import LoadedModel
from hinny.models.pins import ModelPin
from hinny.models.pooling import normalize

if TYPE_CHECKING:
    from hinny.platform.base import Platform

Matrix = NDArray[np.float32]


class ColbertEncoder:
    """A `TokenEncoder` (protocols.py) over a pin. The model is loaded at the first call."""

    def __init__(self, pin: ModelPin, platform: Platform, *, truncate: bool | None = None) -> None:
        if pin.kind != "colbert":
            raise ModelError(f"{pin.id} is a {pin.kind}, not a colbert model")
        self.pin = pin
        self._truncate = pin.truncate if truncate is None else truncate
        self._model = LoadedModel(pin, platform)
        self._skipped: NDArray[np.int64] | None = None

    @property
    def fingerprint(self) -> str:
        """See `TokenEncoder`."""
        return self.pin.fingerprint()

    @property
    def dimensions(self) -> int:
        """Width of a token's vector."""
        return self.pin.dimensions

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

    async def _tokens(
        self, texts: Sequence[str], marker: int | None, limit: int, truncate: bool | None
    ) -> list[list[int]]:
        if not len(texts):
            return []
        cut = self._truncate if truncate is None else truncate
        given = [text.lower() for text in texts] if self.pin.lowercase else list(texts)
        tokens = await self._model.tokenize(given)
        room = limit if marker is None else limit - 1
        rows = [fit(ids, room, truncate=cut, what=f"text {number}") for number, ids in enumerate(tokens)]
        return rows if marker is None else [[*ids[:1], marker, *ids[1:]] for ids in rows]

    async def _run(self, rows: list[list[int]], attended: list[list[int]]) -> list[Matrix]:
        """Rows to matrices; only the tokens of `attended`, a beginning of each row, are seen by others."""
        out = [np.zeros((0, self.pin.dimensions), dtype=np.float32) for _ in rows]
        for group in batches([len(ids) for ids in rows]):
            ids, mask = pad([rows[row] for row in group], self.pin.pad_id)
            if not ids.shape[1]:
                continue
            if attended is not rows:
                for place, row in enumerate(group):
                    mask[place, len(attended[row]) :] = 0
            states = await self._model.run(ids, mask)
            if states.shape[2] != self.pin.dimensions:
                raise ModelError(
                    f"{self.pin.id} gave {states.shape[2]} dimensions, its pin says {self.pin.dimensions}"
                )
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
