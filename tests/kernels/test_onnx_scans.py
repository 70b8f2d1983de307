"""What the ONNX maker hands to a runtime and makes of the answer; the graphs run in tests/cpython."""

import numpy as np

from hinny.kernels.base import ByteRows
from hinny.kernels.onnx_scans import OnnxDenseScan, OnnxMaxSimScan
from support import run


class Recorder:
    def __init__(self, scores):
        self.scores = np.array(scores, dtype=np.float32)
        self.released = []

    async def load_session(self, graph, external=None):
        assert len(external) == len(list(external))
        self.graph, self.external = graph, dict(external)
        return 7

    async def run(self, session, inputs):
        assert session == 7
        self.inputs = inputs
        return {"scores": self.scores}

    async def release(self, handle):
        self.released.append(handle)


def test_dense_weights_are_columns_in_blocks(monkeypatch):
    monkeypatch.setattr("hinny.kernels.onnx_scans.BLOCK_ROWS", 2)
    values = np.arange(12, dtype=np.uint8).reshape(3, 4)
    runtime = Recorder([[1, 2, 3]])
    scan = run(OnnxDenseScan.load(runtime, ByteRows(values, np.arange(3, dtype=np.float32))))
    assert {name: array.tolist() for name, array in runtime.external.items()} == {
        "rows0": values[:2].T.tolist(),
        "worth0": [0, 1],
        "rows1": values[2:].T.tolist(),
        "worth1": [2],
    }
    assert all(array.flags.c_contiguous for array in runtime.external.values())
    scores = run(scan.scores(np.ones(4, dtype=np.float32)))
    assert runtime.inputs["query"].shape == (1, 4)
    assert scores.tolist() == [1, 2, 3]
    run(scan.close())
    assert runtime.released == [7]


def test_maxsim_answers_are_put_back_in_document_order():
    # Lengths 2, 1, 2: the bucket of length 1 comes first in the graph.
    tokens = np.arange(10, dtype=np.float32).reshape(5, 2)
    runtime = Recorder([10, 20, 30])
    scan = run(OnnxMaxSimScan.load(runtime, tokens, np.array([2, 1, 2], dtype=np.int32)))
    assert runtime.external["rows0"].tolist() == tokens[[2]].T.tolist()
    assert runtime.external["rows1"].tolist() == tokens[[0, 1, 3, 4]].T.tolist()
    assert run(scan.scores(np.ones((3, 2), dtype=np.float32))).tolist() == [20, 10, 30]
    run(scan.close())
    assert runtime.released == [7]


def test_a_graph_is_a_few_hundred_bytes():
    runtime = Recorder([[0]])
    run(OnnxDenseScan.load(runtime, ByteRows(np.zeros((900, 384), np.uint8), np.zeros(900, np.float32))))
    assert len(runtime.graph) < 600
