"""An index as JSON data, which names its analyzers by id."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from hinny.errors import BundleError, UnsupportedVersion

SNAPSHOT = "hinny-lexical-snapshot"
VERSION = 1


def to_snapshot(parts: Mapping[str, bytes], analyzers: Sequence[str]) -> dict[str, Any]:
    """Parts by name, and the ids of the analyzers that made them."""
    encoded = {name: b64encode(data).decode() for name, data in sorted(parts.items())}
    return {"format": SNAPSHOT, "version": VERSION, "analyzers": list(analyzers), "parts": encoded}


def parts_of_snapshot(data: Mapping[str, Any]) -> dict[str, bytes]:
    """The parts of a snapshot. Raises `UnsupportedVersion` or `BundleError`."""
    if data.get("format") != SNAPSHOT:
        raise BundleError("this is no snapshot of a lexical index")
    if data.get("version") != VERSION:
        raise UnsupportedVersion("the snapshot", data.get("version"), VERSION)
    try:
        return {name: b64decode(text, validate=True) for name, text in data["parts"].items()}
    except (KeyError, AttributeError, TypeError, ValueError) as problem:
        raise BundleError(f"the snapshot is damaged: {problem}") from problem
