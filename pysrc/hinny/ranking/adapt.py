"""Weights by what the words leave open: what the best lexical hit covers, no other source need find.

    factor = floor + (1 - floor) * (1 - share)

`share` is the share of the query's idf-weighted words that the lexical source's first hit matches. A name
or term that a document has word for word (share 1) leaves the other sources `floor` of their weight; a
question whose words are mostly elsewhere (share 0) leaves them all of it. Words that the index lacks weigh
the most, so a paraphrased or translated query hands over to the other sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hinny.ranking.options import SearchOptions
from hinny.ranking.sources import LEXICAL


def factor(share: float, floor: float) -> float:
    """What the weights of all sources but the lexical one are multiplied by, in [floor, 1]."""
    return floor + (1.0 - floor) * (1.0 - min(1.0, max(0.0, share)))


def adapted(weights: Mapping[str, float], by: float) -> dict[str, float]:
    """The weights with every source's but the lexical one's multiplied."""
    return {name: weight if name == LEXICAL else weight * by for name, weight in weights.items()}


def early_reason(options: SearchOptions, lists: Mapping[str, Any], *, supported: bool) -> str | None:
    """Why the weights stand as given, as far as can be told before asking for the share."""
    if options.strategy != "fusion" and options.cascade != "fuse":
        return "strategy"
    if len(lists) < 2 or not lists.get(LEXICAL):
        return "no-candidates"
    return None if supported else "unsupported"


def not_adapted(reason: str) -> dict[str, Any]:
    """The weights stand as given: strategy, no-candidates, unsupported, no-words or error."""
    return {"action": "unavailable", "reason": reason}
