"""Query and passage read together: one score a pair (Nogueira and Cho 2019, arXiv 1901.04085).

The pair is [start] query [separator] passage [separator], with token types 0 and 1. An overlong pair
loses the passage's end; a query over the pin's `query_length` loses its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hinny.errors import InputTooLong, ModelError
from hinny.models.batching import padded
from hinny.models.encoder import PinnedEncoder


class CrossEncoder(PinnedEncoder):
    """A `PairScorer` (protocols.py) over a pin."""

    kind = "cross-encoder"
    called = "a cross-encoder"

    async def score(self, query: str, texts: Sequence[str], *, truncate: bool | None = None) -> list[float]:
        """One score a text, in their order; in 0 to 1 where the pin's activation is the sigmoid."""
        if not len(texts):
            return []
        cut = self._cuts(truncate)
        question, *passages = await self._model.tokenize([query, *texts], add_special_tokens=False)
        # [start] and two separators go with every pair.
        room = self.pin.document_length - 3
        if len(question) > min(self.pin.query_length, room):
            if not cut:
                raise InputTooLong(len(question), min(self.pin.query_length, room), what="the query")
            question = question[: min(self.pin.query_length, room)]
        room -= len(question)
        for number, passage in enumerate(passages):
            if len(passage) > room and not cut:
                raise InputTooLong(len(passage), room, what=f"text {number} (beside the query)")
        start, separator = self.pin.start_id, self.pin.separator_id
        if start is None or separator is None:  # a checked pin has both
            raise ModelError(f"{self.pin.id} has no start_id or separator_id")
        head = [start, *question, separator]
        rows = [[*head, *passage[:room], separator] for passage in passages]
        scores = np.zeros(len(rows), dtype=np.float32)
        for group, ids, mask in padded(rows, self.pin.pad_id):
            types = mask.copy()
            types[:, : len(head)] = 0
            logits = await self._model.run(ids, mask, types)
            scores[group] = logits.reshape(len(group), -1)[:, 0]
        if self.pin.activation == "sigmoid":
            # exp of at most 88 stays finite in float32
            return [float(score) for score in 1 / (1 + np.exp(-np.clip(scores, -88, 88)))]
        return [float(score) for score in scores]
