import numpy as np
import pytest

import hinny.kernels.choice as choice
from hinny.errors import InvalidOption
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


SMALL, LARGE = gaussian(4, 8, seed=1), gaussian(2000, 256, seed=1)


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


@pytest.mark.parametrize(("kernel", "runtime"), [("gpu", Sessions()), ("onnx", None)])
def test_what_cannot_be_chosen(kernel, runtime):
    with pytest.raises(InvalidOption, match="kernel"):
        choice.check_kernel(kernel, runtime)
