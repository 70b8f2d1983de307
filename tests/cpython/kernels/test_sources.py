"""The two sources over onnxruntime: the same answers as over numpy, and who scanned is told."""

import numpy as np
import pytest

from hinny.dense.retriever import VectorRetriever, create_vector_retriever
from hinny.errors import ModelError
from hinny.late.retriever import create_colbert_retriever
from hinny.platform.cpython import CPythonRuntime
from hinny.records import Query
from support import run
from vectors_data import clustered, token_matrices

VECTORS = clustered(5000, 96, seed=1)
QUERIES = clustered(10, 96, seed=2)
IDS = [f"d{row:04d}" for row in range(5000)]
MATRICES = token_matrices(200, 96, seed=1, longest=60)


def vectors(**options):
    return create_vector_retriever(ids=IDS, vectors=VECTORS, **options)


def tokens(**options):
    return create_colbert_retriever(
        ids=IDS[:200], matrices=MATRICES, encode_query=lambda text: QUERIES, **options
    )


@pytest.mark.parametrize("options", [{}, {"metric": "dot"}])
def test_exact_vectors(options):
    here = vectors(kernel="numpy", **options)
    there = vectors(kernel="onnx", runtime=CPythonRuntime(1), **options)
    for vector in QUERIES:
        expected = run(here.retrieve(Query(vector=vector), limit=20))
        found = run(there.retrieve(Query(vector=vector), limit=20))
        assert [each.id for each in found] == [each.id for each in expected]
        assert np.allclose([a.score for a in found], [b.score for b in expected], atol=1e-6)
    assert (here.kernel, there.kernel) == ("numpy", "onnx")


@pytest.mark.parametrize("options", [{}, {"refine_candidates": 100}, {"bits": 2}, {"bits": 8}])
def test_quantised_vectors_have_the_same_scores_whoever_scans(options):
    here = vectors(strategy="turboquant", kernel="numpy", **options)
    there = vectors(strategy="turboquant", kernel="onnx", runtime=CPythonRuntime(1), **options)
    same = 0
    for vector in QUERIES:
        expected = run(here.retrieve(Query(vector=vector), limit=20))
        found = run(there.retrieve(Query(vector=vector), limit=20))
        scores = {each.id: each.score for each in expected}
        same += sum(each.id in scores for each in found)
        assert all(each.score == scores[each.id] for each in found if each.id in scores)
    assert same == 200
    assert there.kernel == "onnx"


def test_tokens():
    here = tokens(kernel="numpy")
    there = tokens(kernel="onnx", runtime=CPythonRuntime(1))
    expected = {each.id: each.score for each in run(here.retrieve(Query("x"), limit=200))}
    found = run(there.retrieve(Query("x"), limit=200))
    assert len(found) == 200
    assert all(each.score == pytest.approx(expected[each.id], abs=1e-3) for each in found)
    assert there.kernel == "onnx"
    eligible = {"d0007", "d0100", "d0150"}
    restricted = run(there.retrieve(Query("x"), limit=2, ids=eligible))
    assert len(restricted) == 2
    assert {each.id for each in restricted} <= eligible


def test_the_automatic_choice_depends_on_the_work():
    runtime = CPythonRuntime(1)
    large, small = (
        vectors(runtime=runtime),
        create_vector_retriever(ids=["a"], vectors=[[1, 2]], runtime=runtime),
    )
    assert large.kernel == "auto"
    run(large.retrieve(Query(vector=QUERIES[0]), limit=1))
    run(small.retrieve(Query(vector=np.ones(2)), limit=1))
    assert (large.kernel, small.kernel) == ("onnx", "numpy")


def test_a_runtime_that_cannot_leaves_numpy_to_do_it_and_says_so():
    class Broken:
        async def load_session(self, graph, external=None):
            raise ModelError("no memory")

    retriever = vectors(strategy="turboquant", runtime=Broken())
    found = run(retriever.retrieve(Query(vector=QUERIES[0]), limit=5))
    assert len(found) == 5
    assert retriever.kernel == "numpy"
    forced = vectors(strategy="turboquant", kernel="onnx", runtime=Broken())
    with pytest.raises(ModelError, match="no memory"):
        run(forced.retrieve(Query(vector=QUERIES[0]), limit=5))


def test_closing_gives_the_session_back_and_an_opened_index_scans_again():
    released = []

    class Counting(CPythonRuntime):
        async def release(self, handle):
            released.append(handle)
            await super().release(handle)

    runtime = Counting(1)
    stored = vectors(strategy="turboquant")
    opened = VectorRetriever.from_parts(stored.to_parts(), ids=IDS, kernel="onnx", runtime=runtime)
    before = run(opened.retrieve(Query(vector=QUERIES[0]), limit=5))
    run(opened.close())
    assert released == [1]
    assert run(opened.retrieve(Query(vector=QUERIES[0]), limit=5)) == before
    late = tokens(kernel="onnx", runtime=runtime)
    run(late.retrieve(Query("x"), limit=1))
    run(late.close())
    assert released == [1, 3]
