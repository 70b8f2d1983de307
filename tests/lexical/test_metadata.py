"""Columns of attributes, against the rows that they were written from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError, InvalidInput, InvalidOption, UnknownField
from hinny.lexical.metadata import FacetCount, Metadata, read_metadata, write_metadata

TAGS = st.sampled_from(["a", "b", "c", "ä"])
ROWS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "year": st.integers(1990, 1995),
            "tag": st.lists(TAGS, min_size=1, max_size=3, unique=True),
            "new": st.booleans(),
        },
    ),
    max_size=12,
)


def columns(rows: list[dict]) -> Metadata:
    return read_metadata(write_metadata(rows), len(rows))


def where(metadata: Metadata, **conditions: object) -> list[int]:
    return np.flatnonzero(metadata.where(conditions)).tolist()


@given(ROWS)
def test_rows_come_back(rows: list[dict]) -> None:
    def plain(row: dict) -> dict:
        return {k: tuple(v) if isinstance(v, list) and len(v) > 1 else v[0] if isinstance(v, list) else v
                for k, v in row.items()}  # fmt: skip

    assert columns(rows).rows() == [plain(row) for row in rows]


@given(ROWS, TAGS, TAGS, st.integers(1989, 1996), st.integers(1989, 1996))
def test_conditions_are_those_of_a_scan(rows: list[dict], one: str, two: str, low: int, high: int) -> None:
    metadata = columns(rows)

    def scan(test) -> list[int]:
        return [n for n, row in enumerate(rows) if test(set(row.get("tag", [])), row.get("year"))]

    if "tag" in metadata.columns:
        assert where(metadata, tag=one) == scan(lambda tags, _: one in tags)
        assert where(metadata, tag=[one, two]) == scan(lambda tags, _: tags & {one, two})
        assert where(metadata, tag={"none": [one, two]}) == scan(lambda tags, _: not tags & {one, two})
        assert where(metadata, tag={"all": [one, two]}) == scan(lambda tags, _: tags >= {one, two})
    if "year" in metadata.columns:
        assert where(metadata, year={"min": low, "max": high}) == scan(
            lambda _, year: year is not None and low <= year <= high
        )
        assert where(metadata, year=str(low)) == scan(lambda _, year: year == low)


@given(ROWS, st.data())
def test_facets_count_documents(rows: list[dict], data: st.DataObject) -> None:
    metadata = columns(rows)
    if "tag" not in metadata.columns:
        return
    masks = data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    expected = []
    for tag in ("a", "b", "c", "ä"):
        having = [n for n, row in enumerate(rows) if tag in row.get("tag", [])]
        if having:
            expected.append(FacetCount(tag, len(having), sum(masks[n] for n in having)))
    expected.sort(key=lambda count: -count.before)
    found = metadata.facet("tag", np.ones(len(rows), np.bool_), np.array(masks, np.bool_))
    assert list(found) == expected


def test_the_order_by_hand() -> None:
    metadata = columns([{"n": 3}, {}, {"n": [1, 5]}, {"n": 2}])
    column = metadata.column("n", "sort")
    # Codes of the values 1, 2, 3, 5; of several values the one that comes first; none comes last.
    assert column.order(4, descending=False).tolist() == [2, 4, 0, 1]
    assert column.order(4, descending=True).tolist() == [1, 4, 0, 2]


def test_what_cannot_be_kept_or_asked() -> None:
    with pytest.raises(InvalidInput, match=r"document 1 has a number, others have a string"):
        write_metadata([{"tag": "a"}, {"tag": 1}])
    for value in (float("nan"), 1 << 54, None, {"a": 1}):
        with pytest.raises(InvalidInput, match="'x' of document 0"):
            write_metadata([{"x": value}])
    metadata = columns([{"year": 2000, "new": True, "tag": "a"}])
    for condition in ({"year": "soon"}, {"new": 1}, {"tag": 7}, {"tag": {"some": ["a"]}}, {"tag": {}}):
        with pytest.raises(InvalidOption):
            metadata.where(condition)
    with pytest.raises(UnknownField, match="new, tag, year"):
        metadata.where({"color": "red"})


def test_damaged_columns_are_named() -> None:
    arrays = write_metadata([{"tag": "a"}, {"tag": "b"}])
    with pytest.raises(BundleError, match="does not fit the documents"):
        read_metadata(arrays, 3)
    with pytest.raises(BundleError, match="damaged"):
        read_metadata({**arrays, "columns": np.frombuffer(b"{", np.uint8)}, 2)
    codes = np.array([0, 9], np.uint8)
    with pytest.raises(BundleError, match="does not fit together"):
        read_metadata({**arrays, "0.codes.first": codes}, 2)
