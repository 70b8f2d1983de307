"""ONNX graphs as bytes: the few protobuf messages that a scan needs, written by hand.

The `onnx` package would do this at build time, but it cannot be installed in the browser, where an
index may also be built, and where a stored graph would tie an index to one layout. The messages and
field numbers are those of onnx.proto (IR version 8); a test parses and checks every graph with the
`onnx` package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

FLOAT, UINT8, INT32, INT64 = 1, 2, 6, 7
"""TensorProto.DataType."""

OPSET = 17
MICROSOFT = "com.microsoft"

_INT, _INTS = 2, 7  # AttributeProto.AttributeType
_EXTERNAL = 1  # TensorProto.DataLocation


def node(
    op: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    *,
    domain: str = "",
    **attributes: int | Sequence[int],
) -> bytes:
    """A NodeProto; attributes are integers or lists of integers."""
    message = _texts(1, inputs) + _texts(2, outputs) + _text(4, op)
    for name, value in attributes.items():
        if isinstance(value, int):
            attribute = _text(1, name) + _number(3, value) + _number(20, _INT)
        else:
            attribute = _text(1, name) + _numbers(8, value) + _number(20, _INTS)
        message += _bytes(5, attribute)
    return message + (_text(7, domain) if domain else b"")


def constant(name: str, kind: int, shape: Sequence[int], raw: bytes) -> bytes:
    """A TensorProto whose little-endian values stand in the graph."""
    return _numbers(1, shape) + _number(2, kind) + _text(8, name) + _bytes(9, raw)


def external(name: str, kind: int, shape: Sequence[int], size: int) -> bytes:
    """A TensorProto whose `size` bytes are the whole external file of the same name."""
    entries = {"location": name, "offset": "0", "length": str(size)}
    pairs = b"".join(_bytes(13, _text(1, key) + _text(2, value)) for key, value in entries.items())
    return _numbers(1, shape) + _number(2, kind) + _text(8, name) + pairs + _number(14, _EXTERNAL)


def value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    """A ValueInfoProto; a dimension may be a name, which leaves its size to the run."""
    dims = b"".join(
        _bytes(1, _text(2, size) if isinstance(size, str) else _number(1, size)) for size in shape
    )
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dims)))


def model(
    nodes: Iterable[bytes], inputs: Iterable[bytes], outputs: Iterable[bytes], tensors: Iterable[bytes]
) -> bytes:
    """A ModelProto of one graph."""
    graph = b"".join(_bytes(1, each) for each in nodes) + _text(2, "scan")
    for field, messages in ((5, tensors), (11, inputs), (12, outputs)):
        graph += b"".join(_bytes(field, each) for each in messages)
    opsets: Mapping[str, int] = {"": OPSET, MICROSOFT: 1}
    imports = b"".join(
        _bytes(8, _text(1, domain) + _number(2, version)) for domain, version in opsets.items()
    )
    return _number(1, 8) + _text(2, "hinny") + _bytes(7, graph) + imports


def _varint(number: int) -> bytes:
    out = bytearray()
    number &= (1 << 64) - 1
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _numbers(field: int, numbers: Iterable[int]) -> bytes:
    return b"".join(_number(field, number) for number in numbers)


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _texts(field: int, texts: Iterable[str]) -> bytes:
    return b"".join(_text(field, text) for text in texts)
