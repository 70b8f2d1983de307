"""What differs between CPython and the browser, as the rest of Hinny sees it.

A platform is two things: a `ModelRuntime` (protocols.py), and `ModelFiles`, which hands over a
model's checked bytes. It is chosen once, by the entry point, and passed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from hinny.protocols import ModelRuntime

if TYPE_CHECKING:
    from hinny.models.pins import ModelPin, Role

ModelData = Any
"""Bytes as the platform holds them: `bytes` on CPython, a JavaScript `Uint8Array` in the browser, so
that a graph of many megabytes never passes through Python's memory. Only the runtime of the same
platform reads it."""


@runtime_checkable
class ModelFiles(Protocol):
    """Where a model's files come from."""

    async def read(self, pin: ModelPin, role: Role) -> ModelData:
        """The checked content of the file in that role, None where the pin has no such file.

        Raises `IntegrityError` for wrong bytes, `FetchFailed` or `OfflineError` where there are none.
        """


@dataclass(frozen=True, slots=True)
class Platform:
    """The two together, under a name: `cpython` or `browser`."""

    name: str
    runtime: ModelRuntime
    files: ModelFiles
