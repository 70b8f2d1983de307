"""The encoder that a pin calls for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hinny.errors import UnknownModel
from hinny.models.pins import ModelPin

if TYPE_CHECKING:
    from hinny.models.colbert import ColbertEncoder
    from hinny.models.cross_encoder import CrossEncoder
    from hinny.models.embedder import TextEmbedder
    from hinny.platform.base import Platform


def make_encoder(
    pin: ModelPin, platform: Platform, *, truncate: bool | None = None
) -> TextEmbedder | ColbertEncoder | CrossEncoder:
    """A new encoder of the pin's kind; nothing is loaded yet."""
    if pin.kind == "embedder":
        from hinny.models.embedder import TextEmbedder

        return TextEmbedder(pin, platform, truncate=truncate)
    if pin.kind == "colbert":
        from hinny.models.colbert import ColbertEncoder

        return ColbertEncoder(pin, platform, truncate=truncate)
    from hinny.models.cross_encoder import CrossEncoder

    return CrossEncoder(pin, platform, truncate=truncate)


def manifest_pin(models: Mapping[str, Any], id: str) -> ModelPin:
    """The pin in the `models` of a manifest; `UnknownModel` where it names no such model."""
    if id not in models:
        raise UnknownModel(
            f"this bundle names no model {id!r}; it names {', '.join(sorted(models)) or 'none'}"
        )
    return ModelPin.from_dict(models[id])
