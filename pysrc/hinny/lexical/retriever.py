"""A lexical index as a source of candidates for hybrid ranking."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hinny.lexical.index import LexicalIndex
from hinny.records import Candidate, Query


class LexicalRetriever:
    """BM25F candidates, rescoring of a pool, and what ranking policies want to know of a lexical source.

    `search` are options of every `LexicalIndex.search` call.
    """

    def __init__(
        self, index: LexicalIndex, *, search: Mapping[str, Any] | None = None, name: str = "lexical"
    ) -> None:
        self.index = index
        self._search = dict(search or {})
        self._name = name

    @property
    def name(self) -> str:
        """The source's name in weights, signals and reports."""
        return self._name

    async def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> Sequence[Candidate]:
        """The best `limit` documents of those of `ids`, where given; corpus statistics stay those of all."""
        result = await self.index.search_async(query.text, limit=limit, ids=ids, **self._search)
        return [Candidate(hit.id, hit.score, hit.tier) for hit in result.hits]

    async def rescore(self, query: Query, ids: Sequence[str]) -> Sequence[Candidate]:
        """Those of `ids` that match, scored as `retrieve` scores them."""
        return await self.retrieve(query, limit=len(ids), ids=ids)
