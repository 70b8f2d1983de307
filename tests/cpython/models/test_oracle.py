"""The real encoders on CPython, against an oracle, each other, and what is known of the model."""

from __future__ import annotations

import asyncio
import base64
import json
import string
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hinny.errors import InputTooLong
from hinny.models.colbert import ColbertEncoder
from hinny.models.cross_encoder import CrossEncoder
from hinny.models.embedder import TextEmbedder
from hinny.models.store import ModelStore
from hinny.platform.base import Platform
from hinny.platform.cpython import cpython_platform
from support import run

ORACLE = json.loads((Path(__file__).parents[2] / "models" / "oracle.json").read_text("utf-8"))
TEXTS: list[str] = ORACLE["texts"]
VECTORS = np.frombuffer(base64.b64decode(ORACLE["vectors"]), dtype="<f4").reshape(len(TEXTS), -1)


@pytest.fixture(scope="module")
def store() -> ModelStore:
    return ModelStore()


@pytest.fixture(scope="module")
def platform(store: ModelStore) -> Platform:
    return cpython_platform(store)


@pytest.fixture(scope="module")
def float32(store: ModelStore, platform: Platform) -> Iterator[TextEmbedder]:
    embedder = TextEmbedder(store.pin("minilm-l6-float32"), platform)
    yield embedder
    run(embedder.dispose())


@pytest.fixture(scope="module")
def int8(store: ModelStore, platform: Platform) -> Iterator[TextEmbedder]:
    embedder = TextEmbedder(store.pin("minilm-l6-int8"), platform)
    yield embedder
    run(embedder.dispose())


def test_ids_and_float32_vectors_are_the_oracles(float32: TextEmbedder):
    assert run(float32.tokenize(TEXTS)) == ORACLE["tokens"]
    np.testing.assert_allclose(run(float32.embed_documents(TEXTS)), VECTORS, atol=1e-5)


def test_the_models_known_similarities(float32: TextEmbedder):
    # As its authors print them: https://sbert.net/docs/quickstart.html
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    vectors = run(float32.embed_documents(texts))
    expected = [[1, 0.6660, 0.1046], [0.6660, 1, 0.1411], [0.1046, 0.1411, 1]]
    np.testing.assert_allclose(vectors @ vectors.T, expected, atol=1e-4)


def test_int8_stays_near_and_a_batch_equals_its_texts(int8: TextEmbedder):
    together = run(int8.embed_documents(TEXTS))
    cosines = (together * VECTORS).sum(axis=1)
    assert cosines.min() > 0.98
    assert cosines.mean() > 0.99
    # A batch is computed in another order, which on some machines tips a code to its neighbour.
    for text, vector in zip(TEXTS[::4], together[::4], strict=True):
        assert run(int8.embed_query(text)) @ vector > 0.9999


def test_a_padded_batch_equals_its_texts_on_the_float32_graph(float32: TextEmbedder):
    together = run(float32.embed_documents(TEXTS))
    for text, vector in zip(TEXTS[::4], together[::4], strict=True):
        np.testing.assert_allclose(run(float32.embed_query(text)), vector, atol=1e-5)


def test_calls_at_once_give_what_calls_in_turn_give(int8: TextEmbedder):
    async def at_once() -> list[np.ndarray]:
        return await asyncio.gather(*(int8.embed_query(text) for text in TEXTS[3:9]))

    in_turn = run(int8.embed_documents(TEXTS[3:9]))
    assert ((np.stack(run(at_once())) * in_turn).sum(axis=1) > 0.9999).all()


def test_a_text_over_the_limit_is_cut_or_refused(int8: TextEmbedder):
    long = TEXTS[-1]
    length = len(ORACLE["tokens"][-1])
    assert length > 256
    with pytest.raises(InputTooLong, match=f"text 1 has {length} tokens, the model takes 256"):
        run(int8.embed_documents(["short", long], truncate=False))
    assert run(int8.embed_documents([long], truncate=True)).shape == (1, 384)


def test_late_interaction_finds_what_is_said_in_other_words(store: ModelStore, platform: Platform):
    encoder = ColbertEncoder(store.pin("minilm-l6-late64"), platform)
    passages = [
        "The cat sat on the mat, purring.",
        "Reclaim disk space held by deleted rows!",
        "Restoring a database from a dump.",
    ]
    documents = run(encoder.encode_documents(passages))
    (query,) = run(encoder.encode_queries(["free storage of removed records"]))
    scores = [(query @ document.T).max(axis=1).mean() for document in documents]
    assert int(np.argmax(scores)) == 1
    tokens = run(encoder.tokenize(passages))
    punctuation = {row[1] for row in run(encoder.tokenize(list(string.punctuation)))}
    for document, ids in zip(documents, tokens, strict=True):
        assert len(document) == sum(token not in punctuation for token in ids)
        np.testing.assert_allclose(np.linalg.norm(document, axis=1), 1, atol=1e-5)
    run(encoder.dispose())


def test_the_overlap_of_words_by_hand(store: ModelStore, platform: Platform):
    encoder = CrossEncoder(store.pin("word-overlap"), platform)
    scores = run(encoder.score("create an index", ["How to CREATE an index", "an index", "drop table", ""]))
    np.testing.assert_allclose(scores, [1, 2 / 3, 0, 0], rtol=1e-6)
    run(encoder.dispose())
