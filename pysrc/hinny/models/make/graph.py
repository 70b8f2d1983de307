"""Writes an ONNX graph node by node, with bytes that depend on nothing but what was asked for.

The operator set and IR versions are fixed here, names are counted, no producer or version is
recorded: the same calls give the same file whatever `onnx` is installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.errors import MissingExtra

OPSET = 17
IR_VERSION = 8
CONTRIB = "com.microsoft"

_TYPES: dict[str, int] = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}  # onnx.TensorProto


class GraphWriter:
    """Collects nodes and weights; `finish()` gives the serialised model."""

    def __init__(self, name: str) -> None:
        try:
            import onnx
        except ImportError:
            raise MissingExtra("onnx", "models", "building a model graph") from None
        self._onnx = onnx
        self._name = name
        self._nodes: list[Any] = []
        self._weights: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._count = 0

    def input(self, name: str, dtype: str, shape: Sequence[int | str]) -> str:
        """Declare a graph input; a string in `shape` names a free dimension."""
        self._inputs.append(self._onnx.helper.make_tensor_value_info(name, _TYPES[dtype], list(shape)))
        return name

    def output(self, name: str, dtype: str, shape: Sequence[int | str], value: str) -> None:
        """Declare a graph output that carries `value`."""
        self._nodes.append(self._onnx.helper.make_node("Identity", [value], [name]))
        self._outputs.append(self._onnx.helper.make_tensor_value_info(name, _TYPES[dtype], list(shape)))

    def weight(self, name: str, value: NDArray[np.generic]) -> str:
        """Store an array in the graph, little-endian, under `name`."""
        tensor = self._onnx.TensorProto()
        tensor.name = name
        tensor.data_type = _TYPES[value.dtype.name]
        tensor.dims.extend(value.shape)
        tensor.raw_data = np.ascontiguousarray(value, dtype=value.dtype.newbyteorder("<")).tobytes()
        self._weights.append(tensor)
        return name

    def constant(self, value: object, dtype: str = "float32") -> str:
        """Store a small constant under a counted name."""
        self._count += 1
        return self.weight(f"constant_{self._count}", np.asarray(value, dtype=dtype))

    def node(self, op: str, *inputs: str, domain: str = "", outputs: int = 1, **attributes: Any) -> Any:
        """Append a node; its output's name, or a list of names when it has several."""
        self._count += 1
        names = (
            [f"{op}_{self._count}"] if outputs == 1 else [f"{op}_{self._count}_{i}" for i in range(outputs)]
        )
        ordered: Mapping[str, Any] = dict(sorted(attributes.items()))
        self._nodes.append(self._onnx.helper.make_node(op, list(inputs), names, domain=domain, **ordered))
        return names[0] if outputs == 1 else names

    def finish(self) -> bytes:
        """The model's bytes, checked by `onnx.checker`."""
        onnx = self._onnx
        graph = onnx.GraphProto()
        graph.name = self._name
        graph.node.extend(self._nodes)
        graph.initializer.extend(self._weights)
        graph.input.extend(self._inputs)
        graph.output.extend(self._outputs)
        model = onnx.ModelProto()
        model.ir_version = IR_VERSION
        for domain, version in (("", OPSET), (CONTRIB, 1)):
            entry = model.opset_import.add()
            entry.domain, entry.version = domain, version
        model.graph.CopyFrom(graph)
        onnx.checker.check_model(model)
        data: bytes = model.SerializeToString(deterministic=True)
        return data
