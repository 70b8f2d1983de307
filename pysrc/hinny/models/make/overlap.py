"""A cross-encoder whose score is known beforehand: the share of the query's tokens that the passage has.

It stands in the reranking path wherever a score must be checked by hand, and is an honest, if plain,
reranker. Inputs are a cross-encoder's: token types 0 mark the query, 1 the passage; special tokens
count on neither side. Output `logits`, float32 [batch, 1], in 0 to 1; a query without tokens gives 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from hinny.models.make.graph import GraphWriter

_FLOAT, _BOOL = 1, 9  # onnx.TensorProto


def build_overlap(special_ids: Sequence[int]) -> bytes:
    """The serialised graph; `special_ids` are the token ids to leave aside."""
    g = GraphWriter("overlap")
    ids, mask, types = (
        g.input(name, "int64", ["batch", "sequence"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    )
    counted = g.node("Cast", mask, to=_BOOL)
    for special in special_ids:
        counted = g.node("And", counted, g.node("Not", g.node("Equal", ids, g.constant(special, "int64"))))
    of_passage = g.node("Cast", types, to=_BOOL)
    in_query = g.node("Cast", g.node("And", counted, g.node("Not", of_passage)), to=_FLOAT)
    in_passage = g.node("And", counted, of_passage)
    # [batch, query place, passage place]
    same = g.node(
        "Equal",
        g.node("Unsqueeze", ids, g.constant([2], "int64")),
        g.node("Unsqueeze", ids, g.constant([1], "int64")),
    )
    same = g.node("And", same, g.node("Unsqueeze", in_passage, g.constant([1], "int64")))
    found = g.node("ReduceMax", g.node("Cast", same, to=_FLOAT), axes=[2], keepdims=0)
    axis = g.constant([1], "int64")
    hits = g.node("ReduceSum", g.node("Mul", found, in_query), axis, keepdims=1)
    count = g.node("Max", g.node("ReduceSum", in_query, axis, keepdims=1), g.constant(1.0))
    g.output("logits", "float32", ["batch", 1], g.node("Div", hits, count))
    return g.finish()
