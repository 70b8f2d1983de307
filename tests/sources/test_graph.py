"""The walk over links, by hand; from a table in memory and from one in SQLite."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import InvalidInput, InvalidOption, SourceError
from hinny.ranking.search import HybridSearch
from hinny.records import Query
from hinny.sources.graph import Edge, EdgeTable, GraphRetriever, SqliteEdges, expand_graph
from ranking_fakes import AsyncSource, Source, falling, ids
from support import run

LINKS = [
    Edge("a", "b"),
    Edge("b", "c"),
    Edge("c", "d"),
    Edge("x", "a", "cites"),
    Edge("s", "c", "cites"),
]


OPEN: list[sqlite3.Connection] = []


def memory() -> sqlite3.Connection:
    """A database that the test's end closes."""
    OPEN.append(sqlite3.connect(":memory:"))
    return OPEN[-1]


@pytest.fixture(autouse=True)
def closing() -> Iterator[None]:
    yield
    while OPEN:
        OPEN.pop().close()


def sqlite_edges(edges: Any) -> SqliteEdges:
    connection = memory()
    connection.execute("CREATE TABLE edges (source TEXT, target TEXT, relation TEXT)")
    connection.executemany("INSERT INTO edges VALUES (?, ?, ?)", [tuple(Edge(*edge)) for edge in edges])
    return SqliteEdges(connection)


@pytest.fixture(params=[EdgeTable, sqlite_edges])
def edges(request: pytest.FixtureRequest) -> Any:
    return request.param(LINKS)


def test_one_hop_follows_links_both_ways(edges: Any) -> None:
    assert [item.id for item in expand_graph(edges, ["a"])] == ["b", "x"]


def test_outbound_follows_links_from_source_to_target_only(edges: Any) -> None:
    assert [item.id for item in expand_graph(edges, ["a"], direction="outbound")] == ["b"]
    assert expand_graph(edges, ["d"], direction="outbound") == []


def test_hops_are_counted_and_the_path_is_told(edges: Any) -> None:
    reached = expand_graph(edges, ["a"], hops=3, direction="outbound")
    assert [(item.id, item.hops, item.seed, item.path) for item in reached] == [
        ("b", 1, "a", ("a", "b")),
        ("c", 2, "a", ("a", "b", "c")),
        ("d", 3, "a", ("a", "b", "c", "d")),
    ]


def test_relations_restrict_the_walk(edges: Any) -> None:
    reached = expand_graph(edges, ["a", "s"], hops=3, relations={"cites"})
    assert [(item.id, item.relation) for item in reached] == [("x", "cites"), ("c", "cites")]
    assert expand_graph(edges, ["a"], relations=()) == []


def test_a_document_belongs_to_its_best_seed_among_the_nearest(edges: Any) -> None:
    reached = {item.id: item.seed for item in expand_graph(edges, ["b", "s"], hops=2)}
    assert reached == {"a": "b", "c": "b", "x": "b", "d": "b"}
    reached = {item.id: item.seed for item in expand_graph(edges, ["s", "b"], hops=2)}
    assert reached["c"] == "s"
    assert reached["d"] == "s"


def test_seeds_are_left_out_and_doubles_do_not_matter(edges: Any) -> None:
    assert [item.id for item in expand_graph(edges, ["a", "b", "a"], hops=1)] == ["x", "c"]
    assert expand_graph(edges, []) == []
    assert expand_graph(edges, ["nowhere"]) == []


def test_the_walk_touches_nothing_out_of_scope(edges: Any) -> None:
    reached = expand_graph(edges, ["a"], hops=3, direction="outbound", within={"c", "d"})
    assert reached == []


def test_a_limit_keeps_the_nearest(edges: Any) -> None:
    assert [item.id for item in expand_graph(edges, ["a"], hops=3, limit=2)] == ["b", "x"]


