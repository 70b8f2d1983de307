"""Weak-lexical promotion: when BM25 hardly matched the query, trust the vector source's first hit.

When the lexical source's first hit matches less than `share` of the query's idf-weighted words, and its
vector score is more than `gap` below the vector source's first hit, that vector hit moves to the top; the
others keep their order. A translated or paraphrased query is what this finds: its words are missing
from the index, and missing words weigh the most.

The lexical hit's vector score comes from the vector candidates, else from an exact rescore, else the last
vector candidate's score bounds it: the hit is not among the candidates, so it scores no higher, and
the true gap is at least the gap to the bound.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

from hinny.ranking.options import WeakLexicalOptions
from hinny.records import Candidate


def unavailable(reason: str) -> dict[str, Any]:
    """The rule could not be applied: strategy, no-candidates, same-first-hit, unsupported or no-words."""
    return {"action": "unavailable", "reason": reason}


def early_reason(
    *, fusion: bool, lexical: Sequence[Candidate], vector: Sequence[Candidate], supported: bool
) -> str | None:
    """Why the rule cannot be applied, as far as can be told before asking for the share."""
    if not fusion:
        return "strategy"
    if not lexical or not vector:
        return "no-candidates"
    if lexical[0].id == vector[0].id:
        return "same-first-hit"
    return None if supported else "unsupported"


async def vector_gap(
    lexical_first: str, vector: Sequence[Candidate], rescore: Callable[[str], Awaitable[float | None]]
) -> tuple[float, bool]:
    """How far the lexical hit's vector score is below the best, and whether that is a bound."""
    best = vector[0].score
    for row in vector:
        if row.id == lexical_first:
            return best - row.score, False
    score = await rescore(lexical_first)
    if score is not None:
        return best - score, False
    return best - vector[-1].score, True


def decide(
    lexical: str, vector: str, share: float, gap: float, bound: bool, options: WeakLexicalOptions
) -> dict[str, Any]:
    """Promote or keep, with everything that decided it."""
    promote = share < options.share and gap > options.gap
    return {
        "action": "promoted" if promote else "kept",
        "lexical": lexical,
        "vector": vector,
        "share": share,
        "gap": gap,
        "gap_bound": bound,
    }


def promote_first(order: Sequence[str], id: str, ahead: Collection[str]) -> list[str]:
    """The id moved up to just behind the leading run of `ahead` (exact matches); others keep their order."""
    if id in ahead:
        return list(order)
    rest = [other for other in order if other != id]
    lead = 0
    while lead < len(rest) and rest[lead] in ahead:
        lead += 1
    return [*rest[:lead], id, *rest[lead:]]
