"""From the final order to a page of hits with everything known about them."""

from __future__ import annotations

from typing import Any

from hinny.ranking.collect import Collected
from hinny.ranking.options import SearchOptions
from hinny.ranking.ranked import Ranked
from hinny.ranking.sources import EXACT_STAGE, Sources
from hinny.records import Candidate, Hit, SearchResponse, Signal


def empty_response(options: SearchOptions, *, reranks: bool) -> SearchResponse:
    """The answer to nothing: no source was asked."""
    weak = {"action": "disabled"}
    if options.weak_lexical is not None:
        fusion = options.strategy == "fusion"
        weak = {"action": "unavailable", "reason": "no-candidates" if fusion else "strategy"}
    return SearchResponse(
        hits=(),
        strategy=options.strategy,
        counts={"reranked": 0},
        timings={"total": 0.0},
        rerank_decision={"action": "empty" if reranks else "disabled"},
        weak_lexical=weak,
    )


def build_response(
    sources: Sources,
    options: SearchOptions,
    found: Collected,
    ranked: Ranked,
    decisions: dict[str, dict[str, Any]],
) -> SearchResponse:
    """The page `offset` to `offset + limit` of the final order; `decisions` by their names in a response."""
    lists = found.lists
    counts = {name: len(rows) for name, rows in lists.items()}
    if options.exact is not None:
        counts[EXACT_STAGE] = len(ranked.exact)
    decision = decisions["rerank_decision"]
    counts["reranked"] = decision["candidates"] if decision["action"] == "applied" else 0
    kernels = {name: kernel for name in lists if (kernel := sources.kernel(name)) is not None}
    return SearchResponse(
        hits=page_of_hits(ranked, lists, options.offset, options.limit),
        total_candidates=len(ranked.order),
        strategy=options.strategy,
        counts=counts,
        timings=found.timings,
        representatives={name: rows[0].id for name, rows in lists.items() if rows},
        route=found.route,
        **decisions,
        kernels=kernels,
        degraded=tuple(found.degraded),
    )


def page_of_hits(
    ranked: Ranked, lists: dict[str, list[Candidate]], offset: int, limit: int
) -> tuple[Hit, ...]:
    """The hits of one page; objects are made for these only."""
    page = ranked.order[offset : offset + limit]
    wanted = set(page)
    signals: dict[str, dict[str, Signal]] = {}
    payloads: dict[str, dict[str, Any]] = {}
    for name, rows in lists.items():
        for rank, row in enumerate(rows, 1):
            if row.id in wanted:
                signals.setdefault(row.id, {})[name] = Signal(rank, row.score, row.tier)
                if row.payload is not None:
                    payloads.setdefault(row.id, {})[name] = row.payload
    return tuple(
        Hit(
            id=id,
            rank=rank,
            score=ranked.scores[id],
            score_kind=ranked.kinds[id],
            signals=signals.get(id, {}),
            contributions=ranked.contributions(id),
            rerank_contributions=ranked.rerank.get(id, {}),
            exact=id in ranked.exact,
            reasons=tuple(ranked.reasons.get(id, ())),
            payload=payloads.get(id),
        )
        for rank, id in enumerate(page, offset + 1)
    )
