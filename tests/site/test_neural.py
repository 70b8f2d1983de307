"""Encoding a site when it is built."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from hinny.dense.part_meta import unpack_part
from hinny.errors import FingerprintMismatch, InvalidInput
from hinny.models.pins import ModelPin
from hinny.records import Document
from hinny.site.neural import (
    Question,
    beginning,
    encode_site,
    manifest_entry,
    read_questions,
    recorded_rows,
)
from site_models import DIM, WordRuntime, word_pins, word_platform
from support import run

DOCUMENTS = [
    Document("a", {"title": "Care", "text": "hay and water"}),
    Document("b", {"title": "Hooves", "text": "trim them"}),
    Document("c", {"title": "Long", "text": " ".join(f"w{n}" for n in range(100))}),
]


def test_the_beginning_of_a_text_is_as_it_was_written() -> None:
    assert beginning("  one\ttwo  three", 2) == "  one\ttwo"
    assert beginning("one two", 2) == "one two"
    assert beginning("one two ", 3) == "one two "
    assert beginning("", 3) == ""


def test_sections_are_encoded_in_their_order_and_long_ones_are_cut_and_counted() -> None:
    told: list[tuple[str, int, int]] = []
    encoded = run(
        encode_site(
            DOCUMENTS,
            word_pins("vector", "tokens"),
            word_platform(),
            progress=lambda *state: told.append(state),
        )
    )
    assert set(encoded.parts) == {"vectors/codes", "tokens/index"}
    assert encoded.truncated == {"words-vector": 1, "words-tokens": 1}
    assert told == [
        ("words-vector", 0, 3),
        ("words-vector", 3, 3),
        ("words-tokens", 0, 3),
        ("words-tokens", 3, 3),
    ]
    arrays, meta = unpack_part(encoded.parts, "tokens/index")
    # title and text with a token at each end; what is too long has the model's 32
    assert arrays["token_counts"].tolist() == [6, 5, 32]
    assert meta["fingerprint"] == word_pins("tokens")["tokens"].fingerprint()


def test_the_same_sections_give_the_same_bytes() -> None:
    async def parts() -> dict[str, bytes]:
        return (await encode_site(DOCUMENTS, word_pins("vector", "tokens"), word_platform())).parts

    assert run(parts()) == run(parts())


def test_a_marker_takes_the_place_of_a_token() -> None:
    documents = [Document("a", {"text": " ".join(["hay"] * 30)})]
    plain = run(encode_site(documents, word_pins("tokens"), word_platform()))
    marked = run(encode_site(documents, word_pins("tokens", document_marker=1), word_platform()))
    assert (plain.truncated, marked.truncated) == ({"words-tokens": 0}, {"words-tokens": 1})


def test_questions_are_recorded_as_the_model_reads_them() -> None:
    questions = [Question("1", "hay"), Question("2", "trim the hooves")]
    pins = word_pins("vector", "tokens")
    encoded = run(encode_site(DOCUMENTS, pins, word_platform(), questions=questions))
    vectors = recorded_rows(encoded.parts["questions/vectors"], "vector", pins["vector"].fingerprint())
    tokens = recorded_rows(encoded.parts["questions/tokens"], "tokens", pins["tokens"].fingerprint())
    assert [row.shape for row in vectors] == [(DIM,), (DIM,)]
    assert [matrix.shape for matrix in tokens] == [(3, DIM), (5, DIM)]
    for row in (*vectors, *np.vstack(tokens)):
        assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)
    with pytest.raises(FingerprintMismatch, match="questions/vectors was made with the model words-vector@"):
        recorded_rows(encoded.parts["questions/vectors"], "vector", "another@1")


def test_questions_come_from_lines_of_json() -> None:
    assert read_questions('{"text": "a b", "id": "x"}\n\n{"text": "c"}\n') == [
        Question("x", "a b"),
        Question("3", "c"),
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("[]", "line 1: expected"),
        ("{", "line 1: expected"),
        ('{"text": " "}', "line 1: a question needs a text"),
        ('{"text": 3}', "line 1: a question needs a text"),
        ('{"text": "a", "id": "x"}\n{"text": "b", "id": "x"}', "line 2: the id 'x' is there twice"),
    ],
)
def test_a_line_that_is_no_question_is_named(data: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        read_questions(data)


def test_a_manifests_entry_is_a_pin_and_says_what_it_serves() -> None:
    pin = word_pins("vector")["vector"]
    entry: dict[str, Any] = json.loads(json.dumps(manifest_entry(pin, "vector", "models")))
    assert ModelPin.from_dict(entry) == pin
    assert entry["fingerprint"] == pin.fingerprint()
    assert (entry["serves"], entry["base"]) == ("vector", "models")


def test_small_batches_hold_so_many_tokens_with_padding_and_leave_pauses() -> None:
    runtime, texts = (
        WordRuntime(),
        {str(n): " ".join(["hay"] * words) for n, words in enumerate((6, 1, 2, 3))},
    )
    shapes: list[tuple[int, ...]] = []
    pauses = 0

    async def pause() -> None:
        nonlocal pauses
        pauses += 1

    runtime.seen = shapes.append
    run(encode_site(texts, word_pins("vector"), word_platform(runtime), batch_tokens=8, pause=pause))
    # two tokens more each: 3 and 4 fit together (two of 4), 5 does not, 8 is a batch of its own
    assert shapes == [(2, 4), (1, 5), (1, 8)]
    assert pauses == 1 + 1 + 3  # before the model, after its tokens, after each batch
