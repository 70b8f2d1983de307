"""The words of a site as a source of the ranking pipeline.

A site asks its index first, once: what the query means, how many sections match and what a filter leaves are
parts of the answer whatever else is searched. The source hands the hits on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from hinny.records import Candidate, Query
from hinny.site.sections import without_number

if TYPE_CHECKING:
    from hinny.lexical.index import LexicalIndex
    from hinny.lexical.results import LexicalResult
    from hinny.site.store import SectionStore


@dataclass(frozen=True, slots=True, eq=False)
class SiteQuery(Query):
    """A reader's question, with what the index found for it; `text` is what a model reads: no operators."""

    found: LexicalResult | None = None


class SiteLexical:
    """Hands on what the index found for a `SiteQuery`. A Retriever, ExactMatcher and MatchShare."""

    name = "lexical"
    score_kind = "bm25f"

    def __init__(self, index: LexicalIndex, store: SectionStore) -> None:
        self._index = index
        self._store = store

    def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> Sequence[Candidate]:
        """The first `limit` hits."""
        hits = _found(query).hits
        if ids is not None:
            hits = tuple(hit for hit in hits if hit.id in ids)
        return [Candidate(hit.id, hit.score, hit.tier) for hit in hits[:limit]]

    def exact(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> Sequence[str]:
        """Those of the first `limit` hits whose own title is the query: a section's heading, or its page's.

        Upper and lower case and the number of a chapter do not matter.
        """
        wanted = _plain(query.text)
        if not wanted:
            return []
        found = []
        for hit in _found(query).hits[:limit]:
            entry = self._store.entry(hit.row)
            title = entry.headings[-1] if entry.headings else entry.page_title
            if _plain(without_number(title)) == wanted and (ids is None or hit.id in ids):
                found.append(hit.id)
        return found

    async def match_share(self, query: Query, id: str) -> float | None:
        """Share (0 to 1) of the query's idf that the section matches; None when no word is searchable."""
        return await self._index.match_share(query.text, id)

    def average_length(self) -> float:
        """Mean number of words a section."""
        return self._index.average_length()


def _found(query: Any) -> LexicalResult:
    found: LexicalResult | None = getattr(query, "found", None)
    if found is None:
        raise TypeError("a site's words are asked with a SiteQuery that holds what the index found")
    return found


def _plain(title: str) -> str:
    return " ".join(normalize("NFC", title).casefold().split())
