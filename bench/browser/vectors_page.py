"""The Python side of the browser figures, run by Pyodide in vectors-worker.js."""

from __future__ import annotations

import time

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
from hinny.quant.codebooks import levels
from hinny.quant.packing import row_bytes
from hinny.quant.turboquant import QuantizedVectors, TurboQuant
from hinny.records import Query

DIM, TOKEN_DIM, TOKENS_A_DOCUMENT, QUERY_TOKENS = 384, 96, 100, 32

_tasks = {}
_runtime = None


class Runtime:
    """onnxruntime-web in the same worker."""

    def __init__(self, javascript):
        self.javascript = javascript

    async def load_session(self, graph, external=None):
        names, arrays = list(external), [to_js(array.reshape(-1)) for array in external.values()]
        return await self.javascript.load(to_js(graph), to_js(names), to_js(arrays))

    async def run(self, session, inputs):
        query = inputs["query"]
        answer = await self.javascript.run(session, to_js(query.reshape(-1)), to_js(list(query.shape)))
        return {"scores": np.asarray(answer.to_py())}


def set_runtime(javascript):
    global _runtime
    _runtime = Runtime(javascript)


def random_vectors(count, dim, seed):
    """Random codes: what they are does not change the time."""
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 256, (count, row_bytes(dim, 4)), dtype=np.uint8)
    scales = generator.uniform(0.98, 1.02, count).astype(np.float32)
    return QuantizedVectors(codes, scales, dim, 4, 1)


def unit(rows):
    return (rows / np.sqrt((rows * rows).sum(axis=1))[:, None]).astype(np.float32)


async def prepare(task, count):
    """Make the index and its scans; hand to JavaScript what its rivals need."""
    generator = np.random.default_rng(7)
    if task.startswith("dense"):
        vectors = random_vectors(count, DIM, 1)
        quantizer = TurboQuant(DIM, 4, 1)
        source = CodeBytes(quantizer, vectors)
        query = unit(generator.standard_normal((1, DIM)))
        started = time.perf_counter()
        onnx = await OnnxDenseScan.load(_runtime, source)
        load_ms = (time.perf_counter() - started) * 1000
        index = QuantizedIndex(vectors)
        index._scan._scan = onnx
        retriever = VectorRetriever([f"d{row}" for row in range(count)], index)
        ask = Query(vector=query[0])
        rotated = quantizer.rotate(query)
        numpy_scan = NumpyDenseScan(source) if task == "dense" else None
        floats = NumpyDenseScan(quantizer.decode_rotated(vectors)) if task == "dense" else None
        _tasks[task] = {
            "onnx_scan": onnx,
            "query": rotated[0],
            "retriever": retriever,
            "ask": ask,
            "numpy": numpy_scan,
            "numpy_float32": floats,
        }
        made = {
            "query": rotated.reshape(-1),
            "dims": [1, DIM],
            "session": onnx._session,
            "load_ms": load_ms,
            "count": count,
            "bytes": vectors.codes.shape[1],
        }
        if task == "dense":
            made |= {
                "codes": vectors.codes.reshape(-1),
                "worth": vectors.scales / np.float32(DIM**0.5),
                "levels": levels(4),
            }
        return to_js(made, dict_converter=Object.fromEntries)
    tokens = random_vectors(count, TOKEN_DIM, 1)
    # Documents of 50 to 150 tokens in pairs that have 200 together.
    half = generator.integers(50, 151, count // TOKENS_A_DOCUMENT // 2)
    lengths = np.concatenate([half, 2 * TOKENS_A_DOCUMENT - half]).astype(np.int32)
    index = ColbertTokenIndex(lengths, tokens)
    quantizer = TurboQuant(TOKEN_DIM, 4, 1)
    source = CodeBytes(quantizer, tokens)
    query = unit(generator.standard_normal((QUERY_TOKENS, TOKEN_DIM)))
    started = time.perf_counter()
    onnx = await OnnxMaxSimScan.load(_runtime, source, lengths)
    load_ms = (time.perf_counter() - started) * 1000
    retriever = ColbertRetriever([f"d{row}" for row in range(len(lengths))], index, lambda text: query.copy())
    retriever._scan._scan = onnx
    rotated = quantizer.rotate(query)
    _tasks[task] = {
        "onnx_scan": onnx,
        "query": rotated,
        "retriever": retriever,
        "ask": None,
        "numpy": NumpyMaxSimScan(source, lengths),
    }
    return to_js(
        {
            "query": rotated.reshape(-1),
            "dims": [QUERY_TOKENS, TOKEN_DIM],
            "session": onnx._session,
            "load_ms": load_ms,
            "tokens": quantizer.decode_rotated(tokens).reshape(-1),
            "counts": lengths,
            "dim": TOKEN_DIM,
        },
        dict_converter=Object.fromEntries,
    )


async def once(task, way):
    """One scan, or one whole search of a retriever with the ONNX scan."""
    it = _tasks[task]
    if way == "search":
        ask = it["ask"] or Query(text=str(time.perf_counter()))
        await it["retriever"].retrieve(ask, limit=25)
    else:
        it[way].scores(it["query"])


async def agreement(task):
    """The largest difference between the two kernels' scores; -1 where only one runs."""
    it = _tasks[task]
    if it["numpy"] is None:
        return -1.0
    return float(np.abs(await it["onnx_scan"].scores(it["query"]) - it["numpy"].scores(it["query"])).max())


def javascript_agreement(task, scores):
    """The largest difference between numpy's scores and JavaScript's."""
    it = _tasks[task]
    return float(np.abs(np.asarray(scores.to_py()) - it["numpy"].scores(it["query"])).max())
