"""The Python side of the browser figures, run by Pyodide in vectors-worker.js."""

from __future__ import annotations

import time
from collections import namedtuple

import numpy as np
from js import Object
from pyodide.ffi import to_js

from hinny.dense.code_bytes import CodeBytes
from hinny.dense.quantized import QuantizedIndex
from hinny.dense.retriever import VectorRetriever
from hinny.kernels.numpy_dense import NumpyDenseScan
from hinny.kernels.numpy_maxsim import NumpyMaxSimScan
from hinny.kernels.onnx_scans import OnnxDenseScan, OnnxMaxSimScan
from hinny.late.retriever import ColbertRetriever
from hinny.late.token_index import ColbertTokenIndex
from hinny.platform.browser_models import BrowserScans
from hinny.protocols import resolve
from hinny.quant.codebooks import levels
from hinny.quant.packing import row_bytes
from hinny.quant.turboquant import QuantizedVectors, TurboQuant
from hinny.records import Query

DIM, TOKEN_DIM, TOKENS_A_DOCUMENT, QUERY_TOKENS = 384, 96, 100, 32

Task = namedtuple("Task", "ways query retriever ask")
"""A task's scans by name, the rotated query, and the search that uses the `wasm` one."""

_tasks = {}
_runtime = None


class Runtime:
    """onnxruntime-web in the same worker."""

    def __init__(self, javascript, scans):
        self.javascript = javascript
        self.packed_scans = BrowserScans(scans)

    async def load_session(self, graph, external=None):
        names, arrays = list(external), [to_js(array.reshape(-1)) for array in external.values()]
        return await self.javascript.load(to_js(graph), to_js(names), to_js(arrays))

    async def run(self, session, inputs):
        query = inputs["query"]
        answer = await self.javascript.run(session, to_js(query.reshape(-1)), to_js(list(query.shape)))
        return {"scores": np.asarray(answer.to_py())}


def set_runtime(javascript, scans):
    global _runtime
    _runtime = Runtime(javascript, scans)


def random_vectors(count, dim, seed):
    """Random codes: what they are does not change the time."""
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 256, (count, row_bytes(dim, 4)), dtype=np.uint8)
    scales = generator.uniform(0.98, 1.02, count).astype(np.float32)
    return QuantizedVectors(codes, scales, dim, 4, 1)


def unit(rows):
    return (rows / np.sqrt((rows * rows).sum(axis=1))[:, None]).astype(np.float32)


async def prepare(task, count):
    """Make the index and its scans, `wasm` as the product does; hand to JavaScript what its rivals need."""
    return await (prepare_dense if task.startswith("dense") else prepare_maxsim)(task, count)


async def prepare_dense(task, count):
    """`dense` with all ways, other tasks with the two runtimes' only."""
    vectors = random_vectors(count, DIM, 1)
    quantizer = TurboQuant(DIM, 4, 1)
    source = CodeBytes(quantizer, vectors)
    query = unit(np.random.default_rng(7).standard_normal((1, DIM)))
    index = QuantizedIndex(vectors, kernel="wasm", runtime=_runtime)
    started = time.perf_counter()
    scan = await index._scan.get()
    load_ms = (time.perf_counter() - started) * 1000
    rotated = quantizer.rotate(query)
    ways = {"wasm": scan}
    if task != "dense_100k":
        ways["onnx"] = await OnnxDenseScan.load(_runtime, source)
    if task == "dense":
        ways["numpy"] = NumpyDenseScan(source)
        ways["numpy_float32"] = NumpyDenseScan(quantizer.decode_rotated(vectors))
    retriever = VectorRetriever([f"d{row}" for row in range(count)], index)
    _tasks[task] = Task(ways, rotated[0], retriever, Query(vector=query[0]))
    made = {"query": rotated.reshape(-1), "load_ms": load_ms, "count": count}
    if task == "dense":
        made |= {
            "bytes": vectors.codes.shape[1],
            "codes": vectors.codes.reshape(-1),
            "worth": vectors.scales / np.float32(DIM**0.5),
            "levels": levels(4),
        }
    return to_js(made, dict_converter=Object.fromEntries)


async def prepare_maxsim(task, count):
    """Documents of 50 to 150 tokens in pairs that have 200 together."""
    generator = np.random.default_rng(7)
    tokens = random_vectors(count, TOKEN_DIM, 1)
    half = generator.integers(50, 151, count // TOKENS_A_DOCUMENT // 2)
    lengths = np.concatenate([half, 2 * TOKENS_A_DOCUMENT - half]).astype(np.int32)
    quantizer = TurboQuant(TOKEN_DIM, 4, 1)
    source = CodeBytes(quantizer, tokens)
    query = unit(generator.standard_normal((QUERY_TOKENS, TOKEN_DIM)))
    retriever = ColbertRetriever(
        [f"d{row}" for row in range(len(lengths))],
        ColbertTokenIndex(lengths, tokens),
        lambda text: query.copy(),
        kernel="wasm",
        runtime=_runtime,
    )
    started = time.perf_counter()
    scan = await retriever._scan.get()
    load_ms = (time.perf_counter() - started) * 1000
    rotated = quantizer.rotate(query)
    ways = {
        "wasm": scan,
        "onnx": await OnnxMaxSimScan.load(_runtime, source, lengths),
        "numpy": NumpyMaxSimScan(source, lengths),
    }
    _tasks[task] = Task(ways, rotated, retriever, None)
    made = {
        "query": rotated.reshape(-1),
        "load_ms": load_ms,
        "tokens": quantizer.decode_rotated(tokens).reshape(-1),
        "counts": lengths,
        "dim": TOKEN_DIM,
    }
    return to_js(made, dict_converter=Object.fromEntries)


def once(task, way):
    """One scan by a way that answers at once."""
    it = _tasks[task]
    it.ways[way].scores(it.query)


async def once_later(task, way):
    """One scan by onnxruntime, or one whole search of a retriever with the WebAssembly scan."""
    it = _tasks[task]
    if way == "search":
        await it.retriever.retrieve(it.ask or Query(text=str(time.perf_counter())), limit=25)
    else:
        await it.ways[way].scores(it.query)


async def agreement(task):
    """The largest difference of each way's scores from numpy's, the ways' names in front."""
    it = _tasks[task]
    if "numpy" not in it.ways:
        return to_js({}, dict_converter=Object.fromEntries)
    scores = {way: await resolve(scan.scores(it.query)) for way, scan in it.ways.items()}
    apart = {way: float(np.abs(found - scores["numpy"]).max()) for way, found in scores.items()}
    return to_js(apart, dict_converter=Object.fromEntries)


def javascript_agreement(task, scores):
    """The largest difference between numpy's scores and JavaScript's."""
    it = _tasks[task]
    return float(np.abs(np.asarray(scores.to_py()) - it.ways["numpy"].scores(it.query)).max())
