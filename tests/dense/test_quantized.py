import numpy as np
import pytest

from hinny.dense.index import VectorIndex
from hinny.dense.quantized import QuantizedIndex
from hinny.quant.turboquant import TurboQuant
from support import run
from vectors_data import clustered

ROWS, QUERIES = clustered(800, 64, seed=1), clustered(12, 64, seed=2)
CODES = TurboQuant(64, 4).encode(ROWS)


def top(scores, limit):
    return set(np.argsort(-scores, kind="stable")[:limit].tolist())


def test_without_full_rows_scores_come_from_the_codes():
    index = QuantizedIndex(CODES)
    assert isinstance(index, VectorIndex)
    decoded = TurboQuant(64, 4).decode(CODES).astype(np.float64)
    for query in QUERIES:
        found = run(index.search(query, 10))
        truth = decoded @ query
        assert set(found.rows.tolist()) == top(truth, 10)
        assert np.allclose(found.scores, truth[found.rows], atol=1e-5)
        assert np.allclose(index.score(query, np.array([9, 4])), truth[[9, 4]], atol=1e-5)


def test_rescoring_uses_the_full_rows():
    index = QuantizedIndex(CODES, full=ROWS)
    exact = ROWS.astype(np.float64) @ QUERIES[0]
    rows = np.array([9, 4], dtype=np.int32)
    assert np.allclose(index.score(QUERIES[0], rows), exact[rows], atol=1e-6)
    # A plain search still reports what the codes say.
    found = run(index.search(QUERIES[0], 10))
    assert np.abs(found.scores - exact[found.rows]).max() > 1e-4


@pytest.mark.parametrize("full", ["floats", "bytes"])
def test_refining_recovers_the_exact_order(full):
    full_rows = ROWS if full == "floats" else TurboQuant(64, 8).encode(ROWS)
    index = QuantizedIndex(CODES, full=full_rows, refine_candidates=100)
    plain = QuantizedIndex(CODES)
    kept = kept_plain = 0
    for query in QUERIES:
        exact = ROWS @ query
        found = run(index.search(query, 10))
        assert np.allclose(found.scores, exact[found.rows], atol=1e-6 if full == "floats" else 5e-3)
        kept += len(top(exact, 10) & set(found.rows.tolist()))
        kept_plain += len(top(exact, 10) & set(run(plain.search(query, 10)).rows.tolist()))
    assert kept >= (120 if full == "floats" else 112)
    assert kept_plain < kept


def test_refining_at_least_as_many_as_asked():
    index = QuantizedIndex(CODES, full=ROWS, refine_candidates=5)
    found = run(index.search(QUERIES[0], 20))
    assert len(found.rows) == 20
    assert np.allclose(found.scores, (ROWS @ QUERIES[0])[found.rows], atol=1e-6)


def test_eligibility_and_limits():
    index = QuantizedIndex(CODES)
    eligible = np.zeros(800, dtype=bool)
    eligible[[3, 30, 400]] = True
    assert set(run(index.search(QUERIES[0], 10, eligible)).rows.tolist()) == {3, 30, 400}
    assert len(run(index.search(QUERIES[0], 2, eligible)).rows) == 2
    assert len(run(index.search(QUERIES[0], 0)).rows) == 0
    assert len(run(index.search(QUERIES[0], 10_000)).rows) == 800
