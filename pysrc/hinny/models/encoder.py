"""What the encoders share: a pin of their kind, a model that is loaded at the first call and let go of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from hinny.errors import ModelError
from hinny.models.batching import fit
from hinny.models.loaded import LoadedModel
from hinny.models.pins import Kind, ModelPin

if TYPE_CHECKING:
    from hinny.platform.base import Platform


class PinnedEncoder:
    """The model is loaded at the first call.

    `truncate`: whether a text over the model's length is cut; None takes the pin's default, False
    makes it an `InputTooLong`. Whitespace reaches the tokenizer as it is.
    """

    kind: ClassVar[Kind]
    called: ClassVar[str]
    """Its kind with an article, for an error."""

    def __init__(self, pin: ModelPin, platform: Platform, *, truncate: bool | None = None) -> None:
        if pin.kind != self.kind:
            raise ModelError(f"{pin.id} is a {pin.kind}, not {self.called}")
        self.pin = pin
        self._truncate = pin.truncate if truncate is None else truncate
        self._model = LoadedModel(pin, platform)

    @property
    def fingerprint(self) -> str:
        """Names the pin and every setting that changes a vector or a score."""
        return self.pin.fingerprint()

    @property
    def dimensions(self) -> int:
        """Width of a vector."""
        return self.pin.dimensions

    async def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of the texts as they are, special tokens included: to see what a model makes of them."""
        return await self._model.tokenize(texts)

    @property
    def loaded(self) -> bool:
        """Whether a text can be encoded without waiting for the model."""
        return self._model.loaded

    async def load(self) -> None:
        """Load the model now."""
        await self._model.load()

    async def dispose(self) -> None:
        """Free the model after the accepted work; harmless when called again."""
        await self._model.dispose()

    def _cuts(self, truncate: bool | None) -> bool:
        return self._truncate if truncate is None else truncate

    async def _fitted(self, texts: Sequence[str], limit: int, truncate: bool | None) -> list[list[int]]:
        """Token ids of the texts, none longer than `limit`; `truncate` as in the encoders' own calls."""
        cut = self._cuts(truncate)
        tokens = await self._model.tokenize(texts)
        return [fit(ids, limit, truncate=cut, what=f"text {number}") for number, ids in enumerate(tokens)]

    def _check_width(self, width: int) -> None:
        """What came out of the graph is as wide as the pin says."""
        if width != self.pin.dimensions:
            raise ModelError(f"{self.pin.id} gave {width} dimensions, its pin says {self.pin.dimensions}")
