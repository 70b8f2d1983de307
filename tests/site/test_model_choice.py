"""The options of a build: factories and their models."""

from __future__ import annotations

import pytest

from hinny.errors import InvalidOption
from hinny.site.model_choice import (
    DEFAULT_MODEL,
    choose_pins,
    choose_reranker,
    read_factories,
    shortened,
)
from model_fakes import make_pin
from site_models import word_pins


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("lexical-only", ()),
        ("tiny", ("tiny",)),
        ("semantic,tiny", ("tiny", "semantic")),
        ("lexical-only, semantic", ("semantic",)),
        ("three-source,tiny", ("tiny", "three-source")),
        ("all", ("tiny", "semantic", "three-source")),
    ],
)
def test_factories_are_named_one_by_one_or_all_at_once(text: str, names: tuple[str, ...]) -> None:
    assert read_factories(text) == names


def test_an_unknown_factory_is_an_error_with_the_names_there_are() -> None:
    with pytest.raises(
        InvalidOption, match="'best' is not allowed: expected lexical-only, tiny, semantic, three-source"
    ):
        read_factories("tiny,best")


def test_each_source_has_the_model_that_is_named_for_it_or_our_own() -> None:
    pins = {pin.id: pin for pin in word_pins("vector", "tokens").values()}
    ours = {id: pins[f"words-{source}"] for source, id in DEFAULT_MODEL.items()}
    known = {**pins, **ours}
    chosen = choose_pins(["tiny", "semantic"], ["words-vector"], known.__getitem__)
    assert {source: pin.id for source, pin in chosen.items()} == {
        "tokens": "words-tokens",
        "vector": "words-vector",
    }
    assert choose_pins(["three-source"], [], known.__getitem__).keys() == {"vector", "tokens"}
    with pytest.raises(InvalidOption, match="of the kind colbert; this is one of embedder"):
        choose_pins(["tiny"], ["words-vector"], known.__getitem__)
    with pytest.raises(InvalidOption, match="words-vector is named too"):
        choose_pins(["semantic"], ["words-vector", "words-vector"], known.__getitem__)


def test_a_shortened_model_is_another_model_to_an_index() -> None:
    pin = word_pins("vector")["vector"]
    assert shortened(pin, None) is pin
    assert shortened(pin, 16).document_length == 16
    assert shortened(pin, 16).fingerprint() != pin.fingerprint()
    with pytest.raises(InvalidOption, match="a number from 8 to 32"):
        shortened(pin, 33)


def test_a_reranker_is_a_cross_encoder_for_a_factory_that_is_reranked() -> None:
    pins = {
        pin.id: pin
        for pin in (
            make_pin("cross-encoder", id="pairs", start_id=1, separator_id=2),
            make_pin("embedder", id="rows"),
        )
    }
    assert choose_reranker(["semantic"], None, pins.__getitem__) is None
    assert choose_reranker(["tiny", "three-source"], "pairs", pins.__getitem__) is pins["pairs"]
    with pytest.raises(InvalidOption, match="none without --factory semantic or three-source"):
        choose_reranker(["tiny"], "pairs", pins.__getitem__)
    with pytest.raises(InvalidOption, match="of the kind cross-encoder; this is one of embedder"):
        choose_reranker(["semantic"], "rows", pins.__getitem__)
