import hashlib

import numpy as np
import pytest

from hinny.errors import DimensionMismatch, InvalidInput, InvalidOption, NotFinite
from hinny.quant.codebooks import DISTORTION, SEVEN_BIT_ZERO
from hinny.quant.packing import unpack
from hinny.quant.turboquant import ZERO_POINT, QuantizedVectors, TurboQuant
from vectors_data import clustered, gaussian, unit_vectors

BITS = (2, 3, 4, 8)

GOLDEN = {
    (384, 2): "7389f9974c12b15c89574d2c04b3dfa81446915d7aade5af09eb21542fb729fd",
    (384, 3): "e8011c8a36743a675f9216114290a212462cf695bc304e1723219bfa966f275e",
    (384, 4): "85d27b1cb1165f5fbf800fb616d6b2e6b32c861f87d07817c318c7127cdecb8d",
    (384, 8): "1561c1d196c139f2a14966ec84cde2cfd9cd4d2081416acceea0dc1e5ed89491",
    (96, 4): "8d9994b0fa39ed0e4e682c34e1f1bb343b24d3dfd9b689d249dd052d80eddf4c",
    (100, 4): "2ba1a1dc2f62556b339a5f724a83761f89c2466a23d13030b88395b746b9d7f8",
    (7, 3): "2222a4ce79aa50cc6a119333481a33742c155e5452cc40449d14d60c6b2c9825",
}


@pytest.mark.parametrize(("dim", "bits"), GOLDEN)
def test_the_same_bytes_on_every_platform(dim, bits):
    encoded = TurboQuant(dim, bits).encode(gaussian(300, dim, seed=5))
    data = encoded.codes.tobytes() + encoded.scales.astype("<f4").tobytes()
    assert hashlib.sha256(data).hexdigest() == GOLDEN[dim, bits]


def test_blocks_do_not_show_in_the_bytes():
    rows = gaussian(2100, 32, seed=3)
    whole = TurboQuant(32, 4).encode(rows)
    for start, stop in ((0, 1), (2047, 2049), (2099, 2100)):
        part = TurboQuant(32, 4).encode(rows[start:stop])
        assert (part.codes == whole.codes[start:stop]).all()
        assert (part.scales == whole.scales[start:stop]).all()


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("make", [unit_vectors, clustered])
def test_distortion_is_the_published_figure_within_2_percent(bits, make):
    # d = 1536, where a coordinate of a unit vector is Gaussian to within the tolerance.
    rows = make(600, 1536, seed=bits)
    quantizer = TurboQuant(1536, bits)
    encoded = quantizer.encode(rows)
    plain = quantizer.decode_rotated(encoded) / encoded.scales[:, None]  # before the length correction
    error = ((plain - quantizer.rotate(rows)) ** 2).sum(axis=1).mean()
    assert error == pytest.approx(DISTORTION[bits], rel=0.02)


@pytest.mark.parametrize("bits", BITS)
def test_inner_products_are_unbiased(bits):
    rows = unit_vectors(4000, 128, seed=1)
    near = rows + np.float32(0.5) * unit_vectors(4000, 128, seed=2)
    decoded = TurboQuant(128, bits).decode(TurboQuant(128, bits).encode(rows))
    truth = (rows.astype(np.float64) * near).sum(axis=1)
    found = (decoded.astype(np.float64) * near).sum(axis=1)
    slope = (found * truth).sum() / (truth * truth).sum()
    noise = (DISTORTION[bits] / 128 / 4000) ** 0.5
    assert slope == pytest.approx(1, abs=4 * noise)
    # Without the correction, the slope would be short by the distortion.
    assert DISTORTION[bits] > 20 * noise or bits == 8


def test_a_vector_and_itself_have_its_squared_length():
    rows = gaussian(50, 96, seed=4) * np.float32(3)
    quantizer = TurboQuant(96, 4)
    decoded = quantizer.decode(quantizer.encode(rows))
    assert np.allclose((decoded * rows).sum(axis=1), (rows * rows).sum(axis=1), rtol=1e-5)


