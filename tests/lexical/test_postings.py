from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError
from hinny.lexical.postings import cut, decode, encode, ranges


@st.composite
def corpora(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """df [E], documents [P], frequencies [P, F] and an order of the documents [N]."""
    documents = draw(st.integers(1, 30))
    width = draw(st.integers(1, 3))
    holders = draw(st.lists(st.sets(st.integers(0, documents - 1), min_size=1), max_size=8))
    rows = [row for one in holders for row in sorted(one)]
    often = st.one_of(st.integers(0, 3), st.integers(0, 70_000))
    cells = [draw(st.lists(often, min_size=width, max_size=width)) for _ in rows]
    cells = [cell if any(cell) else [1, *cell[1:]] for cell in cells]
    order = draw(st.permutations(range(documents)))
    return (
        np.array([len(one) for one in holders], np.int64),
        np.array(rows, np.int64),
        np.array(cells, np.int64).reshape(-1, width),
        np.array(order, np.int64),
    )


def places(order: np.ndarray) -> np.ndarray:
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return place


@given(corpora())
def test_postings_come_back_in_the_order_of_rows(
    corpus: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
) -> None:
    df, documents, frequencies, order = corpus
    arrays = encode(df, documents, frequencies, places(order))
    rows, codes, table = decode(arrays, df, order, frequencies.shape[1])
    assert rows.tolist() == documents.tolist()
    assert codes.dtype == np.int32 and table[codes].tolist() == frequencies.tolist()
    assert len(np.unique(table, axis=0)) == len(table)


@given(corpora(), st.data())
def test_damaged_slices_are_named_or_are_other_postings(
    corpus: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    df, documents, frequencies, order = corpus
    width = frequencies.shape[1]
    raw = encode(df, documents, frequencies, places(order))["data"].copy()
    if raw.size:
        raw[data.draw(st.integers(0, raw.size - 1))] ^= data.draw(st.integers(1, 255))
    try:
        rows, codes, table = decode({"data": raw}, df, order, width)
    except BundleError:
        return
    assert rows.size == documents.size and rows.min(initial=0) >= 0 and rows.max(initial=0) < order.size
    assert table.shape[1] == width and codes.max(initial=-1) < table.shape[0]


def test_clustered_documents_take_fewer_bytes() -> None:
    df, frequencies = np.array([500, 500]), np.ones((1000, 1), np.int64)
    row = np.arange(4000, dtype=np.int64)
    together = np.concatenate([row[1000:1500], row[2000:2500]])
    apart = np.concatenate([row[0:4000:8], row[4:4000:8]])
    sizes = [encode(df, documents, frequencies, row)["data"].size for documents in (together, apart)]
    assert 10 * sizes[0] < sizes[1]


def test_a_slice_that_is_no_slice_of_the_index_is_refused() -> None:
    order = np.arange(9, dtype=np.int64)
    arrays = encode(np.array([2]), np.array([3, 8]), np.array([[0, 1], [0, 2]]), order)
    assert decode(arrays, np.array([2]), order, 2)[0].tolist() == [3, 8]
    with pytest.raises(BundleError, match="fields"):
        decode(arrays, np.array([2]), order, 1)
    with pytest.raises(BundleError, match="lacks its array"):
        decode({}, np.array([2]), order, 2)
    with pytest.raises(BundleError):
        decode(arrays, np.array([10]), order, 2)


def test_ranges_one_after_the_other() -> None:
    assert ranges(np.array([3, 9, 5]), np.array([5, 9, 8])).tolist() == [3, 4, 5, 6, 7]


def test_slices_are_cut_by_weight_and_where_common_groups_begin() -> None:
    weights, order = np.array([5, 5, 5, 5, 9, 9]), np.arange(6)
    assert cut(weights, order, 2, 10).tolist() == [0, 2, 4, 5, 6]
    assert cut(weights, order, 0, 1000).tolist() == [0, 6]
