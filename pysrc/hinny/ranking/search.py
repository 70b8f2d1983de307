"""HybridSearch: lexical, vector and late-interaction retrieval under one explainable order.

    search = HybridSearch(lexical=words, vector=vectors, defaults=search_preset("efficient"))
    hits = await search.search("append an item", limit=10)
    response = await search.search_with_stats("append an item", exact="promote")

Every option is a keyword (see `SearchOptions`); `defaults` are options for every search. Nothing is
changed in place: a search holds its sources and its defaults, and a caller's lists stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hinny.errors import InvalidInput, InvalidOption, NotFinite
from hinny.protocols import Reranker, Retriever
from hinny.ranking.blocking import run_blocking
from hinny.ranking.options import SearchOptions, make_options
from hinny.ranking.pipeline import run_pipeline
from hinny.ranking.sources import Sources
from hinny.records import Hit, Query, SearchResponse

QueryLike = str | Query | Mapping[str, Any]


def as_query(query: QueryLike) -> Query:
    """A Query from a text, a Query, or a mapping with `text` and `vector`; the vector is checked."""
    if isinstance(query, str):
        return Query(query)
    if isinstance(query, Mapping):
        unknown = set(query).difference(("text", "vector"))
        if unknown:
            raise InvalidInput(f"a query has text and vector, not {', '.join(sorted(map(str, unknown)))}")
        query = Query(query.get("text", ""), query.get("vector"))
    text: Any = getattr(query, "text", None)
    if not isinstance(text, str):
        raise InvalidInput("a query is a text, a Query, or a mapping with text and vector")
    if query.vector is None:
        return query
    import numpy as np

    try:
        vector = np.array(query.vector, dtype=np.float32)
    except (TypeError, ValueError):
        raise InvalidInput("a query vector is one row of numbers") from None
    if vector.ndim != 1 or not vector.size:
        raise InvalidInput(f"a query vector is one row of numbers, not shape {vector.shape}")
    if not np.isfinite(vector).all():
        raise NotFinite("the query vector holds NaN or infinity")
    return Query(query.text, vector)


class HybridSearch:
    """One search over one to 64 sources, with an optional reranker; safe to share between tasks."""

    def __init__(
        self,
        *,
        lexical: Retriever | None = None,
        vector: Retriever | None = None,
        tokens: Retriever | None = None,
        more: Mapping[str, Retriever] | None = None,
        reranker: Reranker | None = None,
        defaults: Mapping[str, Any] | SearchOptions | None = None,
        on_error: str | None = None,
    ) -> None:
        """Sources by role (`more` by names of their own); at least one. Defaults are validated here."""
        if reranker is not None and not callable(getattr(reranker, "rerank", None)):
            raise InvalidOption("reranker", reranker, "an object with rerank(query, ids)")
        self._sources = Sources({"lexical": lexical, "vector": vector, "tokens": tokens}, more or {})
        self._reranker = reranker
        policy = {} if on_error is None else {"on_error": on_error}
        self._defaults = make_options(defaults, policy)
        self._sources.check(self._defaults)

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources."""
        return tuple(self._sources.by_name)

    @property
    def defaults(self) -> SearchOptions:
        """The options of a search that names none."""
        return self._defaults

    async def search(self, query: QueryLike, **options: Any) -> tuple[Hit, ...]:
        """The page of hits; the same as `search_with_stats(...).hits`."""
        return (await self.search_with_stats(query, **options)).hits

    async def search_with_stats(self, query: QueryLike, **options: Any) -> SearchResponse:
        """The page of hits with counts, timings and decisions.

        Options and query are validated before anything is retrieved (`InvalidOption`, `InvalidInput`).
        """
        chosen = self._defaults
        if options:
            chosen = make_options(chosen, options)
            self._sources.check(chosen)
        return await run_pipeline(self._sources, self._reranker, as_query(query), chosen)

    def search_sync(self, query: QueryLike, **options: Any) -> tuple[Hit, ...]:
        """`search` for code that cannot await."""
        return run_blocking(lambda: self.search(query, **options))

    def search_with_stats_sync(self, query: QueryLike, **options: Any) -> SearchResponse:
        """`search_with_stats` for code that cannot await."""
        return run_blocking(lambda: self.search_with_stats(query, **options))
