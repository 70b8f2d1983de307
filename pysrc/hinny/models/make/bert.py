"""A BERT encoder (Devlin et al. 2018, arXiv 1810.04805) as an ONNX graph, from a checkpoint's tensors.

Inputs `input_ids`, `attention_mask`, `token_type_ids`, int64 [batch, sequence]; output
`last_hidden_state`, float32 [batch, sequence, width], or, with a projection, `token_vectors`:
the projected states, each scaled to length 1.

Post-norm layers, exact GELU, absolute positions. Query, key and value are one product. GELU with its
bias, and the 8-bit product with its scales, are onnxruntime's own operators (domain com.microsoft),
which its CPU and wasm builds share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hinny.models.make.graph import CONTRIB, GraphWriter
from hinny.models.make.linear import Float32Linear, Int8Linear, Linear, Product, quantise_rows

Array = NDArray[np.float32]
Precision = Literal["float32", "int8"]

_FLOAT = 1  # onnx.TensorProto.FLOAT
_MASKED = -10000.0
"""Added to the score of padding: exp() of it is 0 in float32."""


@dataclass(frozen=True, slots=True)
class BertShape:
    """The numbers of a checkpoint's config.json that its tensors do not tell."""

    layers: int = 6
    heads: int = 12
    epsilon: float = 1e-12


def build_bert(
    tensors: Mapping[str, NDArray[np.generic]],
    shape: BertShape,
    *,
    precision: Precision,
    projection: Array | None = None,
) -> bytes:
    """The serialised graph. `projection` is float32 [width, d]; see the module's text for the outputs."""
    return _Bert(tensors, shape, precision).build(projection)