@pytest.mark.parametrize("bits", BITS)
def test_widened_bytes_are_the_decoded_vectors_nearly(bits):
    rows = unit_vectors(40, 96, seed=6)
    quantizer = TurboQuant(96, bits)
    encoded = quantizer.encode(rows)
    values, worth = quantizer.scan_bytes(encoded), quantizer.scan_worths(encoded)
    assert values.dtype == np.uint8
    assert worth.dtype == np.float32
    back = (values.astype(np.float32) - ZERO_POINT) * worth[:, None]
    assert np.abs(back - quantizer.decode_rotated(encoded)).max() <= 0.5001 * worth.max()


def test_seven_bit_levels_are_the_decoded_vectors_nearly():
    quantizer = TurboQuant(96, 4)
    encoded = quantizer.encode(unit_vectors(40, 96, seed=6))
    values, worth = quantizer.seven_bit_scan(encoded)
    codes = unpack(encoded.codes, 96, 4)
    back = (values[codes].astype(np.float32) - SEVEN_BIT_ZERO) * worth[:, None]
    assert np.abs(back - quantizer.decode_rotated(encoded)).max() <= 0.5001 * worth.max()


def test_products_with_some_rows():
    rows = unit_vectors(10, 64, seed=7)
    quantizer = TurboQuant(64, 4)
    encoded = quantizer.encode(rows)
    query = unit_vectors(1, 64, seed=8)
    chosen = np.array([7, 2], dtype=np.int32)
    products = quantizer.products(encoded, quantizer.rotate(query)[0], chosen)
    assert np.allclose(products, (quantizer.decode(encoded) @ query[0])[chosen], atol=1e-6)


def test_a_4_bit_vector_of_384_dimensions_is_196_bytes():
    assert TurboQuant(384, 4).encode(unit_vectors(10, 384, seed=1)).nbytes == 1960


def test_a_zero_row_decodes_to_zero():
    rows = np.zeros((2, 32), dtype=np.float32)
    rows[1] = 1
    encoded = TurboQuant(32, 4).encode(rows)
    assert encoded.scales[0] == 0
    assert not TurboQuant(32, 4).decode(encoded)[0].any()


def test_no_rows():
    encoded = TurboQuant(16, 4).encode(np.empty((0, 16), dtype=np.float32))
    assert len(encoded) == 0
    assert TurboQuant(16, 4).decode(encoded).shape == (0, 16)


def test_seeds_differ():
    rows = unit_vectors(5, 64, seed=1)
    assert (
        TurboQuant(64, 4, seed=1).encode(rows).codes != TurboQuant(64, 4, seed=2).encode(rows).codes
    ).any()


def test_recall_on_clustered_vectors():
    rows = clustered(2000, 128, seed=9)
    queries = clustered(40, 128, seed=10)
    quantizer = TurboQuant(128, 4)
    decoded = quantizer.decode(quantizer.encode(rows))
    kept = 0
    for query in queries:
        truth = np.argsort(-(rows @ query))[:10]
        kept += len(set(truth.tolist()) & set(np.argsort(-(decoded @ query))[:10].tolist()))
    assert kept / 400 > 0.8


def test_arrays_that_do_not_fit_are_refused():
    good = TurboQuant(16, 4).encode(unit_vectors(3, 16, seed=1))
    with pytest.raises(InvalidInput, match="expected uint8"):
        QuantizedVectors(good.codes[:, :-1], good.scales, 16, 4, 1)
    with pytest.raises(InvalidInput, match="expected uint8"):
        QuantizedVectors(good.codes[:-1], good.scales, 16, 4, 1)
    with pytest.raises(InvalidInput, match="scales"):
        QuantizedVectors(good.codes, good.scales.astype(np.float64), 16, 4, 1)
    with pytest.raises(NotFinite):
        QuantizedVectors(good.codes, good.scales * np.float32(np.nan), 16, 4, 1)
    with pytest.raises(DimensionMismatch):
        QuantizedVectors(good.codes, good.scales, 0, 4, 1)
    with pytest.raises(InvalidOption):
        QuantizedVectors(good.codes, good.scales, 16, 5, 1)
    with pytest.raises(InvalidOption):
        TurboQuant(16, 7)
