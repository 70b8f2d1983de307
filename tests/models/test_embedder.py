from __future__ import annotations

import numpy as np
import pytest

from hinny.errors import InputTooLong, ModelError
from hinny.models.embedder import TextEmbedder
from hinny.protocols import Embedder
from model_fakes import FakeRuntime, make_pin, make_platform
from support import run


def make(**settings) -> tuple[TextEmbedder, FakeRuntime]:
    runtime = FakeRuntime()
    return TextEmbedder(make_pin(**settings), make_platform(runtime)), runtime


def test_it_is_an_embedder():
    embedder, _ = make()
    assert isinstance(embedder, Embedder)
    assert embedder.fingerprint == embedder.pin.fingerprint()
    assert embedder.dimensions == 2


def test_a_vector_is_the_mean_over_all_tokens_special_ones_too():
    embedder, _ = make(normalize=False)
    # [START=1] a=10 [END=2]: mean id 13/3
    np.testing.assert_allclose(run(embedder.embed_query("a")), [13 / 3, 1], rtol=1e-6)


def test_texts_of_all_lengths_come_back_in_their_order_and_padding_changes_nothing():
    embedder, runtime = make()
    texts = ["a b c", "", "b", "a b"]
    vectors = run(embedder.embed_documents(texts))
    assert vectors.shape == (4, 2)
    assert vectors.dtype == np.float32
    assert len(runtime.batches) == 1
    for text, vector in zip(texts, vectors, strict=True):
        np.testing.assert_allclose(vector, run(embedder.embed_query(text)), rtol=1e-6)


def test_no_texts_give_an_empty_matrix_without_a_model():
    embedder, runtime = make()
    assert run(embedder.embed_documents([])).shape == (0, 2)
    assert runtime.loads == 0


def test_prefixes_go_before_the_text():
    embedder, runtime = make(query_prefix="q: ", document_prefix="t: ")
    run(embedder.embed_queries(["a"]))
    run(embedder.embed_documents(["a"]))
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 14, 10, 2]]
    assert runtime.batches[1]["input_ids"].tolist() == [[1, 15, 10, 2]]


def test_long_texts_are_cut_or_refused_as_pin_encoder_and_call_say():
    embedder, runtime = make(document_length=4)
    run(embedder.embed_documents(["a b c d"]))
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 10, 11, 2]]
    with pytest.raises(InputTooLong, match="text 1 has 6 tokens, the model takes 4"):
        run(embedder.embed_documents(["a", "a b c d"], truncate=False))
    strict = TextEmbedder(make_pin(document_length=4), make_platform(FakeRuntime()), truncate=False)
    with pytest.raises(InputTooLong):
        run(strict.embed_documents(["a b c d"]))
    assert run(strict.embed_documents(["a b c d"], truncate=True)).shape == (1, 2)


def test_cls_pooling_takes_the_first_state():
    embedder, _ = make(pooling="cls", normalize=False)
    np.testing.assert_array_equal(run(embedder.embed_query("a b")), [1, 1])


def test_another_width_than_the_pins_is_an_error():
    embedder, _ = make(dimensions=3)
    with pytest.raises(ModelError, match="gave 2 dimensions, its pin says 3"):
        run(embedder.embed_query("a"))


def test_a_pin_of_another_kind_is_refused():
    with pytest.raises(ModelError, match="is a colbert"):
        TextEmbedder(make_pin("colbert"), make_platform(FakeRuntime()))


def test_disposing_frees_the_model_once():
    embedder, runtime = make()

    async def check() -> None:
        await embedder.load()
        await embedder.dispose()
        await embedder.dispose()

    run(check())
    assert sorted(runtime.released) == [7, 8]
