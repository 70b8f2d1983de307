"""sqlite-vec as a vector index, against an exact scan; and clear errors where it cannot be."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from typing import Any

import apsw
import numpy as np
import pytest

from hinny.dense.index import VectorIndex
from hinny.dense.retriever import VectorRetriever, create_vector_retriever
from hinny.errors import (
    DimensionMismatch,
    InvalidInput,
    InvalidOption,
    MissingExtra,
    NotFinite,
    SourceError,
    ZeroVector,
)
from hinny.records import Query
from hinny.sources.sqlite_vec import SqliteVecIndex
from ranking_fakes import ids
from support import run

IDS = [f"d{n:03}" for n in range(300)]
VECTORS = np.random.default_rng(7).standard_normal((300, 16)).astype(np.float32)
ASKED = np.random.default_rng(8).standard_normal(16).astype(np.float32)


@pytest.fixture
def index() -> SqliteVecIndex:
    made = SqliteVecIndex(apsw.Connection(":memory:"), dimensions=16)
    made.add(IDS[:200], VECTORS[:200])
    made.add(IDS[200:], VECTORS[200:])
    return made


def both(index: SqliteVecIndex) -> tuple[VectorRetriever, VectorRetriever]:
    return VectorRetriever(index.ids, index), create_vector_retriever(ids=IDS, vectors=VECTORS)


def test_it_is_a_vector_index(index: SqliteVecIndex) -> None:
    assert isinstance(index, VectorIndex)
    assert (len(index), index.dim, index.ids) == (300, 16, IDS)


@pytest.mark.parametrize("limit", [1, 10, 300, 5000])
def test_it_ranks_as_an_exact_scan_does(index: SqliteVecIndex, limit: int) -> None:
    stored, exact = both(index)
    found = run(stored.retrieve(Query(vector=ASKED), limit=limit))
    expected = run(exact.retrieve(Query(vector=ASKED), limit=limit))
    assert ids(found) == ids(expected)
    assert [row.score for row in found] == pytest.approx([row.score for row in expected], abs=1e-6)


def test_ids_are_applied_before_the_nearest_are_taken(index: SqliteVecIndex) -> None:
    stored, exact = both(index)
    some = {"d007", "d100", "d250", "unknown"}
    found = run(stored.retrieve(Query(vector=ASKED), limit=2, ids=some))
    assert ids(found) == ids(run(exact.retrieve(Query(vector=ASKED), limit=2, ids=some)))
    assert set(ids(found)) <= some


def test_a_pool_is_rescored(index: SqliteVecIndex) -> None:
    stored, exact = both(index)
    pool = ["d250", "d001", "d007"]
    found = run(stored.rescore(Query(vector=ASKED), pool))
    expected = run(exact.rescore(Query(vector=ASKED), pool))
    assert ids(found) == ids(expected)
    assert [row.score for row in found] == pytest.approx([row.score for row in expected], abs=1e-6)


def test_ties_with_the_last_all_come() -> None:
    index = SqliteVecIndex(apsw.Connection(":memory:"), dimensions=2)
    index.add([f"t{n}" for n in range(9)], np.tile(np.float32([1, 0]), (9, 1)))
    index.add(["far"], np.float32([[0, 1]]))
    ranked = index.search(np.float32([1, 0]), 2)
    assert sorted(ranked.rows.tolist()) == list(range(9))
    assert ids(
        run(VectorRetriever(index.ids, index).retrieve(Query(vector=np.float32([1, 0])), limit=2))
    ) == [
        "t0",
        "t1",
    ]


def test_a_second_index_finds_the_first_ones_tables(index: SqliteVecIndex) -> None:
    again = SqliteVecIndex(index._db, dimensions=16)
    assert again.ids == IDS


def test_bad_input_is_named(index: SqliteVecIndex) -> None:
    row = np.ones((1, 16), np.float32)
    with pytest.raises(DimensionMismatch, match=r"\[1, 16\]"):
        index.add(["x"], np.ones((1, 15), np.float32))
    with pytest.raises(InvalidInput, match="unique"):
        index.add(["d000"], row)
    with pytest.raises(InvalidInput, match="unique"):
        index.add(["x", "x"], np.ones((2, 16), np.float32))
    with pytest.raises(ZeroVector):
        index.add(["x"], row * 0)
    with pytest.raises(NotFinite):
        index.add(["x"], row * np.float32("nan"))
    with pytest.raises(InvalidOption, match="an ASCII identifier"):
        SqliteVecIndex(index._db, dimensions=16, name='x"')
    with pytest.raises(InvalidOption, match="dimensions=0"):
        SqliteVecIndex(index._db, dimensions=0)
    assert len(index) == 300


def test_a_python_that_cannot_load_extensions_says_so() -> None:
    class Locked:
        """A connection of an SQLite that was built without extension loading."""

    with pytest.raises(SourceError, match=r"without extension loading: .* apsw"):
        SqliteVecIndex(Locked(), dimensions=4)
    with closing(sqlite3.connect(":memory:")) as connection:
        if not hasattr(connection, "enable_load_extension"):
            with pytest.raises(SourceError, match="apsw"):
                SqliteVecIndex(connection, dimensions=4)


def test_a_broken_extension_is_a_source_error() -> None:
    class Refusing:
        def enable_load_extension(self, on: bool) -> None:
            if on:
                raise PermissionError("not authorized")

    with pytest.raises(SourceError, match="could not be loaded: not authorized"):
        SqliteVecIndex(Refusing(), dimensions=4)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    modules: Any = sys.modules
    monkeypatch.setitem(modules, "sqlite_vec", None)
    with pytest.raises(MissingExtra, match=r'pip install "hinny\[sqlite\]"'):
        SqliteVecIndex(apsw.Connection(":memory:"), dimensions=4)
