"""A search's sources by role, and which options make sense with them.

Roles: `lexical`, `vector` (single vectors), `tokens` (late interaction), then further sources by their own
names. The semantic source that the policies speak of is `vector`, or `tokens` where there is no
`vector`; options that say `vector` mean that one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast, get_args

from hinny.errors import InvalidOption
from hinny.protocols import ExactMatcher, MatchShare, Rescorer, Retriever
from hinny.ranking.fusion import MAX_LISTS, check_weights
from hinny.ranking.options import BalanceOptions, FusionOptions, SearchOptions
from hinny.records import ScoreKind

LEXICAL: Final = "lexical"
VECTOR: Final = "vector"
TOKENS: Final = "tokens"
ROLES: Final = (LEXICAL, VECTOR, TOKENS)
EXACT_STAGE: Final = "exact"
RERANK_STAGE: Final = "rerank"
_STAGES = frozenset((EXACT_STAGE, RERANK_STAGE, "total", "fusion", "policies"))
_KINDS = frozenset(get_args(ScoreKind))
_ROLE_KINDS: dict[str, ScoreKind] = {LEXICAL: "bm25f", VECTOR: "cosine", TOKENS: "maxsim"}


class Sources:
    """The retrievers of one search, by name; immutable."""

    __slots__ = ("by_name", "exact_matcher", "semantic", "share_matcher")

    def __init__(self, roles: Mapping[str, Retriever | None], more: Mapping[str, Retriever]) -> None:
        for name in more:
            if not name or name in ROLES or name in _STAGES:
                raise InvalidOption("more", name, f"names other than {', '.join((*ROLES, *sorted(_STAGES)))}")
        found = {name: source for name, source in {**roles, **more}.items() if source is not None}
        if not 1 <= len(found) <= MAX_LISTS:
            raise InvalidOption("sources", list(found), f"1 to {MAX_LISTS} sources")
        for name, source in found.items():
            if not callable(getattr(source, "retrieve", None)):
                raise InvalidOption(name, source, "a retriever: an object with retrieve(query, limit=, ids=)")
        self.by_name: dict[str, Retriever] = found
        self.semantic: str | None = next((name for name in (VECTOR, TOKENS) if name in found), None)
        # Checked against their protocols once: that takes as long as a small query's fusion.
        lexical: object = found.get(LEXICAL)
        self.exact_matcher: ExactMatcher | None = lexical if isinstance(lexical, ExactMatcher) else None
        """The lexical source where it can tell literal equality."""
        self.share_matcher: MatchShare | None = lexical if isinstance(lexical, MatchShare) else None
        """The lexical source where it can tell how much of a query a document matches."""

    @property
    def lexical(self) -> Retriever | None:
        """The source in the lexical role."""
        return self.by_name.get(LEXICAL)

    def rescorer(self, name: str | None) -> Rescorer | None:
        """The named source where it can score a given pool."""
        source: object = self.by_name.get(name or "")
        return source if isinstance(source, Rescorer) else None

    def kind(self, name: str) -> ScoreKind:
        """The kind of score a source gives: its own `score_kind`, else its role's."""
        kind = getattr(self.by_name[name], "score_kind", None)
        return cast(ScoreKind, kind) if kind in _KINDS else _ROLE_KINDS.get(name, "custom")

    def kernel(self, name: str) -> str | None:
        """The name of the kernel that the source scanned with, where it tells."""
        kernel = getattr(self.by_name[name], "kernel", None)
        name_of_it = getattr(kernel, "name", kernel)
        return name_of_it if isinstance(name_of_it, str) else None

    def resolve(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values by source: `vector` goes to the semantic source, roles that are not attached drop out."""
        resolved = {name: value for name, value in values.items() if name in self.by_name}
        semantic = self.semantic
        if semantic is not None and semantic not in resolved and VECTOR in values:
            resolved[semantic] = values[VECTOR]
        return resolved

    def weights(self, fusion: FusionOptions) -> dict[str, float]:
        """Weights by source, all given."""
        given = self.resolve(fusion.weights)
        return {name: float(given.get(name, 1.0)) for name in self.by_name}

    def counts(self, balance: BalanceOptions) -> dict[str, int]:
        """Reserved places by source."""
        if not balance.counts:
            return dict.fromkeys(self.by_name, 1)
        return self.resolve(balance.counts)

    def check(self, options: SearchOptions) -> None:
        """Raise `InvalidOption` for whatever these sources cannot do; nothing is retrieved before."""
        known = {*self.by_name, *ROLES}
        names = ", ".join(sorted(self.by_name))
        if options.strategy != "fusion":
            for role, present in ((VECTOR, self.semantic), (LEXICAL, self.lexical)):
                if present is None:
                    raise InvalidOption("strategy", options.strategy, f"'fusion': there is no {role} source")
        check_weights("fusion.weights", options.fusion.weights, (), known=known, empty=True)
        if not sum(self.weights(options.fusion).values()):
            raise InvalidOption("fusion.weights", options.fusion.weights, f"a positive one of {names}")
        for name in options.candidates:
            if name not in known:
                raise InvalidOption("candidates", name, f"budgets for {names}")
        if options.balance is not None:
            self._check_balance(options.balance, known, names)
        if options.exact is not None:
            self._check_exact()

    def _check_balance(self, balance: BalanceOptions, known: set[str], names: str) -> None:
        for name in balance.counts:
            if name not in known:
                raise InvalidOption(f"balance.{name}", balance.counts[name], f"counts for {names}")
        if sum(self.counts(balance).values()) > balance.window:
            raise InvalidOption("balance.window", balance.window, "at least one place for every source")

    def _check_exact(self) -> None:
        if self.exact_matcher is None:
            raise InvalidOption("exact", "promote", "None: no lexical source here can tell literal equality")
        if not getattr(self.exact_matcher, "has_exact_fields", True):
            raise InvalidOption("exact", "promote", "None, or exact fields on the lexical source")
