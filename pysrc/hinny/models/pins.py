"""Pins: what a model is, down to each file's size and SHA-256.

`pins.json` beside this file is the one list of the models that Hinny knows. A pin is `confirmed` once
its files were fetched and their hashes seen to agree; the others were read from public manifests.
A source of `hub` means a Hugging Face repository at a full revision, `site` a model that
`python -m hinny.models.make` builds and that a site serves itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from hinny.errors import FingerprintMismatch, InvalidInput, UnknownModel, UnsupportedVersion

Kind = Literal["embedder", "colbert", "cross-encoder"]
Source = Literal["hub", "site"]
Role = Literal["graph", "tokenizer", "tokenizer_config"]
Pooling = Literal["mean", "cls"]
Activation = Literal["none", "sigmoid"]

KINDS: tuple[Kind, ...] = ("embedder", "colbert", "cross-encoder")
VERSION = 1
HUB = "https://huggingface.co"

_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class PinnedFile:
    """One file of a model."""

    role: Role
    path: str
    """Inside the repository, or inside the model's folder."""
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelPin:
    """A model's files and how it wants to be used. Lengths are in tokens, special ones included."""

    id: str
    kind: Kind
    source: Source
    licence: str
    files: tuple[PinnedFile, ...]
    inputs: tuple[str, ...]
    output: str
    repository: str = ""
    revision: str = ""
    confirmed: bool = False
    languages: tuple[str, ...] = ()
    dimensions: int = 0
    query_length: int = 512
    document_length: int = 512
    truncate: bool = True
    """Whether a longer text is cut when the caller does not say; otherwise it is an error."""
    pad_id: int = 0
    lowercase: bool = False
    # embedder
    pooling: Pooling = "mean"
    normalize: bool = True
    query_prefix: str = ""
    document_prefix: str = ""
    # colbert
    query_marker: int | None = None
    """Token id put right after the first token."""
    document_marker: int | None = None
    query_expansion: bool = False
    """Fill a query up to `query_length` with `mask_id`; the model has learnt to use these tokens."""
    attend_to_expansion: bool = False
    mask_id: int | None = None
    skiplist: tuple[str, ...] = ()
    """Characters whose own tokens are left out of a document's matrix."""
    # cross-encoder
    start_id: int | None = None
    separator_id: int | None = None
    activation: Activation = "sigmoid"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ModelPin:
        """A pin from its JSON form, checked. Unknown keys (a bundle's own) are left aside."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            if field.name in data:
                value = data[field.name]
                values[field.name] = tuple(value) if isinstance(value, list) else value
        try:
            values["files"] = tuple(
                PinnedFile(item["role"], str(item["path"]), int(item["bytes"]), str(item["sha256"]))
                for item in data["files"]
            )
            pin = cls(**values)
        except (KeyError, TypeError) as error:
            raise InvalidInput(f"not a model pin: {data.get('id', '?')!r}: {error}") from None
        _check(pin)
        return pin

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, without what is at its default."""
        out: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "files":
                value = [
                    {"role": f.role, "path": f.path, "bytes": f.bytes, "sha256": f.sha256} for f in self.files
                ]
            elif value == field.default:
                continue
            elif isinstance(value, tuple):
                value = list(value)
            out[field.name] = value
        return out

    def file(self, role: Role) -> PinnedFile | None:
        """The file in a role, or None where the model has none."""
        return next((item for item in self.files if item.role == role), None)

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(item.bytes for item in self.files)

    def url(self, file: PinnedFile, base: str | None = None) -> str:
        """Where a file is fetched: a hub address, or `<base>/<id>/<path>` for a site's own model."""
        if self.source == "hub":
            return f"{(base or HUB).rstrip('/')}/{self.repository}/resolve/{self.revision}/{file.path}"
        return f"{(base or '').rstrip('/')}/{self.id}/{file.path}"

    def fingerprint(self) -> str:
        """Names the bytes and every setting that changes a vector; stored with each index.

        It names the graph, not the machine: int8 kernels round differently here and there.
        """
        settings = self.to_dict()
        for name in (
            "licence",
            "source",
            "repository",
            "revision",
            "confirmed",
            "languages",
            "truncate",
            "id",
        ):
            settings.pop(name, None)
        settings["files"] = [[item.role, item.sha256] for item in self.files]
        text = json.dumps(settings, sort_keys=True, separators=(",", ":"))
        return f"{self.id}@{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def check_fingerprint(index: str, expected: str, found: str) -> None:
    """Raise `FingerprintMismatch` when an index was made with another model than the one at hand."""
    if expected != found:
        raise FingerprintMismatch(
            f"{index} was made with the model {expected}, this is {found}: rebuild it or use that model"
        )


def load_pins(*extra: Path) -> dict[str, ModelPin]:
    """The shipped pins by id, then those of `extra` files that exist; a later id replaces an earlier one."""
    pins = dict(_shipped())
    for path in extra:
        if path.is_file():
            pins.update(_parse(path.read_bytes(), str(path)))
    return pins


def get_pin(id: str, pins: Mapping[str, ModelPin] | None = None) -> ModelPin:
    """The pin of that id; `UnknownModel` names the ids there are."""
    known = _shipped() if pins is None else pins
    try:
        return known[id]
    except KeyError:
        raise UnknownModel(f"no model {id!r}: there are {', '.join(sorted(known))}") from None


def save_pins(path: Path, pins: Iterable[ModelPin]) -> None:
    """Write a pin file, sorted by id."""
    models = [pin.to_dict() for pin in sorted(pins, key=lambda pin: pin.id)]
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"version": VERSION, "models": models}, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


_cache: dict[str, ModelPin] = {}


def _shipped() -> dict[str, ModelPin]:
    if not _cache:
        path = Path(__file__).with_name("pins.json")
        _cache.update(_parse(path.read_bytes(), path.name))
    return _cache


def _parse(data: bytes, name: str) -> dict[str, ModelPin]:
    try:
        content = json.loads(data)
        version, models = content["version"], content["models"]
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f"{name} is no list of pins: {error}") from None
    if version != VERSION:
        raise UnsupportedVersion(name, version, VERSION)
    pins = [ModelPin.from_dict(item) for item in models]
    return {pin.id: pin for pin in pins}


def _check(pin: ModelPin) -> None:
    problem = _problem(pin)
    if problem:
        raise InvalidInput(f"model pin {pin.id!r}: {problem}")


def _problem(pin: ModelPin) -> str:
    if not pin.id or any(c in "/\\@ " for c in pin.id):
        return "an id is a name without spaces, slashes and @"
    if pin.kind not in KINDS:
        return f"kind {pin.kind!r} is none of {', '.join(KINDS)}"
    if pin.source == "hub" and (len(pin.revision) != 40 or not _HEX.issuperset(pin.revision)):
        return "a revision is 40 hexadecimal digits, never a branch"
    for file in pin.files:
        if len(file.sha256) != 64 or not _HEX.issuperset(file.sha256) or file.bytes <= 0:
            return f"{file.path} needs a size and a SHA-256"
        if file.path.startswith("/") or ".." in file.path.split("/"):
            return f"{file.path!r} leaves the repository"
    if pin.file("graph") is None or pin.file("tokenizer") is None:
        return "a graph and a tokenizer are needed"
    if pin.kind == "cross-encoder" and (pin.start_id is None or pin.separator_id is None):
        return "a cross-encoder needs start_id and separator_id"
    if pin.query_expansion and pin.mask_id is None:
        return "query expansion needs mask_id"
    return ""
