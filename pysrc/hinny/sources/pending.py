"""Sources and rerankers that are still on their way.

A page searches as soon as the lexical index is there. Whatever waits for a model stands in the search as a
pending source: asked before it is ready it raises `SourceLoading`, which a fail-open search reports
as `loading`; once `set`, it hands every question on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Sequence
from typing import Any

from hinny.errors import SourceLoading
from hinny.protocols import Reranker, Rescorer, Retriever
from hinny.records import Candidate, Query

ON_ITS_WAY = "still loading: ask again in a moment"


class _Pending:
    """What both kinds share: not there, there, or failed for good."""

    def __init__(self, name: str, message: str = ON_ITS_WAY) -> None:
        self.name = name
        self.message = message
        """What a search asked meanwhile reports; may be updated as the loading goes on."""
        self._target: Any = None
        self._error: Exception | None = None

    @property
    def ready(self) -> bool:
        """True once there is something to ask."""
        return self._target is not None

    def fail(self, error: Exception) -> None:
        """It will not come: searches report this error instead of `loading`."""
        self._error = error

    def _ready_target(self) -> Any:
        if self._target is not None:
            return self._target
        if self._error is not None:
            raise self._error
        raise SourceLoading(self.name, self.message)


class PendingRetriever(_Pending):
    """Stands for a retriever until `set` gives it one."""

    def set(self, retriever: Retriever) -> None:
        """From now on this retriever answers."""
        self._target = retriever

    @property
    def score_kind(self) -> str | None:
        """The retriever's own, once there."""
        kind: str | None = getattr(self._target, "score_kind", None)
        return kind

    @property
    def kernel(self) -> Any:
        """The retriever's own, once there."""
        return getattr(self._target, "kernel", None)

    def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> Sequence[Candidate] | Awaitable[Sequence[Candidate]]:
        """The retriever's answer, or `SourceLoading`."""
        target: Retriever = self._ready_target()
        return target.retrieve(query, limit=limit, ids=ids)

    def rescore(
        self, query: Query, ids: Sequence[str]
    ) -> Sequence[Candidate] | Awaitable[Sequence[Candidate]]:
        """The retriever's own scores of a pool; where it cannot rescore, a retrieval within the pool."""
        target: Any = self._ready_target()
        if isinstance(target, Rescorer):
            return target.rescore(query, ids)
        retriever: Retriever = target
        return retriever.retrieve(query, limit=max(1, len(ids)), ids=frozenset(ids))


class PendingReranker(_Pending):
    """Stands for a reranker until `set` gives it one."""

    def set(self, reranker: Reranker) -> None:
        """From now on this reranker answers."""
        self._target = reranker

    def rerank(
        self, query: Query, ids: Sequence[str]
    ) -> Sequence[Candidate] | Awaitable[Sequence[Candidate]]:
        """The reranker's answer, or `SourceLoading`."""
        target: Reranker = self._ready_target()
        return target.rerank(query, ids)
