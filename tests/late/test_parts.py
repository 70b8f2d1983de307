import numpy as np
import pytest

from hinny.errors import BundleMissing, FingerprintMismatch, IntegrityError, InvalidInput
from hinny.late.retriever import ColbertRetriever, create_colbert_retriever
from hinny.npz import pack, unpack
from hinny.records import Query
from support import run
from vectors_data import clustered, token_matrices

MATRICES = token_matrices(30, 32, seed=1)
IDS = [f"d{row}" for row in range(30)]


def encode(text):
    return clustered(5, 32, seed=2)


def make(**options):
    defaults = {"ids": IDS, "matrices": MATRICES, "encode_query": encode, "fingerprint": "m@1"}
    return create_colbert_retriever(**{**defaults, **options})


def opened(parts, **options):
    return ColbertRetriever.from_parts(parts, **{"ids": IDS, "encode_query": encode, **options})


def ranking(retriever):
    return [(each.id, each.score) for each in run(retriever.retrieve(Query("x"), limit=30))]


@pytest.mark.parametrize("options", [{}, {"bits": 2, "seed": 4}, {"quantization": "exact"}, {"pool": 0.4}])
def test_an_opened_index_ranks_as_the_one_that_was_stored(options):
    stored = make(**options)
    again = opened(stored.to_parts(), fingerprint="m@1")
    assert ranking(again) == ranking(stored)
    assert again.fingerprint == "m@1"
    assert again.to_parts() == stored.to_parts()


def test_it_opens_from_a_bundle():
    class Source:
        names = ("tokens/index",)

        def read(self, name):
            return make().to_parts()[name]

    retriever = run(ColbertRetriever.open(Source(), ids=IDS, encode_query=encode, fingerprint="m@1"))
    assert ranking(retriever) == ranking(make())


def test_another_models_index_is_refused():
    with pytest.raises(FingerprintMismatch, match="tokens/index"):
        opened(make().to_parts(), fingerprint="m@2")


def test_other_ids_are_refused():
    with pytest.raises(InvalidInput, match="another order"):
        opened(make().to_parts(), ids=IDS[::-1])
    with pytest.raises(InvalidInput, match="31 ids for 30 rows"):
        opened(make().to_parts(), ids=[*IDS, "more"])


@pytest.mark.parametrize(
    ("options", "array", "end"),
    [
        ({}, "codes", np.s_[:-1]),
        ({}, "codes", np.s_[:, 1:]),
        ({}, "scales", np.s_[:-1]),
        ({}, "token_counts", np.s_[:-1]),
        ({"quantization": "exact"}, "tokens", np.s_[:-1]),
    ],
)
def test_truncated_arrays_are_refused(options, array, end):
    arrays = unpack(make(**options).to_parts()["tokens/index"])
    arrays[array] = arrays[array][end]
    with pytest.raises(IntegrityError, match="tokens/index"):
        opened({"tokens/index": pack(arrays)})


def test_counts_that_do_not_add_up_are_refused():
    arrays = unpack(make().to_parts()["tokens/index"])
    arrays["token_counts"] = arrays["token_counts"] + np.int32(1)
    with pytest.raises(InvalidInput, match="sum to"):
        opened({"tokens/index": pack(arrays)})


def test_a_missing_part():
    with pytest.raises(BundleMissing, match="tokens/index"):
        opened({})


def test_an_empty_index_travels():
    empty = create_colbert_retriever(ids=[], matrices=[], encode_query=encode)
    assert ranking(opened(empty.to_parts(), ids=[])) == []
