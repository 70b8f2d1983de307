"""From a model that scores texts to a `Reranker` that orders ids.

A text resolver says what text stands for an id: results are ids, never stored text. A model may be
given as itself or as a function without arguments that makes it (a coroutine function, too), which is
called on first use, once, however many searches ask at that moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from math import isfinite
from typing import Any, Generic, Protocol, TypeVar, cast

from hinny.errors import InvalidOption, SourceError
from hinny.protocols import PairScorer, TextResolver, resolve
from hinny.ranking.sources import RERANK_STAGE
from hinny.records import Candidate, Query

T = TypeVar("T")


class ColbertModel(Protocol):
    """A late-interaction reranker over texts."""

    def rerank(
        self, query: str, texts: Sequence[str], *, truncate: bool = False
    ) -> Sequence[tuple[int, float]] | Awaitable[Sequence[tuple[int, float]]]:
        """`(index into texts, score)` for every text, best first."""


class Lazy(Generic[T]):
    """A model, or what makes it on first use. A failed attempt is not kept: the next use tries again."""

    def __init__(self, model: T | Callable[[], T | Awaitable[T]], method: str) -> None:
        self._value: T | None = None
        self._make: Callable[[], T | Awaitable[T]] | None = None
        self._task: asyncio.Task[T] | None = None
        if callable(getattr(model, method, None)):
            self._value = cast(T, model)
        elif callable(model):
            self._make = model
        else:
            raise InvalidOption("model", model, f"an object with {method}(), or a function that makes one")

    async def get(self) -> T:
        """The model."""
        if self._value is not None:
            return self._value
        assert self._make is not None
        task, loop = self._task, asyncio.get_running_loop()
        if task is None or task.get_loop() is not loop:
            task = self._task = loop.create_task(self._load(self._make))
        try:
            return await asyncio.shield(task)  # one caller's cancellation is not the others'
        finally:
            if task.done():
                self._task = None

    async def _load(self, make: Callable[[], T | Awaitable[T]]) -> T:
        self._value = await resolve(make())
        return self._value


async def texts_of(ids: Sequence[str], text_for: TextResolver) -> list[str]:
    """Each id's text; an id without one is a `SourceError`."""
    texts = []
    for id in ids:
        text: Any = await resolve(text_for(id))
        if not isinstance(text, str):
            raise SourceError(RERANK_STAGE, f"no text for {id!r}: the resolver gave {type(text).__name__}")
        texts.append(text)
    return texts


async def pair_scores(scorer: PairScorer, query: str, texts: Sequence[str]) -> list[float]:
    """One finite score a text."""
    scores = [float(score) for score in await resolve(scorer.score(query, list(texts)))]
    if len(scores) != len(texts):
        raise SourceError(RERANK_STAGE, f"{len(scores)} scores for {len(texts)} texts")
    if not all(map(isfinite, scores)):
        raise SourceError(RERANK_STAGE, "a score that is not finite")
    return scores


def best_first(ids: Sequence[str], scores: Sequence[float]) -> list[Candidate]:
    """Ids by falling score; equal scores keep the order given."""
    rows = [Candidate(id, score) for id, score in zip(ids, scores, strict=True)]
    rows.sort(key=lambda row: row.score, reverse=True)
    return rows


class CrossEncoderReranker:
    """A `Reranker` over any object with `score(query, texts)`, one score a text, higher is better."""

    def __init__(
        self, scorer: PairScorer | Callable[[], PairScorer | Awaitable[PairScorer]], text_for: TextResolver
    ) -> None:
        self._scorer: Lazy[PairScorer] = Lazy(scorer, "score")
        self._text_for = text_for

    async def rerank(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        """All of `ids`, best first."""
        texts = await texts_of(ids, self._text_for)
        scorer = await self._scorer.get()
        return best_first(ids, await pair_scores(scorer, query.text, texts))


class ColbertReranker:
    """A `Reranker` over a late-interaction model's `rerank(query, texts, truncate=)`.

    With `truncate=False` a text over the model's limit fails the stage instead of being cut in silence.
    The model's indices are into the texts it was given and are mapped back to ids here; one that is
    missing, doubled or out of range is a `SourceError`.
    """

    def __init__(
        self,
        model: ColbertModel | Callable[[], ColbertModel | Awaitable[ColbertModel]],
        text_for: TextResolver,
        *,
        truncate: bool = False,
    ) -> None:
        self._model: Lazy[ColbertModel] = Lazy(model, "rerank")
        self._text_for = text_for
        self._truncate = truncate

    async def rerank(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        """All of `ids`, best first."""
        texts = await texts_of(ids, self._text_for)
        model = await self._model.get()
        rows = await resolve(model.rerank(query.text, texts, truncate=self._truncate))
        answer = []
        for index, score in rows:
            place = int(index)
            if not 0 <= place < len(ids):
                raise SourceError(RERANK_STAGE, f"index {place} for {len(ids)} texts")
            answer.append(Candidate(ids[place], float(score)))
        return answer
