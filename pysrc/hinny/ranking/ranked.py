"""The state of one query between the steps: an order of ids, and how each came to stand where it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hinny.records import Candidate, ScoreKind

Contributions = Callable[[str], dict[str, float]]


def no_contributions(id: str) -> dict[str, float]:
    """Of an order that one source made alone."""
    return {}


class Ranked:
    """Mutable, and seen by the pipeline only: algorithms take lists and hand back new ones."""

    __slots__ = ("contributions", "exact", "kinds", "order", "reasons", "rerank", "scores")

    def __init__(
        self,
        order: list[str],
        scores: dict[str, float],
        kinds: dict[str, ScoreKind],
        contributions: Contributions = no_contributions,
    ) -> None:
        self.order = order
        self.scores = scores
        self.kinds = kinds
        self.contributions = contributions
        self.exact: set[str] = set()
        self.reasons: dict[str, list[str]] = {}
        self.rerank: dict[str, dict[str, float]] = {}

    @classmethod
    def of_list(cls, rows: Sequence[Candidate], kind: ScoreKind) -> Ranked:
        """One source's own order and scores."""
        order = [row.id for row in rows]
        return cls(order, {row.id: row.score for row in rows}, dict.fromkeys(order, kind))

    def because(self, id: str, reason: str) -> None:
        """Note a reason once; reasons keep the order in which the steps gave them."""
        reasons = self.reasons.setdefault(id, [])
        if reason not in reasons:
            reasons.append(reason)

    def inject(self, id: str, kind: ScoreKind) -> None:
        """An id that no source's window held, with score 0, at the end."""
        self.order.append(id)
        self.scores[id] = 0.0
        self.kinds[id] = kind


def ids_by_source(lists: Mapping[str, Sequence[Candidate]]) -> dict[str, list[str]]:
    """Each source's ids, best first."""
    return {name: [row.id for row in rows] for name, rows in lists.items()}
