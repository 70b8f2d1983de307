"""Every option of a hybrid search, validated in one place before anything is retrieved.

A bad value is an `InvalidOption` with the option's name, the value and what is allowed. Nested
options are given as a mapping or as their dataclass.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from math import isfinite, isinf, isnan
from typing import Any, Literal, cast

from hinny.errors import InvalidOption
from hinny.ranking.fusion import FusionMethod, check_k

MAX_WINDOW = 10_000
Strategy = Literal["fusion", "vector-first", "lexical-first"]
OnError = Literal["raise", "degrade"]


def integer(option: str, value: Any, low: int, high: int = MAX_WINDOW) -> int:
    """An int (no bool) within bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidOption(option, value, f"an integer from {low} to {high}")
    return value


def number(option: str, value: Any, *, low: float | None = None) -> float:
    """A finite number (no bool), at least `low` where that is given."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise InvalidOption(option, value, "a finite number")
    if low is not None and value < low:
        raise InvalidOption(option, value, f"a number of at least {low:g}")
    return float(value)


def choice(option: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """One of a few values."""
    for item in allowed:
        if value is item or (type(value) is type(item) and value == item):
            return item
    raise InvalidOption(option, value, " or ".join(repr(item) for item in allowed))


def nested(option: str, value: Any, kind: Any) -> Any:
    """A nested option as its dataclass, from itself or from a mapping; an unknown name is an error."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise InvalidOption(option, value, f"a mapping or {kind.__name__}")
    names = {item.name for item in fields(kind)}
    for name in value:
        if name not in names:
            raise InvalidOption(f"{option}.{name}", value[name], f"one of {', '.join(sorted(names))}")
    return kind(**value)


@dataclass(frozen=True)
class FusionOptions:
    """How ranked lists become one; `k` is RRF's, a weight that is not given is 1."""

    method: FusionMethod = "rrf"
    k: float = 60.0
    weights: Mapping[str, float] = field(default_factory=dict)
    adapt: float | None = None
    """Share of their weight, 0 to 1, that sources other than `lexical` keep where the first lexical hit
    covers the whole query; the less it covers, the more they count (`adapt.py`). None: as given."""

    def __post_init__(self) -> None:
        choice("fusion.method", self.method, ("rrf", "linear"))
        check_k("fusion.k", self.k)
        if self.adapt is not None and number("fusion.adapt", self.adapt, low=0) > 1:
            raise InvalidOption("fusion.adapt", self.adapt, "None or a share from 0 to 1")
        if not isinstance(self.weights, Mapping):
            raise InvalidOption("fusion.weights", self.weights, "a mapping from source name to weight")
        object.__setattr__(self, "weights", dict(self.weights))


@dataclass(frozen=True)
class BalanceOptions:
    """Reserve each source's first `counts[source]` available candidates a place in the first `window`."""

    window: int = 5
    counts: Mapping[str, int] = field(default_factory=dict)
    """Empty: one for each source."""

    def __post_init__(self) -> None:
        integer("balance.window", self.window, 1)
        for name, count in self.counts.items():
            integer(f"balance.{name}", count, 0, self.window)
        if sum(self.counts.values()) > self.window:
            raise InvalidOption("balance", dict(self.counts), f"counts that fit in window={self.window}")
        object.__setattr__(self, "counts", dict(self.counts))


@dataclass(frozen=True)
class WeakLexicalOptions:
    """Promote the vector source's first hit when the lexical one is weak.

    Weak: it matches less than `share` (0 to 1) of the query's weighted words, and its vector score is
    more than `gap` below the best.
    """

    share: float = 0.2
    gap: float = 0.15

    def __post_init__(self) -> None:
        if number("weak_lexical.share", self.share, low=0) > 1:
            raise InvalidOption("weak_lexical.share", self.share, "a share from 0 to 1")
        number("weak_lexical.gap", self.gap, low=0)


@dataclass(frozen=True)
class RerankOptions:
    """The neural stage: which prefix it sees and how its order joins the current one."""

    candidates: int = 25
    method: Literal["rrf", "replace"] = "rrf"
    k: float = 60.0
    weight: float = 1.0
    """Of the neural ranking; the current ranking's is 1."""
    skip_if_vector_margin: float | None = None
    """In the vector source's own scale; None or infinity: never skip."""

    def __post_init__(self) -> None:
        integer("rerank.candidates", self.candidates, 1)
        choice("rerank.method", self.method, ("rrf", "replace"))
        check_k("rerank.k", self.k)
        number("rerank.weight", self.weight, low=0)
        margin: Any = self.skip_if_vector_margin
        if margin is not None and (
            isinstance(margin, bool) or not isinstance(margin, int | float) or isnan(margin) or margin < 0
        ):
            raise InvalidOption(
                "rerank.skip_if_vector_margin", margin, "None, infinity or a number of at least 0"
            )

    @property
    def margin(self) -> float | None:
        """The margin that opens the gate, None where there is no gate."""
        margin = self.skip_if_vector_margin
        return None if margin is None or isinf(margin) else float(margin)


