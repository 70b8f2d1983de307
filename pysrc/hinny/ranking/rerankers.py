"""From a model that scores texts to a `Reranker` that orders ids.

A text resolver says what text stands for an id: results are ids, never stored text. A model may be
given as itself or as a function without arguments that makes it (a coroutine function, too), which is
called on first use, once, however many searches ask at that moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from hinny.errors import InvalidOption, SourceError
from hinny.protocols import PairScorer, TextResolver, TokenEncoder, resolve
from hinny.ranking.sources import RERANK_STAGE
from hinny.records import Candidate, Query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    """A `Reranker` over a late-interaction model.

    The model either orders texts itself (`rerank(query, texts, truncate=)`) or encodes tokens (a
    `TokenEncoder`), whose MaxSim is averaged over the query's tokens, in [-1, 1]. With `truncate=False` a
    text over the model's limit fails the stage instead of being cut in silence. A model's indices are into
    the texts it was given and are mapped back to ids here; one that is missing, doubled or out of range is
    a `SourceError`.
    """

    def __init__(
        self,
        model: ColbertModel | TokenEncoder | Callable[[], Any],
        text_for: TextResolver,
        *,
        truncate: bool = False,
    ) -> None:
        method = "encode_queries" if hasattr(model, "encode_queries") else "rerank"
        self._model: Lazy[ColbertModel | TokenEncoder] = Lazy(model, method)
        self._text_for = text_for
        self._truncate = truncate

    async def rerank(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        """All of `ids`, best first."""
        texts = await texts_of(ids, self._text_for)
        model: Any = await self._model.get()
        if not hasattr(model, "rerank"):
            scores = await maxsim_scores(model, query.text, texts, truncate=self._truncate)
            return best_first(ids, scores)
        rows = await resolve(model.rerank(query.text, texts, truncate=self._truncate))
        answer = []
        for index, score in rows:
            place = int(index)
            if not 0 <= place < len(ids):
                raise SourceError(RERANK_STAGE, f"index {place} for {len(ids)} texts")
            answer.append(Candidate(ids[place], float(score)))
        return answer


async def maxsim_scores(
    encoder: TokenEncoder, query: str, texts: Sequence[str], *, truncate: bool
) -> list[float]:
    """Each text's MaxSim: the mean over the query's tokens of the best cosine among the text's tokens.

    Khattab and Zaharia, "ColBERT", SIGIR 2020. A text without a token with direction scores -1.
    """
    import numpy as np

    (asked,) = await resolve(encoder.encode_queries([query], truncate=truncate))
    tokens = unit_tokens(asked)
    if not len(tokens):
        raise SourceError(RERANK_STAGE, "the encoder gave no token for the query")
    matrices = await resolve(encoder.encode_documents(list(texts), truncate=truncate))
    if len(matrices) != len(texts):
        raise SourceError(RERANK_STAGE, f"{len(matrices)} token matrices for {len(texts)} texts")
    scores = []
    for matrix in matrices:
        rows = unit_tokens(matrix)
        best = (rows @ tokens.T).max(axis=0) if len(rows) else np.full(len(tokens), -1.0)
        scores.append(float(best.mean()))
    return scores


def unit_tokens(matrix: Any) -> NDArray[np.float64]:
    """Unit rows, float64 [tokens, d]; rows without direction are left out."""
    import numpy as np

    rows = np.asarray(matrix, dtype=np.float64)
    norms = np.sqrt((rows * rows).sum(axis=1))
    unit: NDArray[np.float64] = rows[norms > 0] / norms[norms > 0, None]
    return unit
