"""Arrays to bytes and back: a `.npz` archive that is always the same for the same arrays.

The container is numpy's own (a zip of `.npy` files, so `numpy.load` reads it), written with sorted
names, one fixed date, deflate level 9 and version 1.0 headers. It is read without pickles and without
the `zipfile` module, whose import costs more in the browser than these few lines: the directory at the
end of a zip (APPNOTE.TXT 4.3.12 and 4.3.16) says where each member lies, and that is all we need.

Only bool, integer and float arrays travel. Everything is little-endian; a caller must fix widths
itself (`np.intp` is 8 bytes on most machines and 4 in Pyodide).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

from hinny.errors import BundleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_DATE = 0x0021  # 1980-01-01, the first day that a zip can name
_VERSION = 20  # what deflate needs
_UTF8 = 0x0800
_DEFLATED = 8
_STORED = 0
_LIMIT = 0xFFFF_FFFF
_KINDS = "biuf"


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The arrays as the bytes of a `.npz`; the same names and values give the same bytes.

    Raises `BundleError` for a name that is empty, an array that is not of bool, integer or float
    kind, or one of 4 GiB and more.
    """
    out = bytearray()
    directory = bytearray()
    for name in sorted(arrays):
        if not name or name.endswith(".npy"):
            raise BundleError(f"{name!r} cannot be an array's name")
        raw = _npy(name, arrays[name])
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        data = packer.compress(raw) + packer.flush()
        if max(len(raw), len(out) + len(data)) >= _LIMIT:
            raise BundleError(f"array {name!r} is too large for a part: split it")
        member = f"{name}.npy".encode()
        common = (_UTF8, _DEFLATED, 0, _DATE, zlib.crc32(raw), len(data), len(raw), len(member), 0)
        directory += _CENTRAL.pack(b"PK\1\2", _VERSION, _VERSION, *common, 0, 0, 0, 0, len(out)) + member
        out += _LOCAL.pack(b"PK\3\4", _VERSION, *common) + member + data
    start = len(out)
    out += directory
    out += _END.pack(b"PK\5\6", 0, 0, len(arrays), len(arrays), len(directory), start, 0)
    return bytes(out)


def unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a `.npz`, read-only, in the archive's order.

    Raises `BundleError` when the bytes are no such archive, are damaged (each member's CRC-32 is
    checked), or hold anything but bool, integer and float arrays.
    """
    try:
        return {name: _array(name, raw) for name, raw in _members(data)}
    except (struct.error, zlib.error, UnicodeDecodeError, ValueError, IndexError) as problem:
        raise BundleError(f"not a readable .npz archive: {problem}") from problem


def _npy(name: str, array: NDArray[Any]) -> bytes:
    import numpy as np
    from numpy.lib import format as npy

    array = np.asarray(array)
    if array.dtype.kind not in _KINDS:
        raise BundleError(f"array {name!r} has dtype {array.dtype}: only bool, integer and float travel")
    little = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
    header = BytesIO()
    npy.write_array_header_1_0(header, npy.header_data_from_array_1_0(little))
    return header.getvalue() + little.tobytes()


def _array(name: str, raw: bytes) -> NDArray[np.generic]:
    import numpy as np
    from numpy.lib import format as npy

    stream = BytesIO(raw)
    if npy.read_magic(stream) != (1, 0):
        raise BundleError(f"array {name!r} has an unknown .npy version")
    shape, fortran, dtype = npy.read_array_header_1_0(stream)
    if dtype.kind not in _KINDS or fortran:
        raise BundleError(f"array {name!r} has dtype {dtype}: only bool, integer and float travel")
    if min(shape, default=0) < 0 or len(raw) - stream.tell() != _count(shape) * dtype.itemsize:
        raise BundleError(f"array {name!r} does not fill its shape {shape}")
    flat: NDArray[np.generic] = np.frombuffer(raw, dtype, offset=stream.tell())
    return flat.reshape(shape)


def _count(shape: tuple[int, ...]) -> int:
    total = 1
    for size in shape:
        total *= size
    return total


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    end = data.rfind(b"PK\5\6", max(0, len(data) - _END.size - 0xFFFF))
    if end < 0:
        raise BundleError("not a readable .npz archive: it has no directory")
    _, _, _, _, count, _, position, _ = _END.unpack_from(data, end)
    for _ in range(count):
        magic, _, _, flags, method, _, _, crc, packed, size, length, extra, comment, *_, offset = (
            _CENTRAL.unpack_from(data, position)
        )
        if magic != b"PK\1\2" or flags & 1 or method not in (_STORED, _DEFLATED):
            raise BundleError("not a readable .npz archive: its directory is damaged")
        member = data[position + _CENTRAL.size : position + _CENTRAL.size + length].decode()
        position += _CENTRAL.size + length + extra + comment
        if not member.endswith(".npy"):
            raise BundleError(f"{member!r} in a .npz archive is not an array")
        *head, local_name, local_extra = _LOCAL.unpack_from(data, offset)
        if head[0] != b"PK\3\4":
            raise BundleError(f"{member!r} in a .npz archive has no header")
        begin = offset + _LOCAL.size + local_name + local_extra
        raw = data[begin : begin + packed]
        if method == _DEFLATED:
            # The promised size bounds the work: a damaged or hostile member cannot fill the memory.
            raw = zlib.decompressobj(-15).decompress(raw, size + 1)
        if len(raw) != size or zlib.crc32(raw) != crc:
            raise BundleError(f"{member!r} in a .npz archive is damaged")
        yield member.removesuffix(".npy"), raw