@dataclass(frozen=True)
class SearchOptions:
    """What may be said in one search, or as a search's `defaults`."""

    strategy: Strategy = "fusion"
    lexical_candidates: int = 100
    vector_candidates: int = 100
    tokens_candidates: int | None = None
    """None: as `vector_candidates`."""
    candidates: Mapping[str, int] = field(default_factory=dict)
    """Budgets of further sources by name (100 where not given); also overrides the three above."""
    fusion: FusionOptions = field(default_factory=FusionOptions)
    cascade: Literal["replace", "fuse"] = "replace"
    unmatched: Literal["keep", "drop"] = "keep"
    exact: Literal["promote"] | None = None
    exact_candidates: int = 25
    balance: BalanceOptions | None = None
    weak_lexical: WeakLexicalOptions | None = None
    vector_only_below: float | None = None
    rerank: RerankOptions | Literal[False] = field(default_factory=RerankOptions)
    min_score: float | None = None
    dropoff: bool | float = False
    """True: cut at the largest relative drop; a number: only if that drop is at least so large."""
    ids: Collection[str] | None = None
    limit: int = 10
    offset: int = 0
    on_error: OnError = "raise"
    timeout: float | None = None
    """Seconds that each stage of sources, and the reranker, may take."""

    def __post_init__(self) -> None:
        choice("strategy", self.strategy, ("fusion", "vector-first", "lexical-first"))
        integer("lexical_candidates", self.lexical_candidates, 1)
        integer("vector_candidates", self.vector_candidates, 1)
        if self.tokens_candidates is not None:
            integer("tokens_candidates", self.tokens_candidates, 1)
        if not isinstance(self.candidates, Mapping):
            raise InvalidOption("candidates", self.candidates, "a mapping from source name to budget")
        for name, count in self.candidates.items():
            integer(f"candidates.{name}", count, 1)
        choice("cascade", self.cascade, ("replace", "fuse"))
        choice("unmatched", self.unmatched, ("keep", "drop"))
        choice("exact", self.exact, (None, "promote"))
        integer("exact_candidates", self.exact_candidates, 1)
        integer("limit", self.limit, 0)
        integer("offset", self.offset, 0, 2**31 - 1)
        choice("on_error", self.on_error, ("raise", "degrade"))
        self._check_numbers()
        self._check_nested()
        self._check_ids()

    def _check_numbers(self) -> None:
        if self.vector_only_below is not None:
            number("vector_only_below", self.vector_only_below, low=0)
        if self.min_score is not None:
            number("min_score", self.min_score)
        if not isinstance(self.dropoff, bool) and number("dropoff", self.dropoff, low=0) > 1:
            raise InvalidOption("dropoff", self.dropoff, "a bool or a relative drop from 0 to 1")
        if self.timeout is not None and number("timeout", self.timeout, low=0) == 0:
            raise InvalidOption("timeout", self.timeout, "None or a positive number of seconds")

    def _check_nested(self) -> None:
        keep = object.__setattr__
        keep(self, "fusion", nested("fusion", self.fusion, FusionOptions))
        balance: Any = self.balance
        if isinstance(balance, Mapping) and "counts" not in balance:
            counts = {name: count for name, count in balance.items() if name != "window"}
            balance = BalanceOptions(balance.get("window", 5), counts)
        if balance is not None:
            keep(self, "balance", nested("balance", balance, BalanceOptions))
        if self.weak_lexical is not None:
            keep(self, "weak_lexical", nested("weak_lexical", self.weak_lexical, WeakLexicalOptions))
        rerank: Any = self.rerank
        if rerank is True or rerank is None:
            keep(self, "rerank", RerankOptions())
        elif rerank is not False:
            keep(self, "rerank", nested("rerank", rerank, RerankOptions))

    def _check_ids(self) -> None:
        ids = self.ids
        if ids is None:
            return
        if isinstance(ids, str | bytes | Mapping) or not isinstance(ids, Collection):
            raise InvalidOption("ids", ids, "None or a set (or list) of document ids")
        if not isinstance(ids, set | frozenset):
            ids = frozenset(ids)
            object.__setattr__(self, "ids", ids)
        if not all(type(id) is str for id in ids):
            bad = next(id for id in ids if type(id) is not str)
            raise InvalidOption("ids", bad, "ids that are strings")

    def budget(self, source: str) -> int:
        """How many candidates the source is asked for."""
        if source in self.candidates:
            return self.candidates[source]
        if source == "lexical":
            return self.lexical_candidates
        if source == "vector":
            return self.vector_candidates
        if source == "tokens":
            return self.vector_candidates if self.tokens_candidates is None else self.tokens_candidates
        return 100


NAMES = frozenset(item.name for item in fields(SearchOptions))


def make_options(*layers: Mapping[str, Any] | SearchOptions | None) -> SearchOptions:
    """Options from layers, a later one overriding an earlier one name by name."""
    merged: dict[str, Any] = {}
    for layer in layers:
        if isinstance(layer, SearchOptions):
            merged.update((name, getattr(layer, name)) for name in NAMES)
        elif isinstance(layer, Mapping):
            merged.update(layer)
        elif layer is not None:
            raise InvalidOption("defaults", layer, "a mapping of options or SearchOptions")
    for name in merged:
        if name not in NAMES:
            raise InvalidOption(name, merged[name], f"an option's name: {', '.join(sorted(NAMES))}")
    return SearchOptions(**cast(Any, merged))
