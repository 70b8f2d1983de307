"""What the neural factories of a bundle are made of, each on its way or there: sources and a reranker.

A member is brought once, however many factories use it; one that failed is tried again after a while.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from hinny.errors import SourceLoading
from hinny.models.encoders import make_encoder
from hinny.protocols import PartSource, Retriever, resolve
from hinny.ranking.rerankers import best_first, pair_scores
from hinny.records import Candidate, Query
from hinny.site.factories import RERANK, VECTOR

if TYPE_CHECKING:
    from hinny.dense.ids import IdRows
    from hinny.models.pins import ModelPin
    from hinny.platform.base import Platform

RETRY = 15.0
"""Seconds after which a model that failed is tried again, when a search asks for it."""

TextsOf = Callable[[Sequence[str]], Awaitable[list[str]]]
"""From sections' ids to what a model reads of them."""


class Member(ABC):
    """A source or the reranker. `start` brings it here in the background; `error` says why that failed."""

    def __init__(self, name: str, pin: ModelPin, platform: Platform) -> None:
        self.name = name
        self.pin = pin
        self.encoder: Any = make_encoder(pin, platform, truncate=True)
        self.error: Exception | None = None
        self._failed_at = 0.0
        self._coming: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether it came, or failed and need not be tried again yet."""
        settled = self._coming is not None and self._coming.done()
        return settled and (self.error is None or monotonic() - self._failed_at < RETRY)

    def start(self) -> asyncio.Task[None]:
        """Bring it here; harmless when it is. The task never fails: see `error`."""
        if self.error is not None and not self.is_over:
            self.error, self._coming = None, None
        if self._coming is None:
            self._coming = asyncio.ensure_future(self._bring())
        return self._coming

    def forgive(self) -> None:
        """The next `start` tries again what failed, however recently."""
        self._failed_at = -inf

    async def close(self) -> None:
        """Give back what it holds, after the accepted work."""
        if self._coming is not None and not self._coming.done():
            self._coming.cancel()
        await self.encoder.dispose()

    async def _bring(self) -> None:
        try:
            await self._load()
        except Exception as error:
            self.error, self._failed_at = error, monotonic()

    @abstractmethod
    async def _load(self) -> None:
        """What takes time; may raise."""


class Source(Member):
    """Vectors or tokens, and the model that asks them."""

    def __init__(
        self,
        name: str,
        pin: ModelPin,
        platform: Platform,
        *,
        bundle: PartSource,
        rows: Callable[[], IdRows],
        opened: Callable[[Source, Retriever], Awaitable[None]],
    ) -> None:
        """`rows` gives the sections' ids, `opened` is told the retriever, before the model is there."""
        super().__init__(name, pin, platform)
        self.retriever: Retriever | None = None
        self.recorded: dict[str, Any] = {}
        """Text to its vector or token matrix, for questions that the bundle recorded."""
        self._platform = platform
        self._bundle = bundle
        self._rows = rows
        self._opened = opened
        self._opening: asyncio.Task[Retriever] | None = None

    async def encode(self, text: str) -> Any:
        """A query's vector or token matrix; `SourceLoading` while the model is on its way."""
        if text in self.recorded:
            return self.recorded[text]
        if self.error is not None:
            raise self.error
        if self.retriever is None or not self.encoder.loaded:
            raise SourceLoading(self.name, f"the model {self.pin.id} is still loading")
        if self.name == VECTOR:
            return await self.encoder.embed_query(text, truncate=True)
        return (await self.encoder.encode_queries([text], truncate=True))[0]

    async def open(self) -> Retriever:
        """The retriever over the parts; opened once, and again after a failure."""
        if self.retriever is not None:
            return self.retriever
        if self._opening is None or self._opening.done():
            self._opening = asyncio.ensure_future(self._open())
        return await asyncio.shield(self._opening)

    async def close(self) -> None:
        """Give back what it holds, after the accepted work."""
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
        await super().close()
        close = getattr(self.retriever, "close", None)
        if close is not None:
            await resolve(close())

    async def _load(self) -> None:
        retriever, _ = await asyncio.gather(self.open(), self.encoder.load())
        # The first question makes the scan's session: ask it before a reader does.
        await resolve(retriever.retrieve(Query(self.pin.id), limit=1))

    async def _open(self) -> Retriever:
        options: dict[str, Any] = {
            "ids": self._rows(),
            "fingerprint": self.pin.fingerprint(),
            "runtime": self._platform.runtime,
        }
        retriever: Retriever
        if self.name == VECTOR:
            from hinny.dense.retriever import VectorRetriever

            retriever = await VectorRetriever.open(self._bundle, embed_query=self.encode, **options)
        else:
            from hinny.late.retriever import ColbertRetriever

            retriever = await ColbertRetriever.open(self._bundle, encode_query=self.encode, **options)
        self.retriever = retriever
        await self._opened(self, retriever)
        return retriever


class SectionReranker(Member):
    """A cross-encoder over the sections' texts: a `Reranker`, and a member on its way to being one."""

    def __init__(self, pin: ModelPin, platform: Platform, texts: TextsOf) -> None:
        super().__init__(RERANK, pin, platform)
        self._texts = texts

    async def rerank(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        """All of `ids`, best first; their texts come together, in as many reads as they lie in ranges."""
        scores = await pair_scores(self.encoder, query.text, await self._texts(ids))
        return best_first(ids, scores)

    async def _load(self) -> None:
        await self.encoder.load()
        # As with a source: the first pair costs more than the next.
        await self.encoder.score(self.pin.id, [self.pin.id])
