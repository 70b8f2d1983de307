import hashlib

import numpy as np
import pytest

from hinny.errors import DimensionMismatch, InvalidInput, InvalidOption, NotFinite, ZeroVector
from hinny.late.token_index import ColbertTokenIndex, build_colbert_token_index, collect_matrices
from hinny.quant.turboquant import TurboQuant
from vectors_data import token_matrices

MATRICES = token_matrices(20, 96, seed=1)


def test_tokens_are_normalised_and_in_order():
    collected = collect_matrices([matrix * np.float32(5) for matrix in MATRICES])
    assert collected.token_counts.dtype == np.int32
    assert collected.token_counts.tolist() == [len(matrix) for matrix in MATRICES]
    assert np.allclose(collected.tokens, np.concatenate(MATRICES), atol=1e-6)


def test_an_index_is_plain_arrays():
    index = build_colbert_token_index(MATRICES, seed=3)
    tokens = sum(len(matrix) for matrix in MATRICES)
    assert len(index) == 20
    assert index.nbytes == tokens * 52 + 20 * 4
    expected = TurboQuant(96, 4, seed=3).encode(np.concatenate(MATRICES))
    assert (index.turboquant.codes != expected.codes).mean() < 1e-3  # normalised twice may round once
    assert (index.turboquant.dim, index.turboquant.bits, index.turboquant.seed) == (96, 4, 3)


def test_the_same_bytes_on_every_platform():
    index = build_colbert_token_index(MATRICES, pool=0.5)
    digest = hashlib.sha256(index.token_counts.astype("<i4").tobytes())
    digest.update(index.turboquant.codes.tobytes())
    digest.update(index.turboquant.scales.astype("<f4").tobytes())
    assert digest.hexdigest() == "a0c2706acb40d8524487b376bc2c5d48b63477b72d9f9a4e96794e2cc6fbe1a7"


def test_pooling_keeps_a_share_of_each_document():
    pooled = build_colbert_token_index(MATRICES, pool=0.5)
    for count, matrix in zip(pooled.token_counts, MATRICES, strict=True):
        assert (len(matrix) + 1) // 2 <= count <= len(matrix)
    assert pooled.token_counts.sum() < sum(len(matrix) for matrix in MATRICES)


@pytest.mark.parametrize(
    ("matrices", "error", "message"),
    [
        ([[[1, 0]], [[1, 0, 0]]], DimensionMismatch, "matrices[1]"),
        ([[[1, 0]], [[1, 0], [0, 0]]], ZeroVector, "matrices[1]: row 1"),
        ([[[1, np.nan]]], NotFinite, "matrices[0]"),
        ([[[1, 0]], []], InvalidInput, "matrices[1]: a document without tokens"),
        ([np.empty((0, 2))], InvalidInput, "without tokens"),
        ([], InvalidInput, "no document"),
        ([[1, 2]], InvalidInput, "matrices[0]"),
    ],
)
def test_bad_matrices_are_named(matrices, error, message):
    with pytest.raises(error) as caught:
        build_colbert_token_index(matrices)
    assert message in str(caught.value)


def test_bad_options():
    with pytest.raises(InvalidOption, match="bits"):
        build_colbert_token_index(MATRICES, bits=6)
    with pytest.raises(InvalidOption, match="pool"):
        build_colbert_token_index(MATRICES, pool=2)


def test_arrays_that_do_not_belong_together():
    index = build_colbert_token_index(MATRICES)
    counts = index.token_counts
    with pytest.raises(InvalidInput, match="sum to"):
        ColbertTokenIndex(counts[:-1], index.turboquant)
    with pytest.raises(InvalidInput, match="int32"):
        ColbertTokenIndex(counts.astype(np.int64), index.turboquant)
    wrong = counts.copy()
    wrong[0], wrong[1] = 0, counts[0] + counts[1]
    with pytest.raises(InvalidInput, match="document 0 has no token"):
        ColbertTokenIndex(wrong, index.turboquant)
