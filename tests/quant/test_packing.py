import numpy as np
import pytest

from hinny.errors import InvalidInput, InvalidOption
from hinny.quant.packing import BITS, check_bits, pack, row_bytes, unpack
from hinny.quant.randomness import random_bits


def test_bytes_a_row():
    assert row_bytes(384, 4) == 192
    assert row_bytes(384, 3) == 144
    assert row_bytes(384, 2) == 96
    assert row_bytes(384, 8) == 384
    assert [row_bytes(5, bits) for bits in BITS] == [2, 3, 3, 5]


def test_nibbles_little_end_first():
    assert pack(np.array([[1, 2, 15]], dtype=np.uint8), 4).tolist() == [[0x21, 0x0F]]
    assert pack(np.array([[1, 2, 3, 0, 2]], dtype=np.uint8), 2).tolist() == [[0b00111001, 0b10]]
    # 3 bits: 1 + 2*8 + 3*64 + 4*512 + 5*4096 + 6*32768 + 7*262144 + 0 = 2054353 + ...
    number = sum(code << (3 * place) for place, code in enumerate([1, 2, 3, 4, 5, 6, 7, 0]))
    assert pack(np.array([[1, 2, 3, 4, 5, 6, 7, 0]], dtype=np.uint8), 3).tolist() == [
        list(number.to_bytes(3, "little"))
    ]


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("dim", [1, 2, 5, 8, 31, 96])
def test_what_is_packed_comes_back(bits, dim):
    codes = (random_bits(bits, dim, 7 * dim) >> np.uint64(64 - bits)).astype(np.uint8).reshape(7, dim)
    packed = pack(codes, bits)
    assert packed.shape == (7, row_bytes(dim, bits))
    assert (unpack(packed, dim, bits) == codes).all()
    for dtype in (np.uint8, np.float32):
        values = (np.arange(1 << bits) * 3 % 251).astype(dtype)
        looked_up = unpack(packed, dim, bits, values)
        assert looked_up.dtype == dtype
        assert (looked_up == values[codes]).all()


@pytest.mark.parametrize("bits", BITS)
def test_no_rows(bits):
    assert unpack(pack(np.empty((0, 5), dtype=np.uint8), bits), 5, bits).shape == (0, 5)


def test_rows_of_another_size_are_refused():
    with pytest.raises(InvalidInput, match="192 bytes a row"):
        unpack(np.zeros((3, 191), dtype=np.uint8), 384, 4)
    with pytest.raises(InvalidInput):
        unpack(np.zeros(192, dtype=np.uint8), 384, 4)


def test_only_four_widths():
    assert [check_bits(bits) for bits in BITS] == [2, 3, 4, 8]
    for bits in (0, 1, 5, 16):
        with pytest.raises(InvalidOption, match="2, 3, 4 or 8"):
            check_bits(bits)
