"""Tiers of ranking `exact-first`: what kind of match a document is at worst, whatever its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.found import EXACT, KINDS, PREFIX, SOUND, STEM, SYNONYM, TYPO
from hinny.lexical.scorer import Scorer
from hinny.lexical.tree import Node, leaves

_LITERAL, _PARTIAL = -1, 9
_NAMES: Mapping[int, str] = {
    _LITERAL: "literal",
    **{kind: KINDS[kind] for kind in (EXACT, STEM, SYNONYM, PREFIX, TYPO, SOUND)},
    _PARTIAL: "partial",
}


def tiers_of(
    nodes: Sequence[Node],
    scorer_of: Callable[[str | None], Scorer],
    good: NDArray[np.bool_],
    literal: NDArray[np.bool_] | None,
) -> NDArray[np.int64]:
    """A class for each document [N], smaller is better: literal, the worst kind of its words, or partial.

    `good` are the documents that match, `literal` those of which a field is the query; `scorer_of` gives
    the scorer of a leaf's field.
    """
    tiers = np.full(good.size, EXACT, np.int64)
    for leaf, out in leaves(nodes):
        if out or leaf.synonym:
            continue
        scorer = scorer_of(leaf.field)
        for word, found in zip(leaf.words, leaf.found, strict=True):
            if word.stop:
                continue
            kind = np.full(good.size, _PARTIAL, np.int64)
            if found.matches:
                made = scorer.matches(word, found, kinds=True)
                assert made.kinds is not None
                kind[made.rows] = made.kinds
            np.maximum(tiers, kind, out=tiers)
    if literal is not None:
        tiers[literal] = _LITERAL
    tiers[~good] = _PARTIAL
    return tiers


def tier_name(tiers: NDArray[np.int64] | None, row: int) -> str | None:
    """The name of a document's tier; None without tiers."""
    return None if tiers is None else _NAMES[int(tiers[row])]
