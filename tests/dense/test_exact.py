import numpy as np

from hinny.dense.exact import ExactIndex
from hinny.dense.index import VectorIndex
from support import run
from vectors_data import clustered


def test_search_is_brute_force():
    rows, query = clustered(300, 32, seed=1), clustered(1, 32, seed=2)[0]
    index = ExactIndex(rows)
    assert isinstance(index, VectorIndex)
    assert (index.dim, len(index), index.metric) == (32, 300, "cosine")
    found = run(index.search(query, 7))
    truth = rows.astype(np.float64) @ query
    assert sorted(found.rows.tolist()) == sorted(np.argsort(-truth)[:7].tolist())
    assert np.allclose(found.scores, truth[found.rows], atol=1e-6)
    assert np.allclose(index.score(query, np.array([5, 3])), truth[[5, 3]], atol=1e-6)


def test_eligibility_comes_first():
    rows = clustered(50, 16, seed=1)
    eligible = np.zeros(50, dtype=bool)
    eligible[[3, 30, 40]] = True
    found = run(ExactIndex(rows).search(rows[0], 2, eligible))
    truth = rows @ rows[0]
    assert set(found.rows.tolist()) == set(sorted([3, 30, 40], key=lambda row: -truth[row])[:2])
