"""A site's own links as edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError
from hinny.npz import pack
from hinny.records import Query
from hinny.sources.graph import EdgeTable, GraphRetriever, expand_graph
from hinny.sources.links import SiteLinks
from ranking_fakes import Source, ids
from support import run

IDS = ["index#", "install#", "install#linux", "faq#"]
PART = pack({"from": np.int32([0, 0, 2]), "to": np.int32([1, 3, 3])})


def test_the_recorded_part_is_walked() -> None:
    links = SiteLinks.from_part(PART, IDS)
    assert len(links) == 3
    assert [item.id for item in expand_graph(links, ["index#"], direction="outbound")] == ["faq#", "install#"]
    assert [item.id for item in expand_graph(links, ["install#linux"], hops=2)] == ["faq#", "index#"]
    assert expand_graph(links, ["unknown"]) == []
    assert expand_graph(links, ["index#"], relations={"cites"}) == []
    assert len(expand_graph(links, ["index#"], relations={"link"})) == 2


def test_it_seeds_a_retriever() -> None:
    links = SiteLinks.from_part(PART, IDS)
    graph = GraphRetriever(links, Source([("install#linux", 1.0)]))
    assert ids(run(graph.retrieve(Query("x"), limit=5))) == ["faq#"]


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=30),
    st.sampled_from(["outbound", "both"]),
)
def test_it_walks_as_a_table_of_the_same_links(pairs: list[tuple[int, int]], direction: str) -> None:
    names = [f"n{row}" for row in range(7)]
    table = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    links = SiteLinks(names, table[:, 0], table[:, 1])
    plain = EdgeTable((names[one], names[other]) for one, other in pairs)
    for seed in names:
        walked = expand_graph(links, [seed], hops=3, direction=direction)  # type: ignore[arg-type]
        assert walked == expand_graph(plain, [seed], hops=3, direction=direction)  # type: ignore[arg-type]


def test_no_links_are_no_edges() -> None:
    empty = np.empty(0, np.int32)
    assert SiteLinks(IDS, empty, empty).around(IDS, relations=None, direction="both") == []


@pytest.mark.parametrize(
    "arrays",
    [
        {"from": np.int32([0]), "to": np.int32([4])},
        {"from": np.int32([-1]), "to": np.int32([0])},
        {"from": np.int32([0, 1]), "to": np.int32([0])},
        {"from": np.int32([0])},
    ],
)
def test_damaged_links_are_named(arrays: dict[str, np.ndarray]) -> None:
    with pytest.raises(BundleError, match="site"):
        SiteLinks.from_part(pack(arrays), IDS)
