import numpy as np
import pytest

from hinny.dense.retriever import VectorRetriever, create_vector_retriever
from hinny.errors import (
    DimensionMismatch,
    InvalidInput,
    InvalidOption,
    NotFinite,
    ZeroVector,
)
from hinny.protocols import Rescorer, Retriever
from hinny.records import Query
from support import run
from vectors_data import clustered

VECTORS = clustered(200, 32, seed=1) * np.float32(3)
IDS = [f"d{row:03d}" for row in range(200)]
QUERY = clustered(1, 32, seed=2)[0]
BOTH = pytest.mark.parametrize("strategy", ["exact", "turboquant"])


def make(**options):
    return create_vector_retriever(**{"ids": IDS, "vectors": VECTORS, **options})


def cosines(query=QUERY):
    unit = VECTORS / np.linalg.norm(VECTORS, axis=1)[:, None]
    return unit @ (query / np.linalg.norm(query))


def ranked(candidates):
    return [(each.id, each.score) for each in candidates]


def test_it_is_a_source():
    retriever = make()
    assert isinstance(retriever, Retriever)
    assert isinstance(retriever, Rescorer)
    assert retriever.name == "vector"
    assert len(retriever) == 200
    assert retriever.score_kind == "cosine"
    assert make(metric="dot").score_kind == "dot"


def test_exact_cosine_is_brute_force():
    found = run(make().retrieve(Query(vector=QUERY * 7), limit=10))
    truth = cosines()
    order = np.argsort(-truth)[:10]
    assert [each.id for each in found] == [IDS[row] for row in order]
    assert np.allclose([each.score for each in found], truth[order], atol=1e-6)


def test_dot_product_keeps_lengths():
    vectors = [[1, 0], [3, 0], [0, 1]]
    retriever = create_vector_retriever(ids=["a", "b", "c"], vectors=vectors, metric="dot")
    found = run(retriever.retrieve(Query(vector=np.array([2.0, 1.0])), limit=3))
    assert ranked(found) == [("b", 6.0), ("a", 2.0), ("c", 1.0)]
    # No direction is needed for an inner product.
    assert ranked(run(retriever.retrieve(Query(vector=np.zeros(2)), limit=1))) == [("a", 0.0)]


def test_turboquant_is_near_and_rescoring_is_exact():
    retriever = make(strategy="turboquant")
    truth = dict(zip(IDS, cosines().tolist(), strict=True))
    found = run(retriever.retrieve(Query(vector=QUERY), limit=10))
    assert len(found) == 10
    assert all(abs(each.score - truth[each.id]) < 0.08 for each in found)
    rescored = run(retriever.rescore(Query(vector=QUERY), [each.id for each in found]))
    assert [each.id for each in rescored] == sorted([each.id for each in found], key=lambda id: -truth[id])
    assert all(each.score == pytest.approx(truth[each.id], abs=1e-6) for each in rescored)


def test_refined_candidates_are_exact():
    retriever = make(strategy="turboquant", refine_candidates=60)
    assert [each.id for each in run(retriever.retrieve(Query(vector=QUERY), limit=10))] == [
        IDS[row] for row in np.argsort(-cosines())[:10]
    ]


@BOTH
def test_ids_restrict_before_the_top_is_taken(strategy):
    retriever = make(strategy=strategy)
    far = [IDS[row] for row in np.argsort(cosines())[:5]]
    found = run(retriever.retrieve(Query(vector=QUERY), limit=3, ids={*far, "unknown"}))
    assert len(found) == 3
    assert {each.id for each in found} <= set(far)
    assert run(retriever.retrieve(Query(vector=QUERY), limit=3, ids=set())) == []
    assert run(retriever.retrieve(Query(vector=QUERY), limit=3, ids=["unknown"])) == []


@BOTH
def test_ties_are_broken_by_id_also_at_the_edge(strategy):
    same = np.ones((30, 32))
    ids = [f"d{(row * 7) % 30:02d}" for row in range(30)]
    retriever = create_vector_retriever(ids=ids, vectors=same, strategy=strategy)
    found = run(retriever.retrieve(Query(vector=QUERY), limit=4))
    assert [each.id for each in found] == ["d00", "d01", "d02", "d03"]


@BOTH
def test_rescoring_knows_only_known_ids(strategy):
    found = run(make(strategy=strategy).rescore(Query(vector=QUERY), ["d005", "nobody", "d001", "d005"]))
    truth = cosines()
    assert [each.id for each in found] == (["d005", "d001"] if truth[5] > truth[1] else ["d001", "d005"])
    assert run(make(strategy=strategy).rescore(Query(vector=QUERY), [])) == []


def test_a_text_is_embedded_once_for_retrieving_and_rescoring():
    asked = []

    async def embed(text):
        asked.append(text)
        return QUERY

    retriever = make(embed_query=embed)
    found = run(retriever.retrieve(Query("words"), limit=5))
    run(retriever.rescore(Query("words"), [each.id for each in found]))
    assert asked == ["words"]
    assert ranked(found) == ranked(run(retriever.retrieve(Query(vector=QUERY), limit=5)))
    # A vector that is there already asks no model.
    run(retriever.retrieve(Query("other", QUERY), limit=5))
    assert asked == ["words"]


