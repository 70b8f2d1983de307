"""The graphs under the `onnx` checker and onnxruntime, against numpy on the same numbers."""

import numpy as np
import onnx
import pytest

from hinny.dense.code_bytes import CodeBytes
from hinny.kernels.base import held
from hinny.kernels.numpy_dense import NumpyDenseScan
from hinny.kernels.numpy_maxsim import NumpyMaxSimScan
from hinny.kernels.onnx_graphs import dense_graph, maxsim_graph
from hinny.kernels.onnx_scans import OnnxDenseScan, OnnxMaxSimScan
from hinny.platform.cpython import CPythonRuntime
from hinny.quant.turboquant import TurboQuant
from support import run
from vectors_data import clustered, token_matrices


def tolerance(dim):
    """Five standard deviations of what rounding the query to bytes does to a product.

    A rotated unit query's coordinates lie within about 7 / sqrt(d), in 255 steps; a step rounds with a
    standard deviation of step / sqrt(12), and a unit row adds the roundings up to just that.
    """
    return 5 * 7 / 255 / 12**0.5 / dim**0.5


@pytest.mark.parametrize("quantised", [True, False])
def test_graphs_pass_the_checker(quantised):
    for graph in (
        dense_graph(384, [16384, 100], quantised=quantised),
        maxsim_graph(96, [(10, 4), (3, 7)], quantised=quantised),
    ):
        model = onnx.load_model_from_string(graph)
        assert model.SerializeToString() == graph  # nothing in it that onnx does not know
        assert [(each.domain, each.version) for each in model.opset_import] == [
            ("", 17),
            ("com.microsoft", 1),
        ]
        assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "q"
        weights = {each.name: each for each in model.graph.initializer if each.name.startswith("rows")}
        for name, weight in weights.items():
            assert weight.data_location == onnx.TensorProto.EXTERNAL
            entries = {entry.key: entry.value for entry in weight.external_data}
            size = int(np.prod(weight.dims)) * (1 if quantised else 4)
            assert entries == {"location": name, "offset": "0", "length": str(size)}
        if not quantised:
            # The checker would look for the external files: give it the weights as inputs instead.
            kept = [each for each in model.graph.initializer if each.name not in weights]
            del model.graph.initializer[:]
            model.graph.initializer.extend(kept)
            for name, weight in weights.items():
                shape = list(weight.dims)
                model.graph.input.append(
                    onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)
                )
            onnx.checker.check_model(model, full_check=True)


def quantised_rows(count, dim, seed, bits=4):
    quantizer = TurboQuant(dim, bits)
    return quantizer, held(CodeBytes(quantizer, quantizer.encode(clustered(count, dim, seed))))


@pytest.mark.parametrize("bits", [2, 3, 4, 8])
@pytest.mark.parametrize("dim", [96, 100, 384])
def test_dense_agrees_with_numpy(bits, dim, monkeypatch):
    monkeypatch.setattr("hinny.kernels.onnx_scans.BLOCK_ROWS", 128)
    quantizer, rows = quantised_rows(300, dim, 1, bits)
    scan = run(OnnxDenseScan.load(CPythonRuntime(), rows))
    for query in quantizer.rotate(clustered(20, dim, 2)):
        expected = NumpyDenseScan(rows).scores(query)
        scores = run(scan.scores(query))
        assert scores.dtype == np.float32
        assert np.abs(scores - expected).max() < tolerance(dim)


def test_dense_floats_agree_with_numpy():
    rows, query = clustered(300, 96, 1), clustered(1, 96, 2)[0]
    scan = run(OnnxDenseScan.load(CPythonRuntime(), rows))
    assert np.allclose(run(scan.scores(query)), rows @ query, atol=1e-6)


@pytest.mark.parametrize("quantised", [True, False])
@pytest.mark.parametrize("query_tokens", [1, 5, 32])
def test_maxsim_agrees_with_numpy(quantised, query_tokens):
    matrices = token_matrices(60, 96, seed=3, longest=90)
    counts = np.array([len(matrix) for matrix in matrices], dtype=np.int32)
    tokens, query = np.concatenate(matrices), clustered(query_tokens, 96, 5)
    rows = tokens
    if quantised:
        quantizer = TurboQuant(96)
        rows, query = CodeBytes(quantizer, quantizer.encode(tokens)), quantizer.rotate(query)
    scan = run(OnnxMaxSimScan.load(CPythonRuntime(), rows, counts))
    expected = NumpyMaxSimScan(rows, counts).scores(query)
    scores = run(scan.scores(query))
    assert scores.shape == (60,)
    assert np.abs(scores - expected).max() < (tolerance(96) if quantised else 1e-6)
