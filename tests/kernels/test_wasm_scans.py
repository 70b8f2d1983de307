"""What the sources make of the worker's scans; the WebAssembly itself runs in worker/tests and e2e."""

import numpy as np
import pytest

from hinny.dense.code_bytes import CodeBytes
from hinny.dense.retriever import create_vector_retriever
from hinny.errors import InvalidOption, ModelError
from hinny.kernels.numpy_dense import NumpyDenseScan
from hinny.kernels.numpy_maxsim import NumpyMaxSimScan
from hinny.kernels.wasm_scans import WasmScan
from hinny.late.retriever import create_colbert_retriever
from hinny.quant.turboquant import TurboQuant
from hinny.records import Query
from packed_fakes import PackedScans, WorkerRuntime
from support import run
from vectors_data import clustered, token_matrices

# Five standard deviations of rounding a query to 127 steps a side, beside that of levels to seven bits.
TOLERANCE = 5 * 7 / 255 / 12**0.5 / 96**0.5
VECTORS, QUERIES = clustered(5000, 96, seed=1), clustered(10, 96, seed=2)
IDS = [f"d{row:04d}" for row in range(5000)]


def rows(dim):
    quantizer = TurboQuant(dim, 4, 3)
    source = CodeBytes(quantizer, quantizer.encode(clustered(300, dim, seed=1)))
    packed = source.packed()
    assert packed is not None
    return quantizer, source, packed


@pytest.mark.parametrize("dim", [96, 100, 7])
def test_packed_scans_agree_with_numpy(dim):
    quantizer, source, packed = rows(dim)
    query = quantizer.rotate(clustered(11, dim, seed=2))
    found = WasmScan(PackedScans(), packed).scores(query[0])
    assert found.dtype == np.float32
    tolerance = TOLERANCE * (96 / dim) ** 0.5
    assert np.abs(found - NumpyDenseScan(source).scores(query[0])).max() < tolerance
    counts = np.array([1, 2, 7, 90, 200], dtype=np.int32)
    found = WasmScan(PackedScans(), packed, counts).scores(query)
    assert np.abs(found - NumpyMaxSimScan(source, counts).scores(query)).max() < tolerance


def test_a_closed_scan_gives_its_memory_back():
    scans = PackedScans()
    scan = WasmScan(scans, rows(8)[2])
    assert list(scans.held) == [1]
    run(scan.close())
    assert not scans.held


@pytest.mark.parametrize("options", [{}, {"refine_candidates": 100}])
def test_quantised_vectors_have_the_same_scores_whoever_scans(options):
    options = {"ids": IDS, "vectors": VECTORS, "strategy": "turboquant", **options}
    here = create_vector_retriever(kernel="numpy", **options)
    there = create_vector_retriever(runtime=WorkerRuntime(), **options)
    for vector in QUERIES:
        expected = run(here.retrieve(Query(vector=vector), limit=20))
        assert run(there.retrieve(Query(vector=vector), limit=20)) == expected
    assert there.kernel == "wasm"


def test_tokens():
    matrices = token_matrices(200, 96, seed=1, longest=60)
    options = {"ids": IDS[:200], "matrices": matrices, "encode_query": lambda text: QUERIES}
    here = create_colbert_retriever(kernel="numpy", **options)
    there = create_colbert_retriever(runtime=WorkerRuntime(), **options)
    expected = {each.id: each.score for each in run(here.retrieve(Query("x"), limit=200))}
    found = run(there.retrieve(Query("x"), limit=200))
    assert there.kernel == "wasm"
    assert all(each.score == pytest.approx(expected[each.id], abs=TOLERANCE) for each in found)


def test_only_codes_of_four_bits_are_packed():
    options = {"ids": IDS, "vectors": VECTORS, "strategy": "turboquant", "bits": 8}
    forced = create_vector_retriever(kernel="wasm", runtime=WorkerRuntime(), **options)
    with pytest.raises(InvalidOption, match="codes of 4 bits"):
        run(forced.retrieve(Query(vector=QUERIES[0]), limit=1))


def test_a_worker_out_of_memory_leaves_numpy_to_do_it_and_says_so():
    runtime = WorkerRuntime()

    def load(rows, counts):
        raise ModelError("WebAssembly.Memory(): could not allocate memory")

    runtime.packed_scans.load = load
    retriever = create_vector_retriever(ids=IDS, vectors=VECTORS, strategy="turboquant", runtime=runtime)
    assert len(run(retriever.retrieve(Query(vector=QUERIES[0]), limit=5))) == 5
    assert retriever.kernel == "numpy"
    assert "could not allocate" in retriever.index._scan.problem
