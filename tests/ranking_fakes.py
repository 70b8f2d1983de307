"""Small sources for ranking tests: fixed rows, recorded calls, failures and delays on demand."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from hinny.records import Candidate, Query

Rows = Sequence[tuple[str, float]]


class Source:
    """Answers fixed rows, synchronously; remembers what it was asked."""

    def __init__(self, rows: Rows | Sequence[Candidate], *, name: str = "fake") -> None:
        self.name = name
        self.rows = [row if isinstance(row, Candidate) else Candidate(*row) for row in rows]
        self.calls: list[dict[str, Any]] = []

    def retrieve(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> list[Candidate]:
        self.calls.append({"query": query, "limit": limit, "ids": ids})
        return [row for row in self.rows if ids is None or row.id in ids][:limit]


class AsyncSource(Source):
    """The same after a delay; remembers whether it was cancelled."""

    def __init__(self, rows: Rows, *, name: str = "fake", delay: float = 0.0) -> None:
        super().__init__(rows, name=name)
        self.delay = delay
        self.cancelled = False

    async def retrieve(  # type: ignore[override]
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> list[Candidate]:
        try:
            await asyncio.sleep(self.delay)
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return super().retrieve(query, limit=limit, ids=ids)


class FailingSource(Source):
    """Raises."""

    def __init__(self, error: Exception, *, name: str = "fake") -> None:
        super().__init__([], name=name)
        self.error = error

    def retrieve(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> list[Candidate]:
        super().retrieve(query, limit=limit, ids=ids)
        raise self.error


class Lexical(Source):
    """With every ability of a lexical retriever."""

    score_kind = "bm25f"

    def __init__(
        self,
        rows: Rows | Sequence[Candidate],
        *,
        literal: Sequence[str] = (),
        share: float | None = 1.0,
        length: float = 100.0,
        all_scores: Rows | None = None,
    ) -> None:
        super().__init__(rows, name="lexical")
        self.literal = list(literal)
        self.share = share
        self.length = length
        self.all_scores = [Candidate(*row) for row in (all_scores or ())] or self.rows
        self.exact_calls: list[dict[str, Any]] = []
        self.share_calls: list[str] = []
        self.rescore_calls: list[list[str]] = []

    def exact(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> list[str]:
        self.exact_calls.append({"query": query, "limit": limit, "ids": ids})
        return [id for id in self.literal if ids is None or id in ids][:limit]

    def match_share(self, query: Query, id: str) -> float | None:
        self.share_calls.append(id)
        return self.share

    def average_length(self) -> float:
        return self.length

    def rescore(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        self.rescore_calls.append(list(ids))
        return [row for row in self.all_scores if row.id in ids]


class Rescoring(Source):
    """A vector source that can score any document."""

    score_kind = "cosine"

    def __init__(self, rows: Rows, *, others: Rows = ()) -> None:
        super().__init__(rows, name="vector")
        self.others = [Candidate(*row) for row in others]
        self.rescore_calls: list[list[str]] = []

    def rescore(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        self.rescore_calls.append(list(ids))
        known = [*self.rows, *self.others]
        return sorted((row for row in known if row.id in ids), key=lambda row: -row.score)


class Reranker:
    """Puts ids in the order of their given scores (0 where none is given)."""

    def __init__(self, scores: dict[str, float] | None = None) -> None:
        self.scores = scores or {}
        self.calls: list[list[str]] = []

    def rerank(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        self.calls.append(list(ids))
        rows = [Candidate(id, self.scores.get(id, 0.0)) for id in ids]
        return sorted(rows, key=lambda row: -row.score)


def ids(hits: Sequence[Any]) -> list[str]:
    """The ids of hits, in order."""
    return [hit.id for hit in hits]


def falling(names: str | Sequence[str], top: float = 1.0, step: float = 0.01) -> list[tuple[str, float]]:
    """Rows for these ids with falling scores: `falling("abc")` is a 1.0, b 0.99, c 0.98."""
    return [(name, top - step * place) for place, name in enumerate(names)]
