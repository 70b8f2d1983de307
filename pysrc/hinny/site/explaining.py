"""Why a section stands where it stands: an `Explanation` of worker/src/api.ts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hinny.lexical.index import LexicalIndex
    from hinny.lexical.syntax import ParsedQuery
    from hinny.records import Hit


async def explain(
    index: LexicalIndex, text: str | ParsedQuery, hit: Hit, options: Mapping[str, Any]
) -> dict[str, Any]:
    """What each source said of the hit, and the words whose contributions sum to its lexical score."""
    found = await index.explain_async(text, hit.id, **options)
    titles = [
        f"{name}:{value:.3f}"
        for name, value in (("title-covers", found.title), ("title-is", found.exact_title))
        if value
    ]
    return {
        "sources": [
            {
                "name": name,
                "rank": signal.rank,
                "score": signal.score,
                "contribution": hit.contributions.get(name),
            }
            for name, signal in hit.signals.items()
        ],
        "terms": [
            {
                "word": term.word,
                "match": term.match,
                "field": term.field,
                "tf": term.tf,
                "idf": term.idf,
                "weight": term.weight,
                "contribution": term.contribution,
            }
            for term in found.terms
        ],
        "rerank": dict(hit.rerank_contributions),
        "reasons": [*titles, *hit.reasons],
    }
