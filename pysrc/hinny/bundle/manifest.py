"""`manifest.json`: what a bundle holds, under which names, with each file's size and SHA-256.

docs/bundle-format.md describes every member.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from re import compile as regex
from typing import Any

from hinny.errors import BundleError, UnsupportedVersion

FORMAT = "hinny-bundle"
VERSION = 1
NAME = "manifest.json"

_FILE = regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_HASH = regex(r"[0-9a-f]{64}")
_ENDINGS = ((b"PK", ".npz"), (b"\x1f\x8b", ".jsonz"), (b"{", ".json"), (b"[", ".json"))


@dataclass(frozen=True, slots=True)
class Part:
    """Where a part lies and what it must be."""

    file: str
    """Path below the manifest's folder."""
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a bundle."""

    title: str
    counts: Mapping[str, int]
    """`pages`, `sections`, `terms`."""
    parts: Mapping[str, Part]
    root: str = "../"
    """URL of the site's root, relative to the bundle's folder; the sections' URLs are relative to it."""
    languages: Mapping[str, int] = field(default_factory=dict)
    """Sections by language."""
    analyzers: tuple[str, ...] = ()
    resident: tuple[str, ...] = ()
    """Parts that every search needs, to be fetched while the rest starts."""
    factory: str = "lexical-only"
    models: Mapping[str, Any] = field(default_factory=dict)
    hinny: str = ""

    @property
    def size(self) -> int:
        """Bytes of all parts."""
        return sum(part.bytes for part in self.parts.values())

    def to_bytes(self) -> bytes:
        """The file's content, the same for the same bundle."""
        found = {
            "format": FORMAT,
            "version": VERSION,
            "hinny": self.hinny,
            "title": self.title,
            "root": self.root,
            "counts": dict(self.counts),
            "languages": dict(sorted(self.languages.items())),
            "analyzers": list(self.analyzers),
            "resident": list(self.resident),
            "factory": self.factory,
            "models": dict(self.models),
            "parts": {
                name: {"file": part.file, "bytes": part.bytes, "sha256": part.sha256}
                for name, part in sorted(self.parts.items())
            },
        }
        return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()

    @classmethod
    def from_bytes(cls, data: bytes, where: str = NAME) -> Manifest:
        """Read and check. Raises `UnsupportedVersion`, or `BundleError` for anything else that is wrong."""
        try:
            found = json.loads(data)
        except ValueError as broken:
            raise BundleError(f"{where} is no JSON: {broken}") from broken
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise BundleError(f"{where} is not the manifest of a Hinny bundle")
        if found.get("version") != VERSION:
            raise UnsupportedVersion(where, found.get("version"), VERSION)
        try:
            return cls(
                title=str(found["title"]),
                counts={str(name): int(count) for name, count in found["counts"].items()},
                parts={str(name): _part(part) for name, part in found["parts"].items()},
                root=str(found["root"]),
                languages={str(tag): int(count) for tag, count in found["languages"].items()},
                analyzers=tuple(map(str, found["analyzers"])),
                resident=tuple(map(str, found["resident"])),
                factory=str(found["factory"]),
                models=dict(found["models"]),
                hinny=str(found["hinny"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as broken:
            raise BundleError(f"{where} is damaged: {type(broken).__name__}: {broken}") from broken


def _part(found: Mapping[str, Any]) -> Part:
    file, size, digest = found["file"], found["bytes"], found["sha256"]
    if not isinstance(file, str) or not _FILE.fullmatch(file):
        raise ValueError(f"{file!r} is no path inside the bundle")
    if not isinstance(size, int) or size < 0:
        raise ValueError(f"{size!r} is no size of {file}")
    if not isinstance(digest, str) or not _HASH.fullmatch(digest):
        raise ValueError(f"{digest!r} is no SHA-256 of {file}")
    return Part(file, size, digest)


def make_part(name: str, data: bytes) -> Part:
    """The entry of a part: its file's name says what it is and carries 16 digits of its hash."""
    digest = hashlib.sha256(data).hexdigest()
    ending = next((ending for start, ending in _ENDINGS if data.startswith(start)), ".bin")
    return Part(f"parts/{name.replace('/', '-')}.{digest[:16]}{ending}", len(data), digest)
