"""Vectors in SQLite, by the sqlite-vec extension: a `VectorIndex` for stores that outgrow memory.

    index = SqliteVecIndex(connection, dimensions=384)
    index.add(ids, vectors)
    retriever = VectorRetriever(index.ids, index, embedder.embed_query)

The extension scans all vectors (exact cosine); what it saves is memory, not time. It needs an SQLite
library that may load extensions. Pyodide's cannot, nor can some builds of CPython; the package `apsw`
brings one that can, and its connections work here like those of `sqlite3`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.dense.index import Ranked
from hinny.errors import (
    DimensionMismatch,
    InvalidInput,
    InvalidOption,
    MissingExtra,
    NotFinite,
    SourceError,
    ZeroVector,
)

MAX_KNN = 4096
"""The most that the extension's own nearest-neighbour query gives; beyond it the scan is spelled out."""


def load_sqlite_vec(connection: Any) -> None:
    """Load the extension into a `sqlite3` or `apsw` connection; says clearly where that cannot be."""
    try:
        import sqlite_vec
    except ImportError:
        raise MissingExtra("sqlite-vec", "sqlite", "SqliteVecIndex") from None
    if not hasattr(connection, "enable_load_extension"):
        raise SourceError(
            "sqlite-vec",
            "this Python's sqlite3 was built without extension loading: open the database with the package "
            "apsw (pip install apsw) and pass its connection, or keep the vectors in an index of Hinny's own",
        )
    try:
        connection.enable_load_extension(True)
        try:
            connection.load_extension(sqlite_vec.loadable_path())
        finally:
            connection.enable_load_extension(False)
    except Exception as error:
        raise SourceError("sqlite-vec", f"the extension could not be loaded: {error}") from error


class SqliteVecIndex:
    """The tables `<name>` (vec0) and `<name>_ids` in a caller's database; rows are numbered from 0."""

    metric = "cosine"
    kernel = "sqlite-vec"

    def __init__(self, connection: Any, *, dimensions: int, name: str = "vectors") -> None:
        """Uses the tables, making them where they are not there; the connection stays the caller's."""
        if not name.isidentifier() or not name.isascii():
            raise InvalidOption("name", name, "an ASCII identifier")
        if isinstance(dimensions, bool) or not 1 <= dimensions <= 8192:
            raise InvalidOption("dimensions", dimensions, "an integer from 1 to 8192")
        load_sqlite_vec(connection)
        self._db, self._name, self.dim = connection, name, int(dimensions)
        connection.execute(
            f'CREATE TABLE IF NOT EXISTS "{name}_ids" (row INTEGER PRIMARY KEY, id TEXT UNIQUE)'
        )
        connection.execute(
            f'CREATE VIRTUAL TABLE IF NOT EXISTS "{name}" USING vec0('
            f"embedding float[{self.dim}] distance_metric=cosine)"
        )

    def __len__(self) -> int:
        return int(next(iter(self._db.execute(f'SELECT count(*) FROM "{self._name}_ids"')))[0])

    @property
    def ids(self) -> list[str]:
        """Document ids in the order of the rows."""
        return [str(row[0]) for row in self._db.execute(f'SELECT id FROM "{self._name}_ids" ORDER BY row')]

    def add(self, ids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Append vectors, float32 [n, d], under new unique ids, all or none."""
        rows = np.ascontiguousarray(vectors, dtype="<f4")
        if rows.shape != (len(ids), self.dim):
            raise DimensionMismatch(
                f"{len(ids)} ids need vectors of shape [{len(ids)}, {self.dim}], not {list(rows.shape)}"
            )
        if not np.isfinite(rows).all():
            raise NotFinite("a vector holds NaN or infinity")
        if not rows.any(axis=1).all():
            raise ZeroVector("a vector without direction cannot be compared by cosine")
        first = len(self)
        known = self._db.execute(
            f'SELECT 1 FROM "{self._name}_ids" WHERE id IN (SELECT value FROM json_each(?)) LIMIT 1',
            (json.dumps(list(ids)),),
        )
        if len(set(ids)) != len(ids) or next(iter(known), None) is not None:
            raise InvalidInput("document ids must be unique")
        with self._db:
            for number, (id, row) in enumerate(zip(ids, rows, strict=True), first + 1):
                self._db.execute(f'INSERT INTO "{self._name}_ids" (row, id) VALUES (?, ?)', (number, id))
                self._db.execute(
                    f'INSERT INTO "{self._name}" (rowid, embedding) VALUES (?, ?)', (number, row.tobytes())
                )

    def search(
        self, query: NDArray[np.float32], limit: int, eligible: NDArray[np.bool_] | None = None
    ) -> Ranked:
        """The `limit` best eligible rows, and every row that ties with the last of them."""
        asked = np.ascontiguousarray(query, dtype="<f4").tobytes()
        count = limit + 1
        while True:  # until the last row fetched is worse than the last one wanted
            found = self._nearest(asked, count, eligible)
            if len(found) < count or found[-1][1] > found[limit - 1][1]:
                break
            count *= 2
        if len(found) > limit:
            found = [pair for pair in found if pair[1] <= found[limit - 1][1]]
        rows = np.array([row - 1 for row, _ in found], dtype=np.int32)
        return Ranked(rows, np.array([1.0 - distance for _, distance in found], dtype=np.float32))

    def score(self, query: NDArray[np.float32], rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Cosines of the query with these rows, float32 [len(rows)]."""
        found = self._db.execute(
            f'SELECT rowid, vec_distance_cosine(embedding, ?) FROM "{self._name}" '
            "WHERE rowid IN (SELECT value FROM json_each(?))",
            (
                np.ascontiguousarray(query, dtype="<f4").tobytes(),
                json.dumps([row + 1 for row in rows.tolist()]),
            ),
        )
        scores = {int(row): 1.0 - float(distance) for row, distance in found}
        return np.array([scores[row + 1] for row in rows.tolist()], dtype=np.float32)

    def _nearest(
        self, asked: bytes, count: int, eligible: NDArray[np.bool_] | None
    ) -> list[tuple[int, float]]:
        if eligible is None and count <= MAX_KNN:
            sql = f'SELECT rowid, distance FROM "{self._name}" WHERE embedding MATCH ? AND k = ? ORDER BY 2'
            parameters: list[Any] = [asked, count]
        else:
            scope, parameters = "", [asked, count]
            if eligible is not None:
                scope = "WHERE rowid IN (SELECT value FROM json_each(?)) "
                parameters.insert(1, json.dumps((np.flatnonzero(eligible) + 1).tolist()))
            sql = (
                f'SELECT rowid, vec_distance_cosine(embedding, ?) AS distance FROM "{self._name}" '
                f"{scope}ORDER BY distance LIMIT ?"
            )
        return [(int(row), float(distance)) for row, distance in self._db.execute(sql, parameters)]
