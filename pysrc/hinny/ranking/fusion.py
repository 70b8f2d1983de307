"""Any number of ranked lists into one, by reciprocal rank or by normalised scores.

Identity is the document id. Inputs are never changed. Terms are added in the order of the lists'
names, so the order in which lists are given cannot change a sum's last bit; ties go by the ids'
code points.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import Any, Literal, NamedTuple

from hinny.errors import InvalidOption
from hinny.ranking.checks import check_candidates
from hinny.ranking.linear import linear_terms
from hinny.ranking.rrf import DEFAULT_K, rrf_terms
from hinny.records import Candidate

FusionMethod = Literal["rrf", "linear"]
MAX_LISTS = 64


class Fused(NamedTuple):
    """An order of ids, the scores behind it, and each list's part in them."""

    order: list[str]
    scores: dict[str, float]
    terms: dict[str, dict[str, float]]
    """By list name, then by id."""

    def contributions(self, id: str) -> dict[str, float]:
        """What each list that holds the id added to its score."""
        return {name: terms[id] for name, terms in self.terms.items() if id in terms}


class FusedHit(NamedTuple):
    """One row of `fuse_rankings`."""

    id: str
    score: float
    contributions: dict[str, float]
    ranks: dict[str, int]
    """The id's rank, from 1, in each list that holds it."""


def fuse(
    lists: Mapping[str, Sequence[Candidate]],
    *,
    method: FusionMethod = "rrf",
    k: float = DEFAULT_K,
    weights: Mapping[str, float] | None = None,
) -> Fused:
    """Fuse lists that are checked already (unique ids, finite scores); a missing weight is 1.

    Where every weight given for these lists is 0 (the weighted source is absent), they count equally:
    a tie of all would leave nothing but the ids' spelling to go by.
    """
    names = sorted(lists)
    weight = {name: 1.0 if weights is None else weights.get(name, 1.0) for name in names}
    total = sum(weight.values())
    if not total:
        weight = dict.fromkeys(names, 1.0)
        total = float(len(names))
    terms: dict[str, dict[str, float]] = {}
    for name in names:
        rows = lists[name]
        if method == "rrf":
            terms[name] = rrf_terms([row.id for row in rows], k=k, weight=weight[name])
        else:
            terms[name] = linear_terms(name, rows, weight=weight[name] / total)
    scores: dict[str, float] = {}
    for part in terms.values():
        for id, term in part.items():
            scores[id] = scores.get(id, 0.0) + term
    order = sorted(scores)
    order.sort(key=scores.__getitem__, reverse=True)  # stable: equal scores stay in code point order
    return Fused(order, scores, terms)


def fuse_rankings(
    rankings: Mapping[str, Sequence[Candidate | tuple[str, float] | str]],
    *,
    method: FusionMethod = "rrf",
    k: float = DEFAULT_K,
    weights: Mapping[str, float] | None = None,
) -> list[FusedHit]:
    """Fuse 1 to 64 named lists, each best first with unique ids, into one, best first.

    `method="rrf"` takes ids, `(id, score)` pairs or candidates; `"linear"` needs scores. A weight is
    finite and not negative (1 where none is given, at least one positive); a zero weight keeps the
    list's ids in the result without adding to their scores. A list that breaks the rules is a
    `SourceError` with its name; a bad option an `InvalidOption`.
    """
    if not 1 <= len(rankings) <= MAX_LISTS:
        raise InvalidOption("rankings", len(rankings), f"1 to {MAX_LISTS} lists")
    if method not in ("rrf", "linear"):
        raise InvalidOption("method", method, "'rrf' or 'linear'")
    check_k("k", k)
    check_weights("weights", weights or {}, rankings, known=rankings)
    lists: dict[str, list[Candidate]] = {}
    for name, rows in rankings.items():
        pairs: Any = rows
        if method == "rrf" and not isinstance(pairs, str | bytes):
            pairs = [Candidate(row, 0.0) if isinstance(row, str) else row for row in rows]
        lists[name] = check_candidates(name, pairs)
    fused = fuse(lists, method=method, k=k, weights=weights)
    ranks = {name: {row.id: rank for rank, row in enumerate(rows, 1)} for name, rows in lists.items()}
    return [
        FusedHit(
            id,
            fused.scores[id],
            fused.contributions(id),
            {name: rank[id] for name, rank in ranks.items() if id in rank},
        )
        for id in fused.order
    ]


def check_k(option: str, k: Any) -> float:
    """RRF's constant, or a weight: finite, not negative."""
    if isinstance(k, bool) or not isinstance(k, int | float) or not isfinite(k) or k < 0:
        raise InvalidOption(option, k, "a finite number of at least 0")
    return float(k)


def check_weights(
    option: str, weights: Any, names: Collection[str], *, known: Collection[str], empty: bool = False
) -> dict[str, float]:
    """Weights by name: finite, not negative, names known; one of `names` positive unless `empty`."""
    if not isinstance(weights, Mapping):
        raise InvalidOption(option, weights, "a mapping from source name to weight")
    for name, weight in weights.items():
        if name not in known:
            raise InvalidOption(option, name, f"weights for {', '.join(sorted(known))}")
        check_k(f"{option}.{name}", weight)
    checked = {name: float(weight) for name, weight in weights.items()}
    if not isfinite(sum(checked.values())):
        raise InvalidOption(option, dict(weights), "weights whose sum is finite")
    if not empty and not any(checked.get(name, 1.0) for name in names):
        raise InvalidOption(option, dict(weights), "at least one positive weight")
    return checked
