from __future__ import annotations

import asyncio
import json
import sys

import numpy as np
import pytest

from hinny.errors import MissingExtra, ModelError
from hinny.models.make.graph import GraphWriter
from hinny.platform.cpython import CPythonRuntime, cpython_platform
from hinny.protocols import ModelRuntime
from support import run

TOKENIZER = json.dumps(
    {
        "version": "1.0",
        # Settings of the author's that must not reach us.
        "truncation": {"max_length": 2, "strategy": "LongestFirst", "stride": 0, "direction": "Right"},
        "padding": {
            "strategy": {"Fixed": 9},
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": 0,
            "pad_type_id": 0,
            "pad_token": "?",
        },
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "^", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"^": {"id": "^", "ids": [1], "tokens": ["^"]}},
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {"?": 0, "^": 1, "a": 2, "b": 3}, "unk_token": "?"},
    }
).encode()


def doubling() -> bytes:
    g = GraphWriter("double")
    x = g.input("x", "float32", ["n"])
    g.output("y", "float32", ["n"], g.node("Add", x, x))
    return g.finish()


def with_external_weight() -> bytes:
    import onnx

    weight = onnx.TensorProto(name="w", data_type=onnx.TensorProto.FLOAT, dims=[2, 3])
    weight.data_location = onnx.TensorProto.EXTERNAL
    weight.external_data.add(key="location", value="weights")
    helper = onnx.helper
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "external",
        [helper.make_tensor_value_info("x", 1, ["n", 2])],
        [helper.make_tensor_value_info("y", 1, ["n", 3])],
        [weight],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    data: bytes = model.SerializeToString()
    return data


def test_it_is_a_model_runtime():
    assert isinstance(CPythonRuntime(), ModelRuntime)
    assert cpython_platform().name == "cpython"


def test_texts_are_neither_cut_nor_filled_whatever_the_tokenizer_says():
    async def check() -> None:
        runtime = CPythonRuntime()
        handle = await runtime.load_tokenizer(TOKENIZER)
        assert await runtime.tokenize(handle, ["a b a b", "", "x"]) == [[1, 2, 3, 2, 3], [1], [1, 0]]
        assert await runtime.tokenize(handle, ["a"], add_special_tokens=False) == [[2]]
        assert await runtime.tokenize(handle, []) == []
        await runtime.release(handle)

    run(check())


def test_a_graph_runs_and_names_its_inputs():
    async def check() -> None:
        runtime = CPythonRuntime(threads=1)
        handle = await runtime.load_session(doubling())
        assert await runtime.input_names(handle) == ["x"]
        calls = [runtime.run(handle, {"x": np.full(3, n, dtype=np.float32)}) for n in range(5)]
        for n, outputs in enumerate(await asyncio.gather(*calls)):
            np.testing.assert_array_equal(outputs["y"], np.full(3, 2 * n))
        await runtime.release(handle)
        await runtime.release(handle)
        with pytest.raises(ModelError, match="released"):
            await runtime.run(handle, {"x": np.zeros(1, dtype=np.float32)})

    run(check())


def test_weights_can_lie_outside_the_graph():
    async def check() -> None:
        runtime = CPythonRuntime()
        weight = np.arange(6, dtype=np.float32).reshape(2, 3)
        handle = await runtime.load_session(with_external_weight(), {"weights": weight.T.copy().T})
        outputs = await runtime.run(handle, {"x": np.eye(2, dtype=np.float32)})
        np.testing.assert_array_equal(outputs["y"], weight)
        await runtime.release(handle)

    run(check())


def test_one_session_serves_several_event_loops():
    runtime = CPythonRuntime()
    handle = run(runtime.load_session(doubling()))
    for n in (1, 2):
        outputs = run(runtime.run(handle, {"x": np.array([n], dtype=np.float32)}))
        assert outputs["y"].tolist() == [2 * n]
    run(runtime.release(handle))


def test_the_loop_goes_on_while_a_model_works():
    async def check() -> None:
        runtime = CPythonRuntime()
        handle = await runtime.load_session(doubling())
        work = asyncio.ensure_future(runtime.run(handle, {"x": np.zeros(1000, dtype=np.float32)}))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert (await runtime.run(handle, {"x": np.ones(1, dtype=np.float32)}))["y"].tolist() == [2]
        await runtime.release(handle)

    run(check())


def test_what_is_no_graph_or_no_tokenizer_is_named():
    async def check() -> None:
        runtime = CPythonRuntime()
        with pytest.raises(ModelError, match="the graph cannot be loaded"):
            await runtime.load_session(b"not a graph")
        with pytest.raises(ModelError, match="the tokenizer cannot be loaded"):
            await runtime.load_tokenizer(b"{}")
        handle = await runtime.load_session(doubling())
        with pytest.raises(ModelError, match="the model failed"):
            await runtime.run(handle, {"z": np.zeros(1, dtype=np.float32)})
        await runtime.release(handle)

    run(check())


@pytest.mark.parametrize(
    ("package", "call"), [("onnxruntime", "load_session"), ("tokenizers", "load_tokenizer")]
)
def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch, package: str, call: str):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf'{package}: pip install "hinny\[models\]"'):
        run(getattr(CPythonRuntime(), call)(b""))
