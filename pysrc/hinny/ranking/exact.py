"""Exact promotion: documents whose named field equals the query literally stand before all others.

Equality is the retriever's to verify (its `exact` ability); nothing is inferred from analysed or
fuzzy matches. Documents outside the exact window are not promised anything.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence


def promote_exact(order: Sequence[str], literal: Collection[str]) -> list[str]:
    """The literal matches first, both parts in their present order."""
    if not literal:
        return list(order)
    first = [id for id in order if id in literal]
    return first + [id for id in order if id not in literal]
