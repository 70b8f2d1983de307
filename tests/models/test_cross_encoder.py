from __future__ import annotations

import math

import pytest

from hinny.errors import InputTooLong, ModelError
from hinny.models.cross_encoder import CrossEncoder
from hinny.protocols import PairScorer
from model_fakes import FakeRuntime, make_pin, make_platform
from support import run


def make(**settings) -> tuple[CrossEncoder, FakeRuntime]:
    runtime = FakeRuntime()
    runtime.logits = True
    pin = make_pin(
        "cross-encoder",
        **{"start_id": 1, "separator_id": 2, "document_length": 8, "activation": "none", **settings},
    )
    return CrossEncoder(pin, make_platform(runtime)), runtime


def test_it_scores_pairs():
    encoder, _ = make()
    assert isinstance(encoder, PairScorer)


def test_a_pair_is_start_query_separator_passage_separator_with_types():
    encoder, runtime = make()
    # The fake model's logit is the sum of the ids of type 1: passage and last separator.
    assert run(encoder.score("a", ["b c", "d"])) == [11 + 12 + 2, 13 + 2]
    (batch,) = runtime.batches
    assert batch["input_ids"].tolist() == [[1, 10, 2, 13, 2, 0], [1, 10, 2, 11, 12, 2]]
    assert batch["token_type_ids"].tolist() == [[0, 0, 0, 1, 1, 0], [0, 0, 0, 1, 1, 1]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1, 1, 1, 0], [1] * 6]


def test_the_sigmoid_brings_a_logit_between_0_and_1():
    encoder, _ = make(activation="sigmoid", separator_id=0)
    (score,) = run(encoder.score("a", [""]))
    assert score == 0.5
    (score,) = run(encoder.score("a", ["a"]))
    assert score == pytest.approx(1 / (1 + math.exp(-10)))


def test_a_long_pair_loses_the_passages_end_or_is_refused():
    encoder, runtime = make()
    run(encoder.score("a b", ["a b c d"], truncate=True))
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 10, 11, 2, 10, 11, 12, 2]]
    with pytest.raises(InputTooLong, match=r"text 1 \(beside the query\) has 4 tokens, the model takes 3"):
        run(encoder.score("a b", ["a", "a b c d"], truncate=False))


def test_a_long_query_loses_its_own_end_or_is_refused():
    encoder, runtime = make(query_length=2)
    run(encoder.score("a b c", ["d"]))
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 10, 11, 2, 13, 2]]
    with pytest.raises(InputTooLong, match="the query has 3 tokens, the model takes 2"):
        run(encoder.score("a b c", ["d"], truncate=False))


def test_no_texts_give_no_scores_without_a_model():
    encoder, runtime = make()
    assert run(encoder.score("a", [])) == []
    assert runtime.loads == 0


def test_a_pin_of_another_kind_is_refused():
    with pytest.raises(ModelError, match="not a cross-encoder"):
        CrossEncoder(make_pin(), make_platform(FakeRuntime()))