class _Bert:
    def __init__(
        self, tensors: Mapping[str, NDArray[np.generic]], shape: BertShape, precision: Precision
    ) -> None:
        self._tensors = tensors
        self._shape = shape
        self._linear: Linear = Int8Linear() if precision == "int8" else Float32Linear()
        self._small = precision == "int8"
        self._g = GraphWriter("bert")
        self._width = self._tensor("embeddings.LayerNorm.weight").shape[0]

    def build(self, projection: Array | None) -> bytes:
        g = self._g
        ids, mask, types = (
            g.input(name, "int64", ["batch", "sequence"])
            for name in ("input_ids", "attention_mask", "token_type_ids")
        )
        x = self._embed(ids, types)
        norm = "embeddings.LayerNorm"
        padding = g.node("Cast", g.node("Unsqueeze", mask, g.constant([1, 2], "int64")), to=_FLOAT)
        padding = g.node("Mul", g.node("Sub", g.constant(1.0), padding), g.constant(_MASKED))
        for index in range(self._shape.layers):
            layer = f"encoder.layer.{index}"
            x = self._attend(x, layer, padding, norm)
            norm = f"{layer}.attention.output.LayerNorm"
            x = self._feed_forward(x, layer, norm)
            norm = f"{layer}.output.LayerNorm"
        if projection is None:
            g.output("last_hidden_state", "float32", ["batch", "sequence", self._width], x)
        else:
            y = g.node("MatMul", x, g.weight("projection", projection))
            length = g.node("ReduceL2", y, axes=[-1], keepdims=1)
            y = g.node("Div", y, g.node("Max", length, g.constant(1e-12)))
            g.output("token_vectors", "float32", ["batch", "sequence", projection.shape[1]], y)
        return g.finish()

    def _tensor(self, name: str) -> Array:
        return np.asarray(self._tensors[name], dtype=np.float32)

    def _weight(self, name: str) -> str:
        return self._g.weight(name, self._tensor(name))

    def _layer(self, name: str, x: str, amplitude: Array | None = None) -> Product:
        return Product(name, x, self._tensor(f"{name}.weight"), self._tensor(f"{name}.bias"), amplitude)

    def _amplitude(self, norm: str) -> Array:
        """The largest values to expect from a layer normalisation: three deviations around its mean."""
        return np.float32(3) * np.abs(self._tensor(f"{norm}.weight")) + np.abs(self._tensor(f"{norm}.bias"))

    def _embed(self, ids: str, types: str) -> str:
        g = self._g
        name = "embeddings.word_embeddings.weight"
        if self._small:
            codes, scales = quantise_rows(self._tensor(name))
            words = g.node("Cast", g.node("Gather", g.weight(name, codes), ids), to=_FLOAT)
            words = g.node("Mul", words, g.node("Gather", g.weight(f"{name}.scale", scales[:, None]), ids))
        else:
            words = g.node("Gather", self._weight(name), ids)
        length = g.node("Gather", g.node("Shape", ids), g.constant([1], "int64"))
        start = g.constant([0], "int64")
        places = g.node("Slice", self._weight("embeddings.position_embeddings.weight"), start, length, start)
        kinds = g.node("Gather", self._weight("embeddings.token_type_embeddings.weight"), types)
        return self._normalise(g.node("Add", g.node("Add", words, kinds), places), "embeddings.LayerNorm")

    def _attend(self, x: str, layer: str, padding: str, norm: str) -> str:
        g, heads = self._g, self._shape.heads
        parts = [f"{layer}.attention.self.{part}" for part in ("query", "key", "value")]
        # The scores' division by the root of a head's width is done in the query's weights.
        scale = np.float32(1 / math.sqrt(self._width // heads))
        factors = (scale, np.float32(1), np.float32(1))
        pairs = list(zip(parts, factors, strict=True))
        weight = np.concatenate([self._tensor(f"{part}.weight") * factor for part, factor in pairs])
        bias = np.concatenate([self._tensor(f"{part}.bias") * factor for part, factor in pairs])
        together = Product(f"{layer}.attention.self", x, weight, bias, self._amplitude(norm))
        product, added = self._linear(g, together)
        sizes = g.constant([self._width] * 3, "int64")
        query, key, value = g.node("Split", g.node("Add", product, added), sizes, axis=-1, outputs=3)
        by_head = g.constant([0, 0, heads, self._width // heads], "int64")
        query = g.node("Transpose", g.node("Reshape", query, by_head), perm=[0, 2, 1, 3])
        key = g.node("Transpose", g.node("Reshape", key, by_head), perm=[0, 2, 3, 1])
        value = g.node("Transpose", g.node("Reshape", value, by_head), perm=[0, 2, 1, 3])
        shares = g.node("Softmax", g.node("Add", g.node("MatMul", query, key), padding), axis=-1)
        mixed = g.node("Transpose", g.node("MatMul", shares, value), perm=[0, 2, 1, 3])
        mixed = g.node("Reshape", mixed, g.constant([0, 0, self._width], "int64"))
        out = f"{layer}.attention.output.dense"
        product, added = self._linear(g, self._layer(out, mixed))
        return self._add_and_normalise(x, product, added, f"{layer}.attention.output.LayerNorm")

    def _feed_forward(self, x: str, layer: str, norm: str) -> str:
        g = self._g
        up, down = f"{layer}.intermediate.dense", f"{layer}.output.dense"
        product, added = self._linear(g, self._layer(up, x, self._amplitude(norm)))
        hidden = g.node("BiasGelu", product, added, domain=CONTRIB)
        product, added = self._linear.after_gelu(g, self._layer(down, hidden))
        return self._add_and_normalise(x, product, added, f"{layer}.output.LayerNorm")

    def _add_and_normalise(self, x: str, y: str, bias: str, norm: str) -> str:
        # Not SkipLayerNormalization, which does all of it at once: onnxruntime's is four times slower.
        return self._normalise(self._g.node("Add", x, self._g.node("Add", y, bias)), norm)

    def _normalise(self, x: str, norm: str) -> str:
        result: str = self._g.node(
            "LayerNormalization",
            x,
            self._weight(f"{norm}.weight"),
            self._weight(f"{norm}.bias"),
            axis=-1,
            epsilon=self._shape.epsilon,
        )
        return result
