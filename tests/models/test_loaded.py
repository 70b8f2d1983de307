from __future__ import annotations

import asyncio

import numpy as np
import pytest

from hinny.errors import ModelError
from hinny.models.loaded import LoadedModel
from model_fakes import FakeRuntime, make_pin, make_platform
from support import run

ONE = np.array([[1, 10, 2]], dtype=np.int64)


def make() -> tuple[LoadedModel, FakeRuntime]:
    runtime = FakeRuntime()
    return LoadedModel(make_pin(), make_platform(runtime)), runtime


def test_nothing_is_loaded_before_the_first_call_and_then_once():
    async def check() -> None:
        model, runtime = make()
        assert (runtime.loads, model.loaded) == (0, False)
        await asyncio.gather(*(model.run(ONE, np.ones_like(ONE)) for _ in range(3)))
        assert (runtime.loads, model.loaded) == (1, True)

    run(check())


def test_a_load_that_failed_is_tried_again_by_the_next_call():
    async def check() -> None:
        model, runtime = make()
        runtime.fail_loads = 1
        failed = await asyncio.gather(model.load(), model.load(), return_exceptions=True)
        assert [str(error) for error in failed] == ["no network", "no network"]
        assert runtime.loads == 1
        assert runtime.released == [7], "the tokenizer of the failed load was freed"
        await model.load()
        assert runtime.loads == 2

    run(check())


def test_what_a_model_needs_is_loaded_side_by_side_and_freed_when_a_part_fails():
    order = []

    class Runtime(FakeRuntime):
        async def start(self):
            order.append("start")
            await asyncio.sleep(0)
            order.append("started")

        async def load_tokenizer(self, data, config=None):
            order.append("tokenizer")
            await asyncio.sleep(0.01)
            raise ModelError("no tokenizer")

        async def load_session(self, graph, external=None):
            order.append("graph")
            return await super().load_session(graph, external)

    async def check():
        runtime = Runtime()
        model = LoadedModel(make_pin(), make_platform(runtime))
        with pytest.raises(ModelError, match="no tokenizer"):
            await model.load()
        assert order == ["start", "tokenizer", "graph", "started"]
        assert runtime.released == [8]

    run(check())


def test_what_is_slow_the_first_time_is_rehearsed_while_the_graph_is_on_its_way(monkeypatch):
    order = []
    monkeypatch.setattr("hinny.models.pooling.rehearse", lambda dimensions: order.append(dimensions))

    class Runtime(FakeRuntime):
        async def load_session(self, graph, external=None):
            await asyncio.sleep(0.01)
            order.append("graph")
            return await super().load_session(graph, external)

    async def check():
        await LoadedModel(make_pin(), make_platform(Runtime())).load()
        assert order == [2, "graph"]

    run(check())


def test_one_caller_that_gives_up_does_not_take_the_load_from_another():
    async def check() -> None:
        model, runtime = make()
        first = asyncio.ensure_future(model.load())
        second = asyncio.ensure_future(model.load())
        await asyncio.sleep(0)
        first.cancel()
        await second
        assert runtime.loads == 1
        assert first.cancelled()

    run(check())


def test_dispose_waits_for_accepted_work_and_takes_no_new():
    async def check() -> None:
        model, runtime = make()
        await model.load()
        runtime.gate = asyncio.Event()
        work = asyncio.ensure_future(model.run(ONE, np.ones_like(ONE)))
        await asyncio.sleep(0)
        disposing = asyncio.ensure_future(model.dispose())
        await asyncio.sleep(0)
        assert not disposing.done()
        assert runtime.released == []
        with pytest.raises(ModelError, match="disposed"):
            await model.tokenize(["a"])
        runtime.gate.set()
        assert (await work).shape == (1, 3, 2)
        await disposing
        await model.dispose()
        assert sorted(runtime.released) == [7, 8]

    run(check())


def test_dispose_frees_what_a_given_up_load_brought():
    async def check() -> None:
        model, runtime = make()
        loading = asyncio.ensure_future(model.load())
        await asyncio.sleep(0)
        loading.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        await model.dispose()
        assert sorted(runtime.released) == [7, 8]

    run(check())


def test_a_model_that_was_never_used_is_disposed_of_without_loading():
    async def check() -> None:
        model, runtime = make()
        await model.dispose()
        assert (runtime.loads, runtime.released) == (0, [])

    run(check())


def test_only_the_inputs_that_the_graph_lists_are_fed():
    async def check() -> None:
        model, runtime = make()
        runtime.inputs = ["input_ids"]
        await model.run(ONE, np.ones_like(ONE))
        assert list(runtime.batches[0]) == ["input_ids"]

    run(check())


def test_a_graph_with_other_inputs_or_outputs_is_refused_and_freed():
    async def check() -> None:
        model, runtime = make()
        runtime.inputs = ["pixel_values"]
        with pytest.raises(ModelError, match="pixel_values: only text models"):
            await model.load()
        assert sorted(runtime.released) == [7, 8]
        model, runtime = make()
        runtime.output = "pooled"
        with pytest.raises(ModelError, match="no output 'out', it gives pooled"):
            await model.run(ONE, np.ones_like(ONE))

    run(check())
