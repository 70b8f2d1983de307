"""The `.npz` container: the same bytes always, numpy as the oracle, damage named."""

from __future__ import annotations

import hashlib
import io
import pickle
import zipfile
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hinny.errors import BundleError
from hinny.npz import pack, unpack

SAMPLE = {
    "lengths": np.array([3, 1, 4, 1, 5], dtype=np.int32),
    "scores": np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4),
    "flags": np.array([True, False]),
    "none": np.zeros((0, 7), dtype=np.uint8),
    "scalar": np.array(2.5),
}


def test_arrays_come_back_as_they_were() -> None:
    back = unpack(pack(SAMPLE))
    assert list(back) == sorted(SAMPLE)
    for name, array in SAMPLE.items():
        assert back[name].dtype == array.dtype
        assert back[name].shape == array.shape
        np.testing.assert_array_equal(back[name], array)


def test_the_bytes_are_pinned_and_do_not_depend_on_order() -> None:
    arrays = {"a": np.arange(100, dtype=np.int16), "b": np.array([0.5], dtype=np.float64)}
    data = pack(arrays)
    assert data == pack({"b": arrays["b"], "a": arrays["a"]})
    # The same on CPython and in Pyodide, or bundles built in two places would differ.
    assert hashlib.sha256(data).hexdigest() == (
        "a8b06ed760e7aea596e70e989916db52e41d7c3be6c0a74c8979930123e47efc"
    )


def test_numpy_reads_what_we_write_and_we_read_what_numpy_writes() -> None:
    with np.load(io.BytesIO(pack(SAMPLE)), allow_pickle=False) as archive:
        for name, array in SAMPLE.items():
            np.testing.assert_array_equal(archive[name], array)
    for write in (np.savez, np.savez_compressed):
        stream = io.BytesIO()
        write(stream, **SAMPLE)  # type: ignore[arg-type]
        for name, array in unpack(stream.getvalue()).items():
            np.testing.assert_array_equal(SAMPLE[name], array)


def test_big_endian_and_strided_arrays_travel_as_little_endian_rows() -> None:
    big = np.arange(6, dtype=">i4").reshape(2, 3)
    back = unpack(pack({"big": big, "turned": big.T, "thin": big[:, ::2]}))
    assert {array.dtype.str for array in back.values()} == {"<i4"}
    np.testing.assert_array_equal(back["turned"], big.T)
    np.testing.assert_array_equal(back["thin"], big[:, ::2])


def test_what_comes_back_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        unpack(pack(SAMPLE))["lengths"][0] = 9


@pytest.mark.parametrize(
    "array", [np.array(["text"]), np.array([{}], dtype=object), np.array([1j]), np.array(b"x")]
)
def test_only_numbers_are_packed(array: Any) -> None:
    with pytest.raises(BundleError, match="only bool, integer and float"):
        pack({"it": array})


@pytest.mark.parametrize("name", ["", "x.npy"])
def test_names_that_numpy_would_change_are_refused(name: str) -> None:
    with pytest.raises(BundleError, match="cannot be an array's name"):
        pack({name: np.zeros(1)})


def zipped(name: str, data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return stream.getvalue()


def test_a_pickle_is_never_loaded() -> None:
    stream = io.BytesIO()
    np.savez(stream, it=np.array([{"a": 1}], dtype=object))
    with pytest.raises(BundleError, match="only bool, integer and float"):
        unpack(stream.getvalue())
    with pytest.raises(BundleError):
        unpack(zipped("it.npy", pickle.dumps([1])))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        b"<!doctype html><title>404</title>",
        zipped("it.txt", b"text"),
        zipped("it.npy", b"\x93NUMPY\x02\x00"),
        pack(SAMPLE)[:-30],
        pack(SAMPLE)[30:],
    ],
)
def test_bytes_that_are_no_archive_are_named_so(data: bytes) -> None:
    with pytest.raises(BundleError):
        unpack(data)


def test_a_shape_that_the_data_do_not_fill_is_refused() -> None:
    stream = io.BytesIO()
    np.save(stream, np.zeros(4, dtype=np.int8))
    with pytest.raises(BundleError, match="does not fill"):
        unpack(zipped("it.npy", stream.getvalue()[:-1]))


@given(st.data())
@settings(max_examples=60)
def test_every_damaged_byte_is_noticed_or_harmless(data: st.DataObject) -> None:
    good = pack({"it": np.arange(50, dtype=np.int32), "other": np.ones(3)})
    at = data.draw(st.integers(0, len(good) - 1))
    bad = bytearray(good)
    bad[at] ^= data.draw(st.integers(1, 255))
    try:
        back = unpack(bytes(bad))
    except BundleError:
        return
    # A name, a date or a comment may change; an array's values never do unnoticed.
    for array in back.values():
        assert array.tolist() in ([1.0] * 3, list(range(50)))


@given(
    st.dictionaries(
        st.text("abcdef/_-é", min_size=1, max_size=8),
        hnp.arrays(
            st.sampled_from([np.uint8, np.int32, np.int64, np.float32, np.float64, np.bool_]),
            hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
        ),
        max_size=4,
    )
)
@settings(max_examples=60)
def test_any_arrays_survive_the_round_trip(arrays: dict[str, Any]) -> None:
    back = unpack(pack(arrays))
    assert list(back) == sorted(arrays)
    for name, array in arrays.items():
        assert back[name].dtype == array.dtype
        assert back[name].tobytes() == array.tobytes()
        assert back[name].shape == array.shape
