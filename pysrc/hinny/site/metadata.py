"""The sections' attributes before they are indexed: one type each, and which of them are facets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

from hinny.records import MetadataValue
from hinny.site.sections import Page

MOST_VALUES = 60
"""Distinct values above which an attribute is no choice for a reader."""
_NOT_FACETS = frozenset({"date"})
_LARGEST_NUMBER = 2**53  # above, a float64 is no exact integer


def with_uniform_metadata(pages: Sequence[Page]) -> tuple[list[Page], list[str]]:
    """The pages with each attribute of one type, and the facets, sorted.

    Attributes become strings where their types differ, or where a number is too large or not finite.

    A facet is an attribute of strings with at least two and at most `MOST_VALUES` different values.
    """
    kinds: dict[str, set[str]] = {}
    values: dict[str, set[str]] = {}
    for page in pages:
        for section in page.sections:
            for name, value in section.metadata.items():
                for item in value if isinstance(value, tuple) else (value,):
                    kinds.setdefault(name, set()).add(_kind(item))
                    if isinstance(item, str):
                        values.setdefault(name, set()).add(item)
    mixed = {name for name, found in kinds.items() if len(found) > 1 or "odd" in found}
    facets = sorted(
        name
        for name, found in values.items()
        if 2 <= len(found) <= MOST_VALUES and name not in _NOT_FACETS and name not in mixed
    )
    if not mixed:
        return list(pages), facets
    return [
        replace(
            page,
            sections=tuple(
                replace(section, metadata=_as_text(section.metadata, mixed)) for section in page.sections
            ),
        )
        for page in pages
    ], facets


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number" if isfinite(value) and abs(value) <= _LARGEST_NUMBER else "odd"
    return "text"


def _as_text(metadata: Mapping[str, MetadataValue], mixed: set[str]) -> dict[str, MetadataValue]:
    return {
        name: (tuple(map(str, value)) if isinstance(value, tuple) else str(value)) if name in mixed else value
        for name, value in metadata.items()
    }
