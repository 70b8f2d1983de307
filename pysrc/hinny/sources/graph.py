"""A walk over links: from what another retriever found to what is linked with it.

Breadth first, hop by hop. A document is reached at its least number of hops, from the best seed that
reaches it so soon. Walking outbound follows links from source to target only; `both` follows them
either way; `relations` restricts the walk to links of these kinds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from hinny.errors import InvalidInput, InvalidOption
from hinny.protocols import Retriever, resolve
from hinny.ranking.checks import check_candidates
from hinny.ranking.options import choice, integer
from hinny.records import Candidate, Query

if TYPE_CHECKING:
    import sqlite3

Direction = Literal["outbound", "both"]
MAX_HOPS = 10


class Edge(NamedTuple):
    """A link from one document to another."""

    source: str
    target: str
    relation: str = "link"


class Reached(NamedTuple):
    """A document that the walk came to."""

    id: str
    hops: int
    seed: str
    path: tuple[str, ...]
    """From the seed to the document, both included."""
    relation: str
    """Of the last link."""


@runtime_checkable
class Edges(Protocol):
    """Links, by the document at one of their ends."""

    def around(
        self, ids: Collection[str], *, relations: Collection[str] | None, direction: Direction
    ) -> Iterable[tuple[str, str, str]]:
        """`(from, to, relation)` for every link at these documents, `from` being one of them."""


class EdgeTable:
    """Links in memory: from tuples, or from a site's pages and the links they hold."""

    def __init__(self, edges: Iterable[Edge | tuple[str, str] | tuple[str, str, str]]) -> None:
        """Doubled links and links of a document to itself are left out."""
        self._out: dict[str, dict[tuple[str, str], None]] = {}
        self._in: dict[str, dict[tuple[str, str], None]] = {}
        for row in edges:
            edge, parts = Edge(*row), set(map(type, row))
            if parts != {str}:
                raise InvalidInput(f"an edge is (source, target, relation), all strings, not {tuple(row)!r}")
            if edge.source != edge.target:
                self._out.setdefault(edge.source, {})[edge.target, edge.relation] = None
                self._in.setdefault(edge.target, {})[edge.source, edge.relation] = None

    def around(
        self, ids: Collection[str], *, relations: Collection[str] | None, direction: Direction
    ) -> list[tuple[str, str, str]]:
        """Links at these documents, in a fixed order."""
        tables = (self._out,) if direction == "outbound" else (self._out, self._in)
        found = {
            (id, other, relation)
            for id in ids
            for table in tables
            for other, relation in table.get(id, ())
            if relations is None or relation in relations
        }
        return sorted(found)


class SqliteEdges:
    """Links in a table of a caller's SQLite database."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        table: str = "edges",
        columns: tuple[str, str, str] = ("source", "target", "relation"),
    ) -> None:
        """The table's name and its three columns, all ASCII identifiers."""
        for part in (table, *columns):
            if not part.isidentifier() or not part.isascii():
                raise InvalidOption("table", part, "an ASCII identifier")
        self._db = connection
        self._table, self._columns = table, columns

    def around(
        self, ids: Collection[str], *, relations: Collection[str] | None, direction: Direction
    ) -> list[tuple[str, str, str]]:
        """Links at these documents, in a fixed order."""
        import json

        source, target, relation = self._columns
        ends = [(source, target)] if direction == "outbound" else [(source, target), (target, source)]
        parts, values = [], []
        for here, there in ends:
            part = (
                f'SELECT "{here}", "{there}", "{relation}" FROM "{self._table}" '
                f'WHERE "{here}" IN (SELECT value FROM json_each(?)) AND "{source}" <> "{target}"'
            )
            values.append(json.dumps(sorted(ids)))
            if relations is not None:
                part += f' AND "{relation}" IN (SELECT value FROM json_each(?))'
                values.append(json.dumps(sorted(relations)))
            parts.append(part)
        rows = self._db.execute(" UNION ".join(parts) + " ORDER BY 1, 2, 3", values)
        return [(str(here), str(there), str(kind)) for here, there, kind in rows]


def expand_graph(
    edges: Edges,
    seeds: Sequence[str],
    *,
    hops: int = 1,
    relations: Collection[str] | None = None,
    direction: Direction = "both",
    within: Collection[str] | None = None,
    limit: int | None = None,
) -> list[Reached]:
    """The documents within `hops` links of the seeds (best first), nearest first; seeds are left out.

    `within`, where given, holds the documents that the walk may touch at all: a path through one out of
    scope would tell that it exists. Equally near ones go by their seed's place, then by code points.
    """
    integer("hops", hops, 1, MAX_HOPS)
    choice("direction", direction, ("outbound", "both"))
    if isinstance(relations, str):
        raise InvalidOption("relations", relations, "None or a set of relation names")
    order = {seed: place for place, seed in enumerate(dict.fromkeys(seeds))}
    paths: dict[str, tuple[str, ...]] = {seed: (seed,) for seed in order}
    reached: list[Reached] = []
    frontier = list(order)
    for hop in range(1, hops + 1):
        steps = edges.around(frontier, relations=relations, direction=direction)
        ranked = sorted(steps, key=lambda step: (order[paths[step[0]][0]], step[1], step[0], step[2]))
        frontier = []
        for here, there, relation in ranked:
            if there in paths or (within is not None and there not in within):
                continue
            paths[there] = (*paths[here], there)
            frontier.append(there)
            reached.append(Reached(there, hop, paths[there][0], paths[there], relation))
        if not frontier or (limit is not None and len(reached) >= limit):
            break
    return reached if limit is None else reached[:limit]


class GraphRetriever:
    """What is linked with another retriever's best results.

    The score is 1 / (hops + seed's place / number of seeds), places from 0: nearer is better, then the
    better seed. The payload tells the seed, the path and the last link's relation.
    """

    def __init__(
        self,
        edges: Edges,
        seeded_by: Retriever,
        *,
        seeds: int = 10,
        hops: int = 1,
        relations: Collection[str] | None = None,
        direction: Direction = "both",
        name: str = "graph",
    ) -> None:
        """`seeds`: how many of `seeded_by`'s results the walk starts from."""
        integer("seeds", seeds, 1)
        expand_graph(edges, (), hops=hops, relations=relations, direction=direction)  # checks the options
        self.name = name
        self._edges = edges
        self._seeded_by = seeded_by
        self._seeds = seeds
        self._hops = hops
        self._relations = None if relations is None else frozenset(relations)
        self._direction: Direction = direction

    async def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> list[Candidate]:
        """Linked documents, nearest first; seeds themselves are the other retriever's to return."""
        rows = await resolve(self._seeded_by.retrieve(query, limit=self._seeds, ids=ids))
        seeds = [row.id for row in check_candidates(self._seeded_by.name, rows, limit=self._seeds, ids=ids)]
        reached = expand_graph(
            self._edges,
            seeds,
            hops=self._hops,
            relations=self._relations,
            direction=self._direction,
            within=ids,
            limit=limit,
        )
        place = {seed: order / len(seeds) for order, seed in enumerate(seeds)}
        return [
            Candidate(
                item.id,
                1.0 / (item.hops + place[item.seed]),
                payload={
                    "seed": item.seed,
                    "hops": item.hops,
                    "path": list(item.path),
                    "relation": item.relation,
                },
            )
            for item in reached
        ]
