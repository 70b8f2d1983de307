"""What a manifest says of a bundle's factories."""

from __future__ import annotations

import pytest

from hinny.errors import InvalidOption
from hinny.site.factories import check_factory, factory_info, missing, sources_of
from hinny.site.neural import manifest_entry
from site_models import word_pins

PINS = word_pins("vector", "tokens", "rerank")
MODELS = {pin.id: manifest_entry(pin, source, "models") for source, pin in PINS.items()}


def entry(source: str) -> dict[str, object]:
    id = PINS[source].id
    return {id: MODELS[id]}


def test_each_factory_names_all_that_it_loads() -> None:
    infos = {name: factory_info(name, MODELS, None) for name in ("lexical-only", "tiny", "three-source")}
    assert infos["lexical-only"] == {"id": "lexical-only", "available": True, "models": []}
    assert infos["tiny"] == {
        "id": "tiny",
        "available": True,
        "models": [
            {"id": "words-tokens", "kind": "colbert", "bytes": 2, "source": "this site", "cached": False}
        ],
    }
    kinds = [model["kind"] for model in infos["three-source"]["models"]]
    assert kinds == ["embedder", "colbert", "cross-encoder"]
    assert infos["three-source"]["reranker"] == "words-rerank"


def test_what_cannot_be_served_has_a_reason_and_no_models() -> None:
    assert factory_info("semantic", MODELS, "no vectors") == {
        "id": "semantic",
        "available": False,
        "reason": "no vectors",
        "models": [],
    }


def test_what_a_bundle_lacks_for_a_factory_is_said() -> None:
    assert missing("lexical-only", [], {}) is None
    assert missing("semantic", ["vectors/codes"], entry("vector")) is None
    assert missing("tiny", ["vectors/codes"], entry("vector")) == (
        "this bundle was built without tokens (hinny build --factory tiny)"
    )
    assert missing("tiny", ["tokens/index"], entry("vector")) == (
        "this bundle names no colbert model for its tokens"
    )
    assert missing("three-source", ["vectors/codes"], MODELS) == (
        "this bundle was built without tokens (hinny build --factory three-source)"
    )
    # without its reranker a factory is served all the same
    assert (
        missing("three-source", ["vectors/codes", "tokens/index"], entry("vector") | entry("tokens")) is None
    )


def test_sources_are_named_once() -> None:
    assert sources_of(["lexical-only", "tiny", "three-source"]) == ("tokens", "vector")


def test_an_unknown_factory_is_refused() -> None:
    assert check_factory("three-source") == "three-source"
    with pytest.raises(InvalidOption, match="expected one of lexical-only, tiny, semantic, three-source"):
        check_factory("best")