def test_the_vectors_are_copied():
    vectors = VECTORS.copy()
    retriever = make(vectors=vectors)
    before = ranked(run(retriever.retrieve(Query(vector=QUERY), limit=5)))
    vectors[:] = 1
    assert ranked(run(retriever.retrieve(Query(vector=QUERY), limit=5))) == before


@BOTH
def test_no_documents_and_empty_queries_have_no_hits(strategy):
    empty = create_vector_retriever(ids=[], vectors=[], strategy=strategy)
    assert run(empty.retrieve(Query(vector=QUERY), limit=5)) == []
    assert run(empty.rescore(Query(vector=QUERY), ["a"])) == []
    retriever = make(strategy=strategy)
    assert run(retriever.retrieve(Query("  "), limit=5)) == []
    assert run(retriever.rescore(Query(), ["d001"])) == []
    assert run(retriever.retrieve(Query(vector=QUERY), limit=0)) == []


def test_scores_of_cosine_stay_within_one():
    retriever = create_vector_retriever(ids=["a"], vectors=[[1.0, 3.0, 7.0]], strategy="turboquant", bits=2)
    (found,) = run(retriever.retrieve(Query(vector=np.array([1.0, 3.0, 7.0])), limit=1))
    assert 0.9 < found.score <= 1
    (exact,) = run(retriever.rescore(Query(vector=np.array([1.0, 3.0, 7.0])), ["a"]))
    assert exact.score <= 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"metric": "euclidean"}, InvalidOption),
        ({"strategy": "hnsw"}, InvalidOption),
        ({"strategy": "turboquant", "metric": "dot"}, InvalidOption),
        ({"strategy": "turboquant", "bits": 5}, InvalidOption),
        ({"refine_candidates": -1}, InvalidOption),
        ({"refine_candidates": True}, InvalidOption),
        ({"refine_candidates": 2.5}, InvalidOption),
        ({"kernel": "gpu"}, InvalidOption),
        ({"kernel": "onnx"}, InvalidOption),
        ({"embed_query": 5}, InvalidOption),
        ({"ids": IDS[:-1]}, InvalidInput),
        ({"ids": [*IDS[:-1], "d000"]}, InvalidInput),
        ({"vectors": [[1, 2], [1]], "ids": ["a", "b"]}, DimensionMismatch),
        ({"vectors": [[1, np.nan]], "ids": ["a"]}, NotFinite),
        ({"vectors": [[1, np.inf]], "ids": ["a"]}, NotFinite),
        ({"vectors": [[1, 2], [0, 0]], "ids": ["a", "b"]}, ZeroVector),
    ],
)
def test_bad_input_is_named_before_any_search(options, error):
    with pytest.raises(error):
        make(**options)


@pytest.mark.parametrize(
    ("vector", "error"),
    [
        (np.ones(31), DimensionMismatch),
        (np.full(32, np.nan), NotFinite),
        (np.zeros(32), ZeroVector),
        (np.ones((2, 32)), InvalidInput),
    ],
)
@BOTH
def test_bad_queries(strategy, vector, error):
    with pytest.raises(error):
        run(make(strategy=strategy).retrieve(Query(vector=vector), limit=5))
    with pytest.raises(error):
        run(make(strategy=strategy, embed_query=lambda text: vector).retrieve(Query("words"), limit=5))


@pytest.mark.parametrize("limit", [-1, 2.5, "3", True])
def test_bad_limits(limit):
    with pytest.raises(InvalidOption, match="limit"):
        run(make().retrieve(Query(vector=QUERY), limit=limit))


def test_a_text_needs_an_embedder():
    with pytest.raises(InvalidOption, match="embed_query"):
        run(make().retrieve(Query("words"), limit=5))


def test_closing():
    retriever = make()
    before = ranked(run(retriever.retrieve(Query(vector=QUERY), limit=5)))
    run(retriever.close())
    assert ranked(run(retriever.retrieve(Query(vector=QUERY), limit=5))) == before


def test_another_index_can_stand_in():
    class Backwards:
        dim, metric, kernel = 2, "dot", "mine"

        def __len__(self):
            return 2

        def search(self, query, limit, eligible=None):
            return np.array([1], dtype=np.int32), np.array([query.sum()], dtype=np.float32)

        def score(self, query, rows):
            return rows.astype(np.float32)

    retriever = VectorRetriever(["a", "b"], Backwards())
    assert retriever.kernel == "mine"
    assert ranked(run(retriever.retrieve(Query(vector=np.array([1.0, 2.0])), limit=1))) == [("b", 3.0)]
    assert ranked(run(retriever.rescore(Query(vector=np.ones(2)), ["a", "b"]))) == [("b", 1.0), ("a", 0.0)]
    with pytest.raises(InvalidInput, match="has no parts"):
        retriever.to_parts()
