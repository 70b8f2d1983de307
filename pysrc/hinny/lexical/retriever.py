"""A lexical index as a source of candidates for hybrid ranking."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from hinny.errors import InvalidOption, UnknownField
from hinny.lexical.index import LexicalIndex
from hinny.lexical.search_options import MAX_LIMIT, SearchOptions
from hinny.records import Candidate, Query


class LexicalRetriever:
    """BM25F candidates, rescoring of a pool, and what ranking policies want to know of a lexical source.

    `search` are options of every `LexicalIndex.search` call; a field it lists brings its surface companion.
    `exact` names the fields of literal lookup: names, or a mapping with `fields` and `case_sensitive`. A
    metadata filter in `search` constrains this source only.
    """

    def __init__(
        self,
        index: LexicalIndex,
        *,
        search: Mapping[str, Any] | None = None,
        exact: Mapping[str, Any] | Collection[str] | None = None,
        name: str = "lexical",
    ) -> None:
        self.index = index
        self._search = dict(search or {})
        given = exact if exact is not None else self._search.pop("exact", None)
        self._exact = SearchOptions.from_keywords({"exact": given}, index.fields).exact
        for field in self._exact.fields if self._exact else ():
            if field not in index.exact_fields:
                kept = ", ".join(index.exact_fields) or "none: build with exact=(...)"
                raise UnknownField("exact", field, f"fields kept as written: {kept}")
        SearchOptions.from_keywords(self._search, index.fields)  # a wrong option is an error now, not later
        for option in ("limit", "offset", "ids"):
            if option in self._search:
                raise InvalidOption(
                    option, self._search[option], "no part of `search`: it is asked for by call"
                )
        self._name = name

    @property
    def name(self) -> str:
        """The source's name in weights, signals and reports."""
        return self._name

    @property
    def has_exact_fields(self) -> bool:
        """Whether literal lookup can be asked for: fields were named."""
        return self._exact is not None

    async def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> Sequence[Candidate]:
        """The best `limit` documents of those of `ids`, where given; corpus statistics stay those of all."""
        result = await self.index.search_async(query.text, limit=limit, ids=ids, **self._search)
        return [Candidate(hit.id, hit.score, hit.tier) for hit in result.hits]

    async def rescore(self, query: Query, ids: Sequence[str]) -> Sequence[Candidate]:
        """Those of `ids` that match, scored as `retrieve` scores them."""
        return await self.retrieve(query, limit=min(len(ids), MAX_LIMIT), ids=ids)

    async def exact(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> Sequence[str]:
        """Ids of the documents of which a named field equals the query's text, in the index's order.

        Raises `InvalidOption` when no fields were named.
        """
        if self._exact is None:
            raise InvalidOption("exact", None, "fields named when the retriever was made")
        equal = await self.index.literal(query.text, self._exact)
        allowed = None if ids is None else set(ids)
        return [id for id in equal if allowed is None or id in allowed][:limit]

    async def match_share(self, query: Query, id: str) -> float | None:
        """Share (0 to 1) of the query's idf that the document matches; None when no word is searchable."""
        return await self.index.match_share(query.text, id, fields=self._search.get("fields"))

    def average_length(self) -> float:
        """Mean number of analysed terms a document, over the fields that are searched."""
        return self.index.average_length(self._search.get("fields"))
