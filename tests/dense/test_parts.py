import json

import numpy as np
import pytest

from hinny.dense.ids import IdRows
from hinny.dense.retriever import VectorRetriever, create_vector_retriever
from hinny.errors import (
    BundleMissing,
    FingerprintMismatch,
    IntegrityError,
    InvalidInput,
    InvalidOption,
    UnsupportedVersion,
)
from hinny.npz import pack, unpack
from hinny.records import Query
from support import run
from vectors_data import clustered

VECTORS = clustered(60, 96, seed=1)
IDS = [f"d{row}" for row in range(60)]
QUERY = Query(vector=clustered(1, 96, seed=2)[0])


def make(**options):
    return create_vector_retriever(**{"ids": IDS, "vectors": VECTORS, "fingerprint": "m@1", **options})


def ranking(retriever, limit=20):
    return [(each.id, each.score) for each in run(retriever.retrieve(QUERY, limit=limit))]


class Source:
    def __init__(self, parts):
        self._parts = parts
        self.asked = []

    @property
    def names(self):
        return self._parts.keys()

    async def read(self, name):
        self.asked.append(name)
        return self._parts[name]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"metric": "dot"},
        {"strategy": "turboquant"},
        {"strategy": "turboquant", "bits": 3, "seed": 5},
    ],
)
def test_an_opened_index_ranks_as_the_one_that_was_stored(options):
    retriever = make(**options)
    opened = VectorRetriever.from_parts(retriever.to_parts(), ids=IDS, fingerprint="m@1")
    assert ranking(opened) == ranking(retriever)
    assert opened.fingerprint == "m@1"
    assert opened.index.metric == retriever.index.metric


def test_the_same_index_is_the_same_bytes():
    assert make(strategy="turboquant").to_parts() == make(strategy="turboquant").to_parts()
    assert list(make(strategy="turboquant").to_parts()) == ["vectors/codes"]
    assert list(make().to_parts()) == ["vectors/rows"]


def test_a_4_bit_vector_of_96_dimensions_is_52_bytes():
    (part,) = make(strategy="turboquant").to_parts().values()
    arrays = unpack(part)
    assert arrays["codes"].nbytes + arrays["scales"].nbytes == 60 * 52
    assert json.loads(arrays["meta"].tobytes()) == {
        "version": 1,
        "dim": 96,
        "bits": 4,
        "seed": 0x48696E6E79,
        "metric": "cosine",
        "count": 60,
        "fingerprint": "m@1",
        "ids": IdRows(IDS).digest(),
    }


@pytest.mark.parametrize(("full", "near"), [("floats", 1e-6), ("bytes", 3e-3)])
def test_full_rows_travel_when_asked(full, near):
    stored = make(strategy="turboquant")
    parts = stored.to_parts(full=full)
    opened = VectorRetriever.from_parts(parts, ids=IDS, fingerprint="m@1", refine_candidates=40)
    exact = dict(ranking(make(), 60))
    for id, score in ranking(opened, 10):
        assert score == pytest.approx(exact[id], abs=near)
    again = VectorRetriever.from_parts(opened.to_parts(full="bytes"), ids=IDS, refine_candidates=40)
    assert [id for id, _ in ranking(again, 5)] == [id for id, _ in ranking(opened, 5)]
    if full == "bytes":
        assert unpack(parts["vectors/full"])["codes"].shape == (60, 96)


def test_what_is_read_from_a_bundle():
    source = Source({**make(strategy="turboquant").to_parts(full="bytes"), "lexical/other": b""})
    opened = run(VectorRetriever.open(source, ids=IDS, fingerprint="m@1"))
    assert source.asked == ["vectors/codes"]
    assert ranking(opened) == ranking(make(strategy="turboquant"))
    source.asked.clear()
    run(VectorRetriever.open(source, ids=IDS, refine_candidates=10))
    assert source.asked == ["vectors/codes", "vectors/full"]


def test_another_models_index_is_refused():
    parts = make().to_parts()
    with pytest.raises(FingerprintMismatch, match=r"'m@1'.*'m@2'"):
        VectorRetriever.from_parts(parts, ids=IDS, fingerprint="m@2")
    assert VectorRetriever.from_parts(parts, ids=IDS).fingerprint == "m@1"


def test_other_ids_are_refused():
    parts = make().to_parts()
    with pytest.raises(InvalidInput, match="59 ids for 60 rows"):
        VectorRetriever.from_parts(parts, ids=IDS[:-1])
    with pytest.raises(InvalidInput, match="another order"):
        VectorRetriever.from_parts(parts, ids=IDS[::-1])


def damaged(name, change, **options):
    parts = make(**options).to_parts()
    arrays = unpack(parts[name])
    change(arrays)
    return {name: pack(arrays)}


def cut(array, end):
    def change(arrays):
        arrays[array] = arrays[array][end]

    return change


@pytest.mark.parametrize(
    ("name", "change", "options"),
    [
        ("vectors/codes", cut("codes", np.s_[:-1]), {"strategy": "turboquant"}),
        ("vectors/codes", cut("codes", np.s_[:, :-1]), {"strategy": "turboquant"}),
        ("vectors/codes", cut("scales", np.s_[:-1]), {"strategy": "turboquant"}),
        ("vectors/rows", cut("rows", np.s_[:, :-1]), {}),
    ],
)
def test_truncated_arrays_are_refused(name, change, options):
    with pytest.raises(IntegrityError, match=name):
        VectorRetriever.from_parts(damaged(name, change, **options), ids=IDS)


def test_an_unknown_version_is_refused():
    def newer(arrays):
        meta = json.loads(arrays["meta"].tobytes()) | {"version": 2}
        arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)

    with pytest.raises(UnsupportedVersion, match="version 2"):
        VectorRetriever.from_parts(damaged("vectors/rows", newer), ids=IDS)


def test_missing_parts():
    with pytest.raises(BundleMissing, match="vectors/codes"):
        VectorRetriever.from_parts({}, ids=IDS)
    with pytest.raises(BundleMissing, match="vectors/full"):
        VectorRetriever.from_parts(make(strategy="turboquant").to_parts(), ids=IDS, refine_candidates=5)
    with pytest.raises(InvalidOption, match="full"):
        make(strategy="turboquant").to_parts(full="some")
    opened = VectorRetriever.from_parts(make(strategy="turboquant").to_parts(), ids=IDS)
    with pytest.raises(InvalidOption, match="no full rows"):
        opened.to_parts(full="floats")


def test_an_empty_index_travels():
    empty = create_vector_retriever(ids=[], vectors=[], strategy="turboquant")
    opened = VectorRetriever.from_parts(empty.to_parts(), ids=[])
    assert ranking(opened) == []
