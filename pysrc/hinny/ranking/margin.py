"""The gate before the neural stage: a clear vector winner needs no second opinion.

It opens only when every condition holds: the vector list is whole (its source did not fail) and its
scores do not rise; it has two hits or more, whose first two differ by at least the threshold; its
winner is the current winner; and the lexical source agrees on it or, having been asked, has no hit.
The threshold is in the vector source's own scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hinny.records import Candidate


def margin_skip(
    winner: str, vector: Sequence[Candidate], lexical: Sequence[Candidate] | None, threshold: float
) -> dict[str, Any] | None:
    """The decision to skip, or None; `lexical` is None where the lexical source failed to answer."""
    if len(vector) < 2 or vector[0].id != winner or lexical is None:
        return None
    if lexical and lexical[0].id != winner:
        return None
    margin = vector[0].score - vector[1].score
    if margin < threshold:
        return None
    if any(vector[rank].score > vector[rank - 1].score for rank in range(1, len(vector))):
        return None
    return {
        "action": "skipped",
        "reason": "vector-margin",
        "winner": winner,
        "margin": margin,
        "threshold": threshold,
        "lexical": "agrees" if lexical else "empty",
    }
