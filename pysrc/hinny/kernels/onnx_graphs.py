"""The scans as ONNX graphs of a few hundred bytes; their weights travel beside them.

Dense: scores = query x weight, one product for each block of documents, side by side. MaxSim: query
tokens x document tokens, reshaped to documents of one length, the maximum over a document's tokens, the
mean over query tokens. Weights are [d, columns]: float32, or bytes with one float a column, which is
where each vector's own scale goes (`DynamicQuantizeMatMul` of onnxruntime rounds the query to bytes
and multiplies integers). The number of query rows is left to the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack

from hinny.kernels.base import ZERO_POINT
from hinny.kernels.onnx_proto import FLOAT, INT64, MICROSOFT, UINT8, constant, external, model, node, value


def dense_graph(dim: int, columns: Sequence[int], *, quantised: bool) -> bytes:
    """`query` float32 [q, dim] to `scores` float32 [q, sum of columns].

    External files: `rows0`, `rows1`, ... uint8 or float32 [dim, columns[i]], and when quantised
    `worth0`, ... float32 [columns[i]].
    """
    nodes: list[bytes] = []
    tensors = [_zero_point()] if quantised else []
    names = [f"product{block}" for block in range(len(columns))]
    for block, width in enumerate(columns):
        tensors += _weight(block, dim, width, quantised)
        nodes.append(_product(block, quantised))
    nodes.append(node("Concat", names, ["scores"], axis=1))
    query = value("query", FLOAT, ["q", dim])
    return model(nodes, [query], [value("scores", FLOAT, ["q", sum(columns)])], tensors)


def maxsim_graph(dim: int, buckets: Sequence[tuple[int, int]], *, quantised: bool) -> bytes:
    """`query` float32 [q, dim] to `scores` float32 [all documents], bucket by bucket.

    `buckets`: (documents, tokens each). External files as for `dense_graph`, with documents * tokens
    columns, document by document.
    """
    nodes: list[bytes] = []
    tensors = [_zero_point()] if quantised else []
    for block, (documents, length) in enumerate(buckets):
        tensors += _weight(block, dim, documents * length, quantised)
        tensors.append(constant(f"shape{block}", INT64, [3], pack("<3q", -1, documents, length)))
        nodes += [
            _product(block, quantised),
            node("Reshape", [f"product{block}", f"shape{block}"], [f"cube{block}"]),
            node("ReduceMax", [f"cube{block}"], [f"best{block}"], axes=[2], keepdims=0),
            node("ReduceMean", [f"best{block}"], [f"mean{block}"], axes=[0], keepdims=0),
        ]
    nodes.append(node("Concat", [f"mean{block}" for block in range(len(buckets))], ["scores"], axis=0))
    scores = value("scores", FLOAT, [sum(documents for documents, _ in buckets)])
    return model(nodes, [value("query", FLOAT, ["q", dim])], [scores], tensors)


def _zero_point() -> bytes:
    return constant("zero_point", UINT8, [], bytes([ZERO_POINT]))


def _weight(block: int, dim: int, width: int, quantised: bool) -> list[bytes]:
    if not quantised:
        return [external(f"rows{block}", FLOAT, [dim, width], 4 * dim * width)]
    return [
        external(f"rows{block}", UINT8, [dim, width], dim * width),
        external(f"worth{block}", FLOAT, [width], 4 * width),
    ]


def _product(block: int, quantised: bool) -> bytes:
    out = [f"product{block}"]
    if not quantised:
        return node("MatMul", ["query", f"rows{block}"], out)
    inputs = ["query", f"rows{block}", f"worth{block}", "zero_point"]
    return node("DynamicQuantizeMatMul", inputs, out, domain=MICROSOFT)