def test_self_links_and_doubled_links_change_nothing() -> None:
    doubled = [*LINKS, Edge("a", "a"), Edge("a", "b"), ("a", "b")]
    for make in (EdgeTable, sqlite_edges):
        assert expand_graph(make(doubled), ["a"], hops=3) == expand_graph(EdgeTable(LINKS), ["a"], hops=3)


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.sampled_from("xy")),
        max_size=25,
    ),
    st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=3),
    st.integers(1, 4),
    st.sampled_from(["outbound", "both"]),
)
def test_the_walk_agrees_with_a_plain_breadth_first_search(
    links: list[tuple[str, str, str]], seeds: list[str], hops: int, direction: Any
) -> None:
    near = dict.fromkeys(seeds, 0)
    queue = deque(seeds)
    while queue:
        here = queue.popleft()
        for source, target, _ in links:
            for one, other in (
                ((source, target), (target, source)) if direction == "both" else ((source, target),)
            ):
                if one == here and other not in near and near[here] < hops:
                    near[other] = near[here] + 1
                    queue.append(other)
    expected = {id: hop for id, hop in near.items() if hop}
    by_table = expand_graph(EdgeTable(links), seeds, hops=hops, direction=direction)
    assert {item.id: item.hops for item in by_table} == expected
    assert [item.hops for item in by_table] == sorted(item.hops for item in by_table)
    assert expand_graph(sqlite_edges(links), seeds, hops=hops, direction=direction) == by_table


@pytest.mark.parametrize(
    "bad", [{"hops": 0}, {"hops": 11}, {"hops": True}, {"direction": "inbound"}, {"relations": "link"}]
)
def test_bad_options_are_named(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidOption):
        expand_graph(EdgeTable(LINKS), ["a"], **bad)
    with pytest.raises(InvalidOption):
        GraphRetriever(EdgeTable(LINKS), Source([]), **bad)


def test_edges_are_strings_and_table_names_identifiers() -> None:
    with pytest.raises(InvalidInput, match="all strings"):
        EdgeTable([(1, 2)])  # type: ignore[list-item]
    with pytest.raises(InvalidOption, match="an ASCII identifier"):
        SqliteEdges(memory(), table='x"; DROP TABLE y; --')


def test_the_retriever_is_seeded_by_anothers_top_results(edges: Any) -> None:
    seeds = AsyncSource(falling("asz"), name="fts")
    graph = GraphRetriever(edges, seeds, seeds=2, hops=2)
    rows = run(graph.retrieve(Query("words"), limit=10))
    assert seeds.calls[0]["limit"] == 2
    assert [(row.id, row.score) for row in rows] == [
        ("b", 1.0),
        ("x", 1.0),
        ("c", 1 / 1.5),
        ("d", 1 / 2.5),
    ]
    assert rows[3].payload == {"seed": "s", "hops": 2, "path": ["s", "c", "d"], "relation": "link"}


def test_the_retriever_keeps_to_the_eligible_ids_and_the_limit(edges: Any) -> None:
    seeds = Source(falling("as"))
    graph = GraphRetriever(edges, seeds, hops=2)
    assert ids(run(graph.retrieve(Query("q"), limit=10, ids={"a", "b", "d"}))) == ["b"]
    assert seeds.calls[0]["ids"] == {"a", "b", "d"}
    assert ids(run(graph.retrieve(Query("q"), limit=1))) == ["b"]


def test_a_broken_seed_source_is_named(edges: Any) -> None:
    graph = GraphRetriever(edges, Source([("a", 1.0), ("a", 0.5)], name="fts"))
    with pytest.raises(SourceError, match="fts: answered the id 'a' twice"):
        run(graph.retrieve(Query("q"), limit=3))


def test_it_joins_a_hybrid_search_as_a_source_of_its_own() -> None:
    words = Source(falling("a"))
    search = HybridSearch(lexical=words, more={"graph": GraphRetriever(EdgeTable(LINKS), words)})
    response = run(search.search_with_stats("words"))
    assert set(ids(response.hits)) == {"a", "b", "x"}
    assert response.hits[1].payload is not None
    assert response.hits[1].payload["graph"]["seed"] == "a"
