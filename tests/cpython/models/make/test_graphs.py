"""The graphs that we write, run by onnxruntime and compared with numpy."""

from __future__ import annotations

import math

import numpy as np
import onnx
import onnxruntime
import pytest

from hinny.models.make.bert import BertShape, build_bert
from hinny.models.make.graph import GraphWriter
from hinny.models.make.linear import Int8Linear, Product
from hinny.models.make.overlap import build_overlap

WIDTH, HEADS, LAYERS, INNER, WORDS, PLACES = 16, 2, 2, 32, 30, 12
SHAPE = BertShape(layers=LAYERS, heads=HEADS, epsilon=1e-12)


def session(graph: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])


@pytest.fixture(scope="module")
def tensors() -> dict[str, np.ndarray]:
    generator = np.random.default_rng(11)

    def draw(*shape: int) -> np.ndarray:
        return (generator.standard_normal(shape) * 0.3).astype(np.float32)

    def norm(name: str) -> dict[str, np.ndarray]:
        return {f"{name}.weight": 1 + draw(WIDTH), f"{name}.bias": draw(WIDTH)}

    def linear(name: str, out: int, inside: int) -> dict[str, np.ndarray]:
        return {f"{name}.weight": draw(out, inside), f"{name}.bias": draw(out)}

    found = {
        "embeddings.word_embeddings.weight": draw(WORDS, WIDTH),
        "embeddings.position_embeddings.weight": draw(PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": draw(2, WIDTH),
        **norm("embeddings.LayerNorm"),
    }
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}"
        for part in ("query", "key", "value"):
            found |= linear(f"{layer}.attention.self.{part}", WIDTH, WIDTH)
        found |= linear(f"{layer}.attention.output.dense", WIDTH, WIDTH)
        found |= norm(f"{layer}.attention.output.LayerNorm")
        found |= linear(f"{layer}.intermediate.dense", INNER, WIDTH)
        found |= linear(f"{layer}.output.dense", WIDTH, INNER)
        found |= norm(f"{layer}.output.LayerNorm")
    return found


