"""The frozen records that travel between the parts: documents in, candidates between, hits out.

Objects here exist by the tens (what one query shows), never by the size of the corpus: inside an
index a document is a row number and its data are arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # `import hinny` must not import numpy
    import numpy as np
    from numpy.typing import NDArray

MetadataValue = str | int | float | bool | tuple[str, ...] | tuple[float, ...]
ScoreKind = Literal["bm25f", "cosine", "dot", "maxsim", "rrf", "linear", "neural", "rerank-rrf", "custom"]
DegradedReason = Literal["error", "timeout", "loading"]


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found: a stable string id, named texts, and data to filter or sort by."""

    id: str
    fields: Mapping[str, str]
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    language: str | None = None
    """BCP 47 tag of the texts, where known; it chooses the analyzer."""


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """What is asked: a text, a vector (float32 [d]) already embedded, or both."""

    text: str = ""
    vector: NDArray[np.float32] | None = None

    @property
    def is_empty(self) -> bool:
        """True when there is nothing to retrieve by: no vector and no visible character."""
        return self.vector is None and not self.text.strip()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One row of a retriever's ranked answer."""

    id: str
    score: float
    tier: str | None = None
    """A retriever's own class of match, such as `exact`; scores compare only inside one tier."""
    payload: Mapping[str, Any] | None = None
    """What a source wants to hand to the caller (a span's locator, a matched path); opaque to ranking."""


@dataclass(frozen=True, slots=True)
class Signal:
    """What one source said of one hit: its rank there (from 1), its raw score and tier."""

    rank: int
    score: float
    tier: str | None = None


@dataclass(frozen=True, slots=True)
class Degraded:
    """A source or stage that contributed nothing, and why."""

    source: str
    reason: DegradedReason
    message: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `rank` is authoritative: scores of different kinds may stand in one list."""

    id: str
    rank: int
    score: float
    score_kind: ScoreKind
    signals: Mapping[str, Signal] = field(default_factory=dict)
    contributions: Mapping[str, float] = field(default_factory=dict)
    rerank_contributions: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False
    """True when an exact policy verified literal equality; False claims nothing."""
    reasons: tuple[str, ...] = ()
    payload: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """A page of hits and everything that is known about how they came to be."""

    hits: tuple[Hit, ...]
    total_candidates: int = 0
    """Size of the finite candidate pool, not the number of matches in the corpus."""
    strategy: str = "fusion"
    counts: Mapping[str, int] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds by stage."""
    representatives: Mapping[str, str] = field(default_factory=dict)
    """Each source's own first id."""
    route: Mapping[str, Any] | None = None
    rerank_decision: Mapping[str, Any] = field(default_factory=lambda: {"action": "disabled"})
    weak_lexical: Mapping[str, Any] = field(default_factory=lambda: {"action": "disabled"})
    weights_decision: Mapping[str, Any] = field(default_factory=lambda: {"action": "disabled"})
    """How `fusion.adapt` changed the weights for this query."""
    kernels: Mapping[str, str] = field(default_factory=dict)
    degraded: tuple[Degraded, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The response as plain dictionaries, lists, strings and numbers, ready for `json.dumps`."""
        plain = to_plain(self)
        assert isinstance(plain, dict)
        return plain


def to_plain(value: Any) -> Any:
    """Turn records (and what they hold) into plain JSON values; a value of another kind is a TypeError."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [to_plain(item) for item in value]
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a numpy scalar
        return value.item()
    raise TypeError(f"{type(value).__name__} is not JSON data")
