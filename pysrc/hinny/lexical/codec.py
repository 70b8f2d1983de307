"""Unsigned integers as byte streams that deflate well and decode without a Python loop.

Most numbers in an index are small (gaps between document rows, document frequencies), a few are not.
A number takes one byte below 192, two below 16,320, and else an escape and four bytes. The first bytes,
the second bytes and the four-byte numbers lie in streams of their own: bytes of one kind side by side
are what deflate's Huffman codes are good at, and each stream is read with one numpy expression.

    v < 192                first = v
    v < 192 + 63 * 256     first = 192 + (v - 192) // 256,  low = (v - 192) % 256
    v < 2**32              first = 255,  wide = v
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError, InvalidInput

_ONE = 192
_TWO = _ONE + 63 * 256
_ESCAPE = 255


def put_uints(arrays: dict[str, NDArray[Any]], name: str, values: NDArray[Any]) -> None:
    """Add `values` (integers from 0 to 2**32 - 1, shape [n]) to `arrays` under names that start with `name`.

    Raises `InvalidInput` for a value out of that range.
    """
    wide = np.ascontiguousarray(values, np.int64)
    if wide.size and (int(wide.min()) < 0 or int(wide.max()) >= 1 << 32):
        raise InvalidInput(f"{name}: a number under 0 or over 2**32 - 1 does not fit")
    rest = wide - _ONE
    first = np.where(wide < _ONE, wide, np.where(wide < _TWO, _ONE + (rest >> 8), _ESCAPE))
    arrays[f"{name}.first"] = first.astype(np.uint8)
    two = (wide >= _ONE) & (wide < _TWO)
    if two.any():
        arrays[f"{name}.low"] = (rest[two] & 255).astype(np.uint8)
    four = wide >= _TWO
    if four.any():
        arrays[f"{name}.wide"] = wide[four].astype(np.uint32)


def get_uints(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.int64]:
    """The numbers that `put_uints` stored under `name`: int64 [n]. `BundleError` when they are damaged."""
    try:
        first = arrays[f"{name}.first"]
    except KeyError:
        raise BundleError(f"the lexical index lacks the array {name!r}: it is not complete") from None
    values = first.astype(np.int64)
    two = (first >= _ONE) & (first < _ESCAPE)
    low = arrays.get(f"{name}.low")
    wide = arrays.get(f"{name}.wide")
    four = first == _ESCAPE
    if np.count_nonzero(two) != (0 if low is None else low.size) or np.count_nonzero(four) != (
        0 if wide is None else wide.size
    ):
        raise BundleError(f"the lexical index's array {name!r} does not fit together")
    if low is not None:
        values[two] = ((values[two] - _ONE) << 8) + low + _ONE
    if wide is not None:
        values[four] = wide
    return values


def put_strings(arrays: dict[str, NDArray[Any]], name: str, strings: Sequence[str]) -> None:
    """Add `strings` (any text) to `arrays`: one UTF-8 blob, and each one's length in code points."""
    blob = "".join(strings).encode("utf-8", "surrogatepass")
    arrays[f"{name}.text"] = np.frombuffer(blob, np.uint8)
    put_uints(arrays, f"{name}.length", np.fromiter(map(len, strings), np.int64, len(strings)))


class Strings:
    """Strings that `put_strings` stored, each cut out of the blob when it is asked for."""

    __slots__ = ("_offsets", "_text")

    def __init__(self, arrays: Mapping[str, NDArray[Any]], name: str) -> None:
        lengths = get_uints(arrays, f"{name}.length")
        try:
            self._text = arrays[f"{name}.text"].tobytes().decode("utf-8", "surrogatepass")
        except (KeyError, UnicodeDecodeError) as problem:
            raise BundleError(f"the lexical index's texts {name!r} are damaged: {problem}") from problem
        offsets = np.zeros(lengths.size + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        if int(offsets[-1]) != len(self._text):
            raise BundleError(f"the lexical index's texts {name!r} do not fit together")
        self._offsets = offsets

    def __len__(self) -> int:
        return int(self._offsets.size) - 1

    def __getitem__(self, row: int) -> str:
        if not 0 <= row < len(self):
            raise IndexError(row)
        return self._text[int(self._offsets[row]) : int(self._offsets[row + 1])]

    def tolist(self) -> list[str]:
        """All of them."""
        text, offsets = self._text, self._offsets.tolist()
        return [text[a:b] for a, b in pairwise(offsets)]


def common_prefix(one: str, other: str) -> int:
    """How many characters two strings share at their beginning, 255 at most."""
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b or shared == 255:
            break
        shared += 1
    return shared
