"""Reads a safetensors file: a JSON header that places each tensor, then their raw little-endian bytes.

Format: https://github.com/huggingface/safetensors#format. Eight bytes of header length, the header,
the data. Only what a BERT checkpoint needs is read: float32 and int64 tensors.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InvalidInput

_DTYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "I64": np.dtype("<i8")}


def read_safetensors(data: bytes) -> dict[str, NDArray[np.generic]]:
    """Tensor name to a read-only array that shares `data`'s memory.

    Raises `InvalidInput` when the header, a dtype or a range does not fit the bytes at hand.
    """
    if len(data) < 8:
        raise InvalidInput(f"a safetensors file has at least 8 bytes, this has {len(data)}")
    length = int.from_bytes(data[:8], "little")
    if 8 + length > len(data):
        raise InvalidInput(f"the safetensors header claims {length} bytes, the file has {len(data)}")
    try:
        header: dict[str, Any] = json.loads(data[8 : 8 + length])
    except ValueError as error:
        raise InvalidInput(f"the safetensors header is no JSON: {error}") from None
    body = memoryview(data)[8 + length :]
    return {name: _tensor(name, entry, body) for name, entry in header.items() if name != "__metadata__"}


def _tensor(name: str, entry: dict[str, Any], body: memoryview) -> NDArray[np.generic]:
    dtype = _DTYPES.get(entry["dtype"])
    if dtype is None:
        raise InvalidInput(f"tensor {name} has dtype {entry['dtype']}, read here: {', '.join(_DTYPES)}")
    start, end = entry["data_offsets"]
    shape = tuple(entry["shape"])
    if not 0 <= start <= end <= len(body) or end - start != int(np.prod(shape)) * dtype.itemsize:
        raise InvalidInput(f"tensor {name} with shape {shape} does not fit bytes {start} to {end}")
    values: NDArray[np.generic] = np.frombuffer(body[start:end], dtype=dtype)
    return values.reshape(shape)
