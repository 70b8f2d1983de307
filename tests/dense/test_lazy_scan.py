import asyncio

import numpy as np
import pytest

from hinny.dense.lazy_scan import LazyScan
from hinny.errors import InvalidOption
from support import run


class Scan:
    def __init__(self, kernel):
        self.kernel = kernel
        self.closed = 0

    def scores(self, query):
        return query * 2

    async def close(self):
        self.closed += 1


def maker(made, fail=()):
    async def make(kernel, runtime):
        made.append(kernel)
        await asyncio.sleep(0)
        if kernel in fail:
            raise RuntimeError("no graph today")
        return Scan("onnx" if runtime else "numpy")

    return make


def test_the_scan_is_made_once_on_first_use():
    made = []
    lazy = LazyScan(maker(made), "auto", None)
    assert (lazy.kernel, made) == ("auto", [])

    async def both():
        return await asyncio.gather(lazy.get(), lazy.get())

    first, second = run(both())
    assert first is second
    assert made == ["auto"]
    assert lazy.kernel == "numpy"
    assert run(lazy.scores(np.ones(2, dtype=np.float32))).tolist() == [2, 2]


def test_an_automatic_choice_falls_back_in_plain_sight():
    made = []
    lazy = LazyScan(maker(made, fail=("auto",)), "auto", object())
    run(lazy.get())
    assert made == ["auto", "numpy"]
    assert lazy.kernel == "numpy"
    assert lazy.problem == "RuntimeError: no graph today"


def test_a_forced_choice_fails():
    lazy = LazyScan(maker([], fail=("onnx",)), "onnx", object())
    with pytest.raises(RuntimeError, match="no graph today"):
        run(lazy.get())
    with pytest.raises(InvalidOption):
        LazyScan(maker([]), "gpu", None)


def test_closing_frees_the_scan_and_the_next_use_makes_another():
    made = []
    lazy = LazyScan(maker(made), "auto", object())
    scan = run(lazy.get())
    run(lazy.close())
    run(lazy.close())
    assert scan.closed == 1
    assert run(lazy.get()) is not scan
    assert made == ["auto", "auto"]
