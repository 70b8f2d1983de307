import hashlib

import numpy as np
import pytest

from hinny.quant.rotation import Rotation, _hadamard, _spans
from vectors_data import unit_vectors


def test_a_hadamard_transform_worked_by_hand():
    rows = np.array([[1, 2, 3, 4]], dtype=np.float32)
    assert _hadamard(rows, 4).tolist() == [[5, -1, -2, 0]]  # half of 10, -2, -4, 0
    assert _hadamard(rows, 1).tolist() == rows.tolist()


def test_hadamard_is_the_sylvester_matrix():
    matrix = np.ones((1, 1))
    for _ in range(5):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    rows = unit_vectors(6, 64, seed=2)
    expected = np.concatenate([rows[:, :32] @ matrix, rows[:, 32:] @ matrix], axis=1) / 32**0.5
    assert np.allclose(_hadamard(rows, 32), expected, atol=1e-6)


def test_blocks_need_no_padding():
    assert _spans(384) == [(0, 384, 128)]
    assert _spans(96) == [(0, 96, 32)]
    assert _spans(8) == [(0, 8, 8)]
    assert _spans(100) == [(0, 64, 64), (36, 100, 64)]
    assert _spans(1) == [(0, 1, 1)]


@pytest.mark.parametrize("dim", [1, 2, 3, 7, 64, 96, 100, 384])
def test_a_rotation_keeps_lengths_and_comes_back(dim):
    rows = unit_vectors(20, dim, seed=dim)
    rotation = Rotation(dim, 11)
    turned = rotation.apply(rows)
    assert turned.dtype == np.float32
    assert np.allclose((turned * turned).sum(axis=1), 1, atol=1e-5)
    assert np.allclose(turned @ turned.T, rows @ rows.T, atol=1e-5)
    assert np.allclose(rotation.undo(turned), rows, atol=1e-6)


@pytest.mark.parametrize("dim", [96, 100, 384])
def test_a_single_coordinate_spreads_over_all(dim):
    turned = Rotation(dim, 11).apply(np.eye(dim, dtype=np.float32))
    # Gaussian coordinates of variance 1/d would give a largest absolute value near 4/sqrt(d).
    assert np.abs(turned).max() * dim**0.5 < 6
    assert (turned != 0).mean() > 0.8


def test_the_input_is_not_written_to():
    rows = unit_vectors(3, 32, seed=1)
    before = rows.copy()
    Rotation(32, 1).undo(Rotation(32, 1).apply(rows))
    assert (rows == before).all()


def test_the_same_bits_everywhere():
    rows = (np.arange(3 * 384, dtype=np.float32) % np.float32(17) - np.float32(8)).reshape(3, 384)
    digest = hashlib.sha256(Rotation(384, 7).apply(rows).astype("<f4").tobytes()).hexdigest()
    assert digest == "dabb3eb1a3cb392c7deffde8e25674d8eee47deb159b7119779fbe7c1fd6e01b"
