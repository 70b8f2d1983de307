"""Two models in one pass, where the one is how the other begins."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import onnx
from bench.eval.trunk import SharedRuntime, joined_graph
from onnx import TensorProto, helper, numpy_helper

HIDDEN = np.array([[1.0, 2.0], [3.0, -1.0]], dtype=np.float32)
PROJECTION = np.array([[0.5], [2.0]], dtype=np.float32)


def model(*, hidden: np.ndarray[Any, Any] = HIDDEN, late: bool) -> bytes:
    """x [n, 2] to x @ hidden, and with `late` to (x @ hidden) @ projection."""
    weights = [numpy_helper.from_array(hidden, "hidden")]
    nodes = [helper.make_node("MatMul", ["x", "hidden"], ["states"], name="first")]
    name = "projected" if late else "last"
    if late:
        weights.append(numpy_helper.from_array(PROJECTION, "projection"))
        nodes.append(helper.make_node("MatMul", ["states", "projection"], ["product"], name="second"))
    nodes.append(helper.make_node("Identity", ["product" if late else "states"], [name], name="end"))
    shape = ["n", 1 if late else 2]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)],
        weights,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data: bytes = made.SerializeToString()
    return data


def test_one_pass_gives_both_outputs() -> None:
    short, long = model(late=False), model(late=True)
    x = np.array([[1.0, 1.0], [0.0, 2.0]], dtype=np.float32)

    async def ask() -> None:
        runtime = SharedRuntime((short, long), threads=1)
        assert runtime.shares
        first, second = await runtime.load_session(short), await runtime.load_session(long)
        assert first == second
        found = await runtime.run(first, {"x": x})
        assert found["last"].tolist() == (x @ HIDDEN).tolist()
        assert found["projected"].tolist() == (x @ HIDDEN @ PROJECTION).tolist()
        assert await runtime.run(second, {"x": x}) is found
        assert await runtime.run(second, {"x": x[:1]}) is not found
        runtime.forget()
        assert await runtime.run(second, {"x": x}) is not found
        await runtime.release(first)
        await runtime.release(second)

    asyncio.run(ask())


def test_other_weights_are_another_model() -> None:
    assert joined_graph(model(hidden=HIDDEN * 2, late=False), model(late=True)) is None
    assert joined_graph(model(late=False), model(late=False)) is not None


def test_models_that_share_nothing_run_apart() -> None:
    short, long = model(hidden=HIDDEN * 2, late=False), model(late=True)
    x = np.ones((1, 2), dtype=np.float32)

    async def ask() -> None:
        runtime = SharedRuntime((short, long), threads=1)
        assert not runtime.shares
        first, second = await runtime.load_session(short), await runtime.load_session(long)
        assert first != second
        assert (await runtime.run(first, {"x": x}))["last"].tolist() == (x @ HIDDEN * 2).tolist()
        assert (await runtime.run(second, {"x": x}))["projected"].tolist() == (
            x @ HIDDEN @ PROJECTION
        ).tolist()
        await runtime.release(first)
        await runtime.release(second)

    asyncio.run(ask())


def test_the_graph_of_both_is_a_sound_one() -> None:
    joined = joined_graph(model(late=False), model(late=True))
    assert joined is not None
    onnx.checker.check_model(onnx.load_from_string(joined))
