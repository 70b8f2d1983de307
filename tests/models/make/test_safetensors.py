from __future__ import annotations

import json

import numpy as np
import pytest

from hinny.errors import InvalidInput
from hinny.models.make.safetensors import read_safetensors


def write(header: object, body: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def test_tensors_come_with_their_shapes_and_values():
    body = np.array([1, 2, 3, 4, 5, 6], dtype="<f4").tobytes() + np.array([7], dtype="<i8").tobytes()
    tensors = read_safetensors(
        write(
            {
                "__metadata__": {"format": "pt"},
                "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
                "b": {"dtype": "I64", "shape": [1, 1], "data_offsets": [24, 32]},
            },
            body,
        )
    )
    assert set(tensors) == {"a", "b"}
    np.testing.assert_array_equal(tensors["a"], np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32))
    np.testing.assert_array_equal(tensors["b"], np.array([[7]], dtype=np.int64))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"abc", "at least 8 bytes"),
        ((99).to_bytes(8, "little") + b"{}", "claims 99 bytes"),
        (write(b"{not json", b""), "no JSON"),
        (write({"a": {"dtype": "F16", "shape": [1], "data_offsets": [0, 2]}}, b"ab"), "dtype F16"),
        (write({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}, b"abcd"), "does not fit"),
        (write({"a": {"dtype": "F32", "shape": [1], "data_offsets": [2, 6]}}, b"abcd"), "does not fit"),
    ],
)
def test_a_file_that_is_something_else_is_refused(data, problem):
    with pytest.raises(InvalidInput, match=problem):
        read_safetensors(data)
