"""Attributes: one type each, and which are facets."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from hinny.records import MetadataValue
from hinny.site.metadata import MOST_VALUES, with_uniform_metadata
from hinny.site.sections import Page, Section


def pages(*metadata: dict[str, Any]) -> list[Page]:
    return [
        Page(f"p{n}", "T", (Section(f"p{n}", f"p{n}", "T", (), "x", metadata=found),))
        for n, found in enumerate(metadata)
    ]


def values(found: list[Page]) -> list[dict[str, MetadataValue]]:
    return [dict(page.sections[0].metadata) for page in found]


def test_facets_are_strings_with_a_few_values() -> None:
    many = [
        {"id": f"x{n}", "os": ("linux", "macos")[n % 2], "one": "same", "n": n}
        for n in range(MOST_VALUES + 1)
    ]
    found, facets = with_uniform_metadata(pages(*many, {"date": "2026-05-01"}, {"date": "2026-05-02"}))
    assert facets == ["os"]
    assert values(found)[:2] == many[:2]


def test_lists_count_by_their_values() -> None:
    assert with_uniform_metadata(pages({"tags": ("a", "b")}))[1] == ["tags"]


@pytest.mark.parametrize(
    ("one", "other"), [(1, "x"), (True, 1), (True, "x"), (("a",), 2), (inf, 1.0), (2**60, 1), ((1.0, inf), 1)]
)
def test_mixed_or_odd_values_become_strings(one: Any, other: Any) -> None:
    def text(value: Any) -> Any:
        return tuple(map(str, value)) if isinstance(value, tuple) else str(value)

    found, _ = with_uniform_metadata(pages({"a": one, "b": 1}, {"a": other}, {}))
    assert values(found) == [{"a": text(one), "b": 1}, {"a": text(other)}, {}]
