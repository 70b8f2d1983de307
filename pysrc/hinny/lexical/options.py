"""What can be chosen when a lexical index is built: its fields, and how matches are weighed.

Defaults are from the train splits of SciFact and NFCorpus and from the PostgreSQL manual alone
(`docs/lexical.md` says how).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import isfinite
from typing import Any

from hinny.errors import InvalidOption

SURFACE = "~surface"
"""Ends the name of a field's surface companion."""


@dataclass(frozen=True, slots=True)
class FieldOptions:
    """One field of a document as the index sees it."""

    weight: float = 1.0
    """How much a match here counts beside one in another field; 0 or more."""
    b: float = 0.75
    """How far a field longer than its average is held against a match: 0 not at all, 1 in full."""
    analyzer: str | None = None
    """Analyzer id; None takes the one of each document's language."""
    source: str | None = None
    """The document field whose text this field indexes; None for the field's own name."""
    surface: bool = False
    """True for a companion that matches words as written, without their stem."""

    def check(self, name: str) -> None:
        """Raise `InvalidOption` for a weight or b that is no sensible number."""
        check_number(f"fields[{name!r}].weight", self.weight, 0.0)
        check_number(f"fields[{name!r}].b", self.b, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Scoring:
    """How matches become a score. With `PLAIN` it is BM25F and nothing else."""

    k1: float = 1.5
    """How soon more of the same word stops counting."""
    exact: float = 0.5
    """The word as written adds this share of its weighted frequency to its stem's."""
    folded: float = 0.8
    """Share of `exact` left when only the folded form is equal (resume for résumé)."""
    delta: float = 0.0
    """Share of a word's idf that any match earns at all (BM25+'s delta): rewards covering the query."""
    title: float = 0.3
    """Share of the query's idf added when the title fields cover all of it; falls with coverage squared."""
    exact_title: float = 1.5
    """Share of the query's idf added when a title is the query."""
    part: float = 0.5
    """Weight of the parts of a compound identifier beside the whole."""
    joined: float = 0.25
    """Weight of the closed spelling of a hyphenated word beside its words."""
    prefix: float = 0.6
    """Weight of a word of which the query's word is a prefix."""
    typo: float = 0.5
    """Weight of a word one edit away; its square for two."""
    combine: str = "bm25f"
    """`bm25f` saturates once over all fields; `sum` adds up each field's own BM25."""

    def check(self) -> None:
        """Raise `InvalidOption` for what is no sensible number."""
        for item in fields(self):
            if item.name != "combine":
                check_number(item.name, getattr(self, item.name), 0.0)
        if self.combine not in ("bm25f", "sum"):
            raise InvalidOption("combine", self.combine, "'bm25f' or 'sum'")


PLAIN = Scoring(exact=0.0, delta=0.0, title=0.0, exact_title=0.0, part=1.0, joined=1.0)
"""Canonical BM25F with the Lucene idf and no further signal."""

DEFAULT_FIELDS: Mapping[str, FieldOptions] = {
    "title": FieldOptions(weight=1.0, b=0.5),
    "headings": FieldOptions(weight=0.5, b=0.5),
    "text": FieldOptions(weight=1.0, b=0.4),
}
"""What the fields of a site's sections get when a build names none of its own."""

TITLE_FIELDS = ("title", "headings")
"""Fields that name what a document is about, the more specific one last."""


def check_number(option: str, value: object, low: float, high: float = float("inf")) -> float:
    """The value as a float, or `InvalidOption` unless it is a finite number from `low` to `high`."""
    ok = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not ok or not low <= value <= high:  # type: ignore[operator]
        upper = "" if high == float("inf") else f" to {high:g}"
        raise InvalidOption(option, value, f"a finite number from {low:g}{upper}")
    return float(value)  # type: ignore[arg-type]


def field_options(
    given: Mapping[str, FieldOptions | float] | Iterable[str], analyzer: str | None = None
) -> dict[str, FieldOptions]:
    """Fields by name from what a caller gave: names, names to weights, or names to `FieldOptions`.

    `analyzer` is filled in where a field names none. Raises `InvalidOption` for anything else.
    """
    if isinstance(given, str):
        raise InvalidOption("fields", given, "field names, or a mapping of names to weights or FieldOptions")
    result: dict[str, FieldOptions] = {}
    for name in given:
        if not name:
            raise InvalidOption("fields", name, "names that are not empty")
        default = DEFAULT_FIELDS.get(name, FieldOptions())
        value = given[name] if isinstance(given, Mapping) else default
        if not isinstance(value, FieldOptions):
            value = replace(default, weight=check_number(f"fields[{name!r}]", value, 0.0))
        value.check(name)
        if value.analyzer is None and analyzer is not None:
            value = replace(value, analyzer=analyzer)
        result[name] = value
    if not result:
        raise InvalidOption("fields", given, "at least one field")
    return result


def to_json(value: FieldOptions | Scoring) -> dict[str, Any]:
    """Plain values for the index's header."""
    return asdict(value)
