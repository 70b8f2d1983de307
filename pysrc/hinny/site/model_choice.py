"""Which factories a build serves, and with which models: the options of `hinny build`, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hinny.errors import InvalidOption
from hinny.site.factories import (
    KIND_OF,
    LEXICAL_ONLY,
    RERANK,
    RERANKED,
    SOURCES_OF,
    TOKENS,
    VECTOR,
    sources_of,
)

if TYPE_CHECKING:
    from hinny.models.pins import ModelPin

DEFAULT_MODEL: Final[Mapping[str, str]] = {TOKENS: "minilm-l6-late64", VECTOR: "minilm-l6-int8"}


def read_factories(text: str) -> tuple[str, ...]:
    """The neural factories that `--factory` asks for: `semantic,tiny`, `all`, none for `lexical-only`.

    Raises `InvalidOption` for a name that is none.
    """
    names = [name.strip() for name in text.split(",")]
    if names == ["all"]:
        return tuple(SOURCES_OF)
    for name in names:
        if name not in SOURCES_OF and name != LEXICAL_ONLY:
            raise InvalidOption("--factory", name, f"{LEXICAL_ONLY}, {', '.join(SOURCES_OF)}, or all")
    return tuple(name for name in SOURCES_OF if name in names)


def choose_pins(
    factories: Iterable[str], named: Sequence[str], find: Callable[[str], ModelPin]
) -> dict[str, ModelPin]:
    """The model of each source that the factories need: one that is named, else our own.

    Raises `InvalidOption` for a model that no factory here uses, or for two of a kind.
    """
    sources = sources_of(factories)
    pins: dict[str, ModelPin] = {}
    for id in named:
        pin = find(id)
        source = next((name for name in sources if KIND_OF[name] == pin.kind), None)
        if source is None:
            kinds = " or ".join(KIND_OF[name] for name in sources)
            raise InvalidOption("--model", id, f"a model of the kind {kinds}; this is one of {pin.kind}")
        if source in pins:
            raise InvalidOption("--model", id, f"one {pin.kind}, and {pins[source].id} is named too")
        pins[source] = pin
    return {source: pins.get(source) or find(DEFAULT_MODEL[source]) for source in sources}


def choose_reranker(
    factories: Iterable[str], id: str | None, find: Callable[[str], ModelPin]
) -> ModelPin | None:
    """The cross-encoder of that id; `InvalidOption` where nothing here is reranked, or for another kind."""
    if id is None:
        return None
    if not set(RERANKED).intersection(factories):
        raise InvalidOption("--rerank", id, f"none without --factory {' or '.join(RERANKED)}")
    pin = find(id)
    if pin.kind != KIND_OF[RERANK]:
        raise InvalidOption(
            "--rerank", id, f"a model of the kind {KIND_OF[RERANK]}; this is one of {pin.kind}"
        )
    return pin


def shortened(pin: ModelPin, tokens: int | None) -> ModelPin:
    """The pin with sections cut at `tokens`; `InvalidOption` for more than the model takes."""
    if tokens is None:
        return pin
    if not 8 <= tokens <= pin.document_length:
        raise InvalidOption("--tokens", tokens, f"a number from 8 to {pin.document_length} with {pin.id}")
    return replace(pin, document_length=tokens)
