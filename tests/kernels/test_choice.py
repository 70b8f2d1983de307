import numpy as np
import pytest

import hinny.kernels.choice as choice
from hinny.dense.code_bytes import CodeBytes
from hinny.errors import InvalidOption
from hinny.quant.turboquant import TurboQuant
from packed_fakes import PackedScans
from support import run
from vectors_data import gaussian


class Sessions:
    """Accepts every graph."""

    def __init__(self):
        self.graphs = []

    async def load_session(self, graph, external=None):
        self.graphs.append((graph, dict(external)))
        return len(self.graphs)

    async def run(self, session, inputs):
        return {"scores": np.zeros(1, dtype=np.float32)}

    async def release(self, handle):
        pass


class Worker(Sessions):
    """The browser's: it also scans packed codes."""

    packed_scans = PackedScans()


def coded(count, dim, bits):
    quantizer = TurboQuant(dim, bits, 1)
    return CodeBytes(quantizer, quantizer.encode(gaussian(count, dim, seed=1)))


SMALL, LARGE = gaussian(4, 8, seed=1), gaussian(2000, 256, seed=1)
SMALL_CODES, CODES, TWO_BITS = coded(4, 8, 4), coded(2000, 256, 4), coded(2000, 256, 2)


@pytest.mark.parametrize(
    ("rows", "kernel", "with_runtime", "expected"),
    [
        (LARGE, "auto", False, "numpy"),
        (LARGE, "auto", True, "onnx"),
        (SMALL, "auto", True, "numpy"),
        (SMALL, "onnx", True, "onnx"),
        (LARGE, "numpy", True, "numpy"),
        (np.empty((0, 8), dtype=np.float32), "onnx", True, "numpy"),
    ],
)
def test_who_scans(rows, kernel, with_runtime, expected):
    runtime = Sessions() if with_runtime else None
    dense = run(choice.make_dense(rows, kernel, runtime))
    assert dense.kernel == expected
    counts = np.ones(len(rows), dtype=np.int32)
    maxsim = run(choice.make_maxsim(rows, counts, kernel, runtime))
    assert maxsim.kernel == expected


@pytest.mark.parametrize(
    ("rows", "kernel", "expected"),
    [
        (CODES, "auto", "wasm"),
        (SMALL_CODES, "auto", "numpy"),
        (SMALL_CODES, "wasm", "wasm"),
        (TWO_BITS, "auto", "onnx"),
        (LARGE, "auto", "onnx"),
        (CODES, "onnx", "onnx"),
        (CODES, "numpy", "numpy"),
    ],
)
def test_who_scans_where_the_runtime_scans_packed_codes(rows, kernel, expected):
    assert run(choice.make_dense(rows, kernel, Worker())).kernel == expected
    counts = np.ones(len(rows), dtype=np.int32)
    assert run(choice.make_maxsim(rows, counts, kernel, Worker())).kernel == expected


@pytest.mark.parametrize(
    ("kernel", "runtime"), [("gpu", Sessions()), ("onnx", None), ("wasm", None), ("wasm", Sessions())]
)
def test_what_cannot_be_chosen(kernel, runtime):
    with pytest.raises(InvalidOption, match="kernel"):
        choice.check_kernel(kernel, runtime)
