"""The matrix products of an encoder: in float32, and in 8 bits with a scale for every row and column.

Int8: weights are rounded symmetrically with one scale per output channel; activations are quantised
as they come, with one scale per token. A scale per token (where ONNX's own `DynamicQuantizeLinear`
has one per tensor) keeps an outlier in one token from costing the others their bits, and it makes a
text's result independent of what else is in the batch.

Before that, the range of each input channel is evened out between activation and weight
(SmoothQuant, arXiv 2211.10438): x' = x / s, W' = W * s with s = sqrt(amplitude / max |W|), where a
channel's amplitude is read off the layer normalisation that produced it, so no text is needed.

After a GELU the activation is never below -0.17: there all 256 levels span [-0.17, max], and the
shift's part of the product, a constant, moves into the bias.

Every step is an elementwise IEEE operation, a maximum or an integer sum, so the bytes are the same
on every machine.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hinny.models.make.graph import CONTRIB, GraphWriter

Array = NDArray[np.float32]

GELU_FLOOR = np.float32(0.17)
"""A bit more than GELU's depth: its minimum is -0.16997."""
_SMALLEST = np.float32(1e-9)
_FLOAT, _UINT8 = 1, 2  # onnx.TensorProto.FLOAT, UINT8


class Product(NamedTuple):
    """What a layer computes: x W^T + b."""

    name: str
    """Its weights' names begin so."""
    x: str
    """The input's name in the graph."""
    weight: Array
    """[out, in]."""
    bias: Array
    """[out]."""
    amplitude: Array | None = None
    """The largest values to expect in each channel of x, [in], where known."""


class Linear(Protocol):
    """Adds a product to a graph; gives the names of x W^T and of the bias still to be added."""

    def __call__(self, graph: GraphWriter, product: Product) -> tuple[str, str]:
        """For any x."""

    def after_gelu(self, graph: GraphWriter, product: Product) -> tuple[str, str]:
        """For an x that comes out of a GELU."""


class Float32Linear:
    """The plain product."""

    def __call__(self, graph: GraphWriter, product: Product) -> tuple[str, str]:
        weight = graph.weight(f"{product.name}.weight", np.ascontiguousarray(product.weight.T))
        result: str = graph.node("MatMul", product.x, weight)
        return result, graph.weight(f"{product.name}.bias", product.bias)

    after_gelu = __call__


class _Codes(NamedTuple):
    """An activation in 8 bits: (codes - zero) * step - shift."""

    codes: str
    step: str
    """One a token."""
    zero: int
    shift: np.float32 = np.float32(0)


class Int8Linear:
    """8-bit weights with a scale per output channel, 8-bit activations with a scale per token."""

    def __call__(self, graph: GraphWriter, product: Product) -> tuple[str, str]:
        name, x, weight, bias, amplitude = product
        if amplitude is not None:
            smooth = smoothing(weight, amplitude)
            x = graph.node("Mul", x, graph.weight(f"{name}.smooth", np.float32(1) / smooth))
            weight = weight * smooth
        largest = graph.node("ReduceMax", graph.node("Abs", x), axes=[-1], keepdims=1)
        largest = graph.node("Max", largest, graph.constant(_SMALLEST))
        scaled = graph.node("Mul", x, graph.node("Div", graph.constant(127.0), largest))
        codes = graph.node("Cast", graph.node("Add", scaled, graph.constant(128.5)), to=_UINT8)
        step = graph.node("Mul", largest, graph.constant(1 / 127))
        return self._product(graph, name, _Codes(codes, step, 128), weight, bias)

    def after_gelu(self, graph: GraphWriter, product: Product) -> tuple[str, str]:
        name, x, weight, bias, _ = product
        span = graph.node(
            "Add", graph.node("ReduceMax", x, axes=[-1], keepdims=1), graph.constant(GELU_FLOOR)
        )
        span = graph.node("Max", span, graph.constant(_SMALLEST))
        per_step = graph.node("Div", graph.constant(255.0), span)
        shift = graph.node(
            "Add", graph.node("Mul", per_step, graph.constant(GELU_FLOOR)), graph.constant(0.5)
        )
        codes = graph.node("Cast", graph.node("Add", graph.node("Mul", x, per_step), shift), to=_UINT8)
        step = graph.node("Mul", span, graph.constant(1 / 255))
        return self._product(graph, name, _Codes(codes, step, 0, GELU_FLOOR), weight, bias)

    def _product(
        self, graph: GraphWriter, name: str, x: _Codes, weight: Array, bias: Array
    ) -> tuple[str, str]:
        quantised, scales = quantise_rows(weight)
        result = graph.node(
            "MatMulIntegerToFloat",
            x.codes,
            graph.weight(f"{name}.weight", np.ascontiguousarray(quantised.T)),
            graph.constant(1.0),
            graph.weight(f"{name}.scale", scales),
            graph.constant(x.zero, "uint8"),
            domain=CONTRIB,
        )
        sums = quantised.sum(axis=1, dtype=np.int64).astype(np.float32)
        return graph.node("Mul", result, x.step), graph.weight(f"{name}.bias", bias - x.shift * sums * scales)


def quantise_rows(weight: Array) -> tuple[NDArray[np.int8], Array]:
    """Codes -127 to 127 and float32 scales [rows] whose product is nearest to `weight` [rows, n].

    A row of zeros has scale 1.
    """
    largest = np.abs(weight).max(axis=1)
    scales = np.where(largest > 0, largest / np.float32(127), np.float32(1)).astype(np.float32)
    return np.rint(weight / scales[:, None]).astype(np.int8), scales


def smoothing(weight: Array, amplitude: Array) -> Array:
    """SmoothQuant's s [in] with alpha 1/2: what to divide the input channels by."""
    largest = np.maximum(np.abs(weight).max(axis=0), _SMALLEST)
    result: Array = np.sqrt(np.maximum(amplitude, _SMALLEST) / largest)
    return result
