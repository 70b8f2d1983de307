"""Cascades: one source chooses the pool, the other orders it.

Only the first stage has a candidate budget; the second scores that whole pool and can neither add to
it nor recover what the first stage missed.
"""

from __future__ import annotations

from collections.abc import Sequence

from hinny.records import Candidate


def cascade_replace(
    first: Sequence[Candidate], second: Sequence[Candidate], *, keep_unmatched: bool
) -> tuple[list[str], int]:
    """The second stage's order, then (unless dropped) what it did not match, in the first stage's order.

    Also how many of the ids the second stage ordered.
    """
    order = [row.id for row in second]
    if keep_unmatched:
        matched = set(order)
        order.extend(row.id for row in first if row.id not in matched)
    return order, len(second)
