"""Parts of a `SearchAnswer` (worker/src/api.ts): a hit as the page shows it, and what became of the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hinny.records import to_plain

if TYPE_CHECKING:
    from hinny.lexical.results import LexicalResult
    from hinny.records import Hit
    from hinny.site.highlight import Highlighter
    from hinny.site.store import Entry

EXCERPT = 240
"""Characters of an excerpt."""


def show(hit: Hit, entry: Entry, text: str, highlighter: Highlighter) -> dict[str, Any]:
    """A `Result`; `text` is the section's."""
    return {
        "id": entry.id,
        "rank": hit.rank,
        "score": hit.score,
        "scoreKind": hit.score_kind,
        "url": entry.url,
        "page": entry.page,
        **highlighter.section(entry.page_title, entry.headings, text, entry.language, EXCERPT),
        "language": entry.language,
        "exact": hit.exact,
        "reasons": list(hit.reasons),
        "metadata": to_plain(entry.metadata),
    }


def query_facts(text: str, problems: Sequence[str], found: LexicalResult) -> dict[str, Any]:
    """What the query was, what was wrong with it, and what may have been meant."""
    return {
        "text": text,
        "problems": [*problems, *found.problems],
        "didYouMean": found.did_you_mean,
        "alsoSearched": list(found.also_searched),
    }


def facet_counts(found: LexicalResult) -> dict[str, list[dict[str, Any]]]:
    """By facet: each value with the hits that have it, before and after the filters."""
    return {
        name: [{"value": str(c.value), "before": c.before, "after": c.after} for c in counts]
        for name, counts in found.facets.items()
    }
