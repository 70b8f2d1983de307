"""The last query's encoding, kept so that a rescore inside the same search asks the model only once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from hinny.errors import InvalidOption
from hinny.protocols import resolve

Encode = Callable[[str], "Any | Awaitable[Any]"]


class LastQuery:
    """Calls the encoder for a text unless it was the last text asked."""

    def __init__(self, encode: Encode | None, option: str) -> None:
        if encode is not None and not callable(encode):
            raise InvalidOption(option, encode, "a function from a text to its encoding, or None")
        self._encode = encode
        self._option = option
        self._last: tuple[str, Any] | None = None

    async def get(self, text: str, check: Callable[[Any], Any]) -> Any:
        """`check` of the encoding; a text whose encoding fails the check is not kept."""
        last = self._last
        if last is not None and last[0] == text:
            return last[1]
        if self._encode is None:
            raise InvalidOption(self._option, None, "an encoder: the query has a text and no vector")
        encoded = check(await resolve(self._encode(text)))
        self._last = (text, encoded)
        return encoded
