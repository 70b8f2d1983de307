import numpy as np
import pytest

from hinny.errors import InvalidOption
from hinny.late.pooling import check_pool, pooled
from vectors_data import clustered, unit_vectors


def unit(*rows):
    rows = np.array(rows, dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def test_the_most_alike_merge_first():
    tokens = unit([1, 0], [0, 1], [1, 0.1], [0.2, 1])
    merged = pooled(tokens, 0.75)
    expected = unit(tokens[0] + tokens[2], [0, 1], [0.2, 1])
    assert merged.dtype == np.float32
    assert np.allclose(merged, expected, atol=1e-6)
    assert np.allclose(pooled(tokens, 0.5), unit(tokens[0] + tokens[2], tokens[1] + tokens[3]), atol=1e-6)


def test_linkage_is_the_average_over_pairs():
    # a and b merge first (cosine 0.995). Then c and d have 0.71; c and b have 0.73, but c and {a, b} only
    # (0.66 + 0.73) / 2: single linkage would have put c with b.
    angles = np.array([0.0, 0.1, 0.85, 1.63])
    a, b, c, d = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    merged = pooled(np.stack([a, b, c, d]), 0.5)
    assert np.allclose(merged, unit(a + b, c + d), atol=1e-6)


def test_all_tokens_are_kept_at_1():
    tokens = unit_vectors(9, 16, seed=1)
    assert pooled(tokens, 1) is tokens
    assert pooled(tokens[:1], 0.1).tolist() == tokens[:1].tolist()


@pytest.mark.parametrize("pool", [0.5, 0.34, 0.1])
def test_how_many_are_left(pool):
    tokens = np.abs(clustered(50, 32, seed=3))
    tokens /= np.linalg.norm(tokens, axis=1)[:, None]
    merged = pooled(tokens, pool)
    assert len(merged) == int(np.ceil(pool * 50))
    assert np.allclose(np.linalg.norm(merged, axis=1), 1, atol=1e-6)


def test_opposite_tokens_never_merge():
    assert len(pooled(unit([1, 0], [-1, 0]), 0.5)) == 2


def test_doubles_merge_to_themselves():
    tokens = unit([3, 4], [3, 4], [3, 4], [-4, 3])
    assert np.allclose(pooled(tokens, 0.5), unit([3, 4], [-4, 3]), atol=1e-6)


@pytest.mark.parametrize("pool", [0, -1, 1.5, "half", None])
def test_what_is_no_share(pool):
    with pytest.raises(InvalidOption, match="pool"):
        check_pool(pool)
