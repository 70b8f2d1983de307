"""Two sets of options, stated as data.

`efficient`: both sources give 25 candidates, and reciprocal rank fusion with k = 1 and three times the
lexical weight joins them; the weak-lexical rule is on; no neural stage. `reranked`: the same, then a
late-interaction reranker over the first 25 with k = 1 and weight 0.25, skipped at a vector margin of
0.1. With these numbers the neural stage cannot displace the first hit, which keeps at least 1/2 where
no other exceeds 1/3 + 0.25/2 = 11/24; it may reorder the rest. The margin and the gap are in the scale
of a cosine; they are rules of thumb for sentence embedders, not probabilities.
"""

from __future__ import annotations

from typing import Any

from hinny.errors import InvalidOption

PRESETS = ("efficient", "reranked")


def search_preset(name: str) -> dict[str, Any]:
    """A new dictionary of options, to pass as `defaults` or to spread into a search."""
    if name not in PRESETS:
        raise InvalidOption("preset", name, " or ".join(repr(item) for item in PRESETS))
    options: dict[str, Any] = {
        "strategy": "fusion",
        "lexical_candidates": 25,
        "vector_candidates": 25,
        "fusion": {"method": "rrf", "k": 1, "weights": {"lexical": 3, "vector": 1}},
        "weak_lexical": {"share": 0.2, "gap": 0.15},
        "rerank": False,
    }
    if name == "reranked":
        options["rerank"] = {
            "candidates": 25,
            "method": "rrf",
            "k": 1,
            "weight": 0.25,
            "skip_if_vector_margin": 0.1,
        }
    return options