def bert(tensors: dict[str, np.ndarray], ids: list[int], types: list[int]) -> np.ndarray:
    """The encoder in numpy, float64, straight from the paper; one text without padding."""

    def of(name: str) -> np.ndarray:
        return tensors[name].astype(np.float64)

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + SHAPE.epsilon)
        return scaled * of(f"{name}.weight") + of(f"{name}.bias")

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ of(f"{name}.weight").T + of(f"{name}.bias")

    def split(x: np.ndarray) -> np.ndarray:
        return x.reshape(len(ids), HEADS, WIDTH // HEADS).transpose(1, 0, 2)

    x = of("embeddings.word_embeddings.weight")[ids] + of("embeddings.token_type_embeddings.weight")[types]
    x = norm(x + of("embeddings.position_embeddings.weight")[: len(ids)], "embeddings.LayerNorm")
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}"
        query, key, value = (
            split(linear(x, f"{layer}.attention.self.{part}")) for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(WIDTH // HEADS)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed = (shares @ value).transpose(1, 0, 2).reshape(len(ids), WIDTH)
        x = norm(x + linear(mixed, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
        inner = linear(x, f"{layer}.intermediate.dense")
        gelu = np.vectorize(lambda v: v * 0.5 * (1 + math.erf(v / math.sqrt(2))))(inner)
        x = norm(x + linear(gelu, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    return x


TEXTS = [[1, 5, 9, 2], [1, 7, 2], [1, 20, 21, 22, 23, 24, 2]]


def feed(rows: list[list[int]], types: list[list[int]] | None = None) -> dict[str, np.ndarray]:
    longest = max(map(len, rows))
    ids = np.array([row + [0] * (longest - len(row)) for row in rows], dtype=np.int64)
    mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in rows], dtype=np.int64)
    kinds = np.zeros_like(ids)
    for place, row in enumerate(types or []):
        kinds[place, : len(row)] = row
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": kinds}


def test_the_float32_graph_is_bert(tensors):
    run = session(build_bert(tensors, SHAPE, precision="float32"))
    kinds = [[0, 0, 1, 1], [0, 0, 1], [0] * 7]
    (states,) = run.run(["last_hidden_state"], feed(TEXTS, kinds))
    for row, (ids, types) in enumerate(zip(TEXTS, kinds, strict=True)):
        np.testing.assert_allclose(states[row, : len(ids)], bert(tensors, ids, types), atol=2e-5)


def test_the_int8_graph_is_near_and_does_not_depend_on_the_batch(tensors):
    run = session(build_bert(tensors, SHAPE, precision="int8"))
    (together,) = run.run(None, feed(TEXTS))
    for row, ids in enumerate(TEXTS):
        (alone,) = run.run(None, feed([ids]))
        np.testing.assert_allclose(together[row, : len(ids)], alone[0], atol=1e-5)
        expected = bert(tensors, ids, [0] * len(ids))
        cosine = (alone[0] * expected).sum(axis=-1)
        cosine /= np.linalg.norm(alone[0], axis=-1) * np.linalg.norm(expected, axis=-1)
        assert cosine.min() > 0.995


def test_a_projection_gives_unit_rows_in_its_directions(tensors):
    projection = np.linalg.qr(np.random.default_rng(1).standard_normal((WIDTH, 5)))[0].astype(np.float32)
    run = session(build_bert(tensors, SHAPE, precision="float32", projection=projection))
    (rows,) = run.run(["token_vectors"], feed(TEXTS[:1]))
    expected = bert(tensors, TEXTS[0], [0] * 4) @ projection
    expected /= np.linalg.norm(expected, axis=-1, keepdims=True)
    np.testing.assert_allclose(rows[0], expected, atol=2e-5)


def int8(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, *, gelu: bool = False) -> np.ndarray:
    """Int8Linear as a graph of its own, on x [rows, n]."""
    g = GraphWriter("linear")
    name = g.input("x", "float32", ["rows", x.shape[1]])
    make = Int8Linear().after_gelu if gelu else Int8Linear()
    product, added = make(g, Product("l", name, weight, bias))
    g.output("y", "float32", ["rows", weight.shape[0]], g.node("Add", product, added))
    (y,) = session(g.finish()).run(None, {"x": x.astype(np.float32)})
    return y


def test_a_product_of_values_that_have_exact_codes_is_exact():
    x = np.array([[127, -127, 1, 0], [0, 0, 0, 0], [12.7, 0.1, -0.3, 5]], dtype=np.float32)
    weight = np.array([[127, 1, -5, 0], [1, 1, 1, -127]], dtype=np.float32)
    bias = np.array([0.5, -1], dtype=np.float32)
    np.testing.assert_allclose(int8(x, weight, bias), x @ weight.T + bias, rtol=1e-5, atol=1e-3)


def test_after_gelu_all_levels_lie_between_its_floor_and_the_largest_value():
    generator = np.random.default_rng(9)
    raw = generator.standard_normal((6, 40)) * 2
    x = np.vectorize(lambda v: v * 0.5 * (1 + math.erf(v / math.sqrt(2))))(raw).astype(np.float32)
    weight = generator.standard_normal((7, 40)).astype(np.float32)
    bias = generator.standard_normal(7).astype(np.float32)
    exact = x @ weight.T + bias
    error = np.abs(int8(x, weight, bias, gelu=True) - exact).mean()
    assert error < np.abs(int8(x, weight, bias) - exact).mean(), (
        "symmetric codes would waste half their range"
    )
    assert error < 0.02 * np.abs(exact).mean()


def test_the_overlap_is_the_share_of_query_tokens_that_the_passage_has():
    run = session(build_overlap([0, 101, 102]))
    rows = [
        [101, 5, 6, 7, 102, 6, 5, 5, 102],  # 5 and 6 of three
        [101, 5, 5, 102, 5, 102],  # a repeated token counts each time
        [101, 102, 5, 102],  # no query
        [101, 5, 102, 102],  # no passage
        [101, 9, 102, 101, 102],  # special tokens do not match
    ]
    ends = [5, 4, 2, 3, 3]
    kinds = [[0] * end + [1] * (len(row) - end) for row, end in zip(rows, ends, strict=True)]
    (logits,) = run.run(["logits"], feed(rows, kinds))
    np.testing.assert_allclose(logits, [[2 / 3], [1], [0], [0], [0]], rtol=1e-6)


def test_the_same_calls_give_the_same_bytes_without_a_trace_of_who_made_them(tensors):
    first, second = (build_bert(tensors, SHAPE, precision="int8") for _ in range(2))
    assert first == second
    model = onnx.load_from_string(first)
    assert (model.producer_name, model.producer_version, model.doc_string) == ("", "", "")
    assert model.ir_version == 8
