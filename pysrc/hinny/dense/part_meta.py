"""What an index of vectors or tokens says of itself in its part, and what is checked when it is opened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.dense.ids import IdRows
from hinny.errors import BundleMissing, FingerprintMismatch, IntegrityError, InvalidInput, UnsupportedVersion
from hinny.npz import pack, unpack

FORMAT_VERSION = 1

Arrays = dict[str, "NDArray[Any]"]


def pack_part(arrays: Mapping[str, NDArray[Any]], meta: Mapping[str, Any]) -> bytes:
    """The arrays and, as UTF-8 JSON in an array of bytes, what they are."""
    text = json.dumps({"version": FORMAT_VERSION, **meta}, sort_keys=True, separators=(",", ":"))
    return pack({**arrays, "meta": np.frombuffer(text.encode(), dtype=np.uint8)})


def unpack_part(parts: Mapping[str, bytes], name: str) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and description of one part; BundleMissing or UnsupportedVersion when it cannot be read."""
    if name not in parts:
        raise BundleMissing(f"no part {name!r} among {sorted(parts)}")
    arrays = unpack(parts[name])
    meta: dict[str, Any] = json.loads(arrays.pop("meta").tobytes())
    if meta["version"] != FORMAT_VERSION:
        raise UnsupportedVersion(name, meta["version"], FORMAT_VERSION)
    return arrays, meta


def identity(ids: IdRows, fingerprint: str) -> dict[str, Any]:
    """The part of a description that ties an index to its documents and its model."""
    return {"count": len(ids), "ids": ids.digest(), "fingerprint": fingerprint}


def check_identity(name: str, meta: Mapping[str, Any], ids: IdRows, fingerprint: str | None) -> None:
    """FingerprintMismatch for another model's index, InvalidInput for other ids; None asks no fingerprint."""
    if fingerprint is not None and meta["fingerprint"] != fingerprint:
        raise FingerprintMismatch(
            f"{name} was built with the model {meta['fingerprint']!r}, queries would be encoded with "
            f"{fingerprint!r}: rebuild the index or use its model"
        )
    ids.expect(meta["count"], f"rows in {name}")
    if meta["ids"] != ids.digest():
        raise InvalidInput(f"{name} was built for other ids, or for these in another order")


def check_shape(name: str, array: NDArray[Any], dtype: str, shape: tuple[int, ...]) -> None:
    """IntegrityError for an array that is not the one described."""
    if array.dtype != np.dtype(dtype) or array.shape != shape:
        raise IntegrityError(name, "its part", f"{dtype} {list(shape)}", f"{array.dtype} {list(array.shape)}")
