"""The lock: every runtime file that is not ours, with its size, SHA-256 and where it may come from.

A file belongs to one group, which says who needs it:

    core     Pyodide, its standard library and numpy: what a search needs
    plain    Pyodide's own loader and package list: for benchmarks against a plain start, not shipped
    onnx     onnxruntime-web and the tokeniser: what a neural search needs on top
    webgpu   onnxruntime-web's build that also runs on WebGPU, 27 MB: only ever fetched by name
    files    pure-Python wheels that read HTML and Markdown, for a reader's own files
    test     what the unit tests need inside Pyodide

A source is one of three, tried in the order of the lock file:

    {"npm": "pyodide@0.27.7", "member": "package/pyodide.asm.wasm"}    a member of an npm package
    {"url": "https://..."}                                             the file itself
    {"pypi": "name==1.0", "member": "path/in/wheel"}                   a wheel, or a member of it
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hinny.errors import InvalidOption, UnsupportedVersion

LOCK = Path(__file__).with_name("runtime.lock.json")
GROUPS = ("core", "plain", "onnx", "webgpu", "files", "test")
ON_DEMAND = ("webgpu",)
"""Groups that nobody gets without naming them."""


@dataclass(frozen=True, slots=True)
class Source:
    """One place that has a file: `kind` is npm, url or pypi; `member` a path inside the archive."""

    kind: str
    place: str
    member: str | None = None

    def __str__(self) -> str:
        inside = f", member {self.member}" if self.member else ""
        return f"{self.kind} {self.place}{inside}"


@dataclass(frozen=True, slots=True)
class RuntimeFile:
    """One locked file. `type` is its media type, `bytes` its size."""

    name: str
    group: str
    type: str
    bytes: int
    sha256: str
    sources: tuple[Source, ...]

    @property
    def url(self) -> str | None:
        """Where a page can load the file directly, when the lock names such a place."""
        return next((source.place for source in self.sources if source.kind == "url"), None)


@dataclass(frozen=True, slots=True)
class RuntimeLock:
    """All locked files and the versions they make up (`pyodide`, `python`, `numpy`, `onnxruntime`)."""

    versions: Mapping[str, str]
    files: tuple[RuntimeFile, ...]

    def of(self, groups: Collection[str] | None = None) -> tuple[RuntimeFile, ...]:
        """The files of these groups (when None, of all but those on demand), in the lock's order."""
        for group in groups or ():
            if group not in GROUPS:
                raise InvalidOption("group", group, "one of " + ", ".join(GROUPS))
        wanted = [group for group in GROUPS if group not in ON_DEMAND] if groups is None else groups
        return tuple(file for file in self.files if file.group in wanted)

    def named(self, name: str) -> RuntimeFile:
        """The file of this name; KeyError when the lock has none."""
        for file in self.files:
            if file.name == name:
                return file
        raise KeyError(name)

    def find(self, prefix: str) -> RuntimeFile:
        """The one file whose name starts so, such as `numpy-`."""
        for file in self.files:
            if file.name.startswith(prefix):
                return file
        raise KeyError(prefix)


def _source(raw: Mapping[str, str]) -> Source:
    for kind in ("npm", "url", "pypi"):
        if kind in raw:
            return Source(kind, raw[kind], raw.get("member"))
    raise ValueError(f"a source is npm, url or pypi, not {sorted(raw)}")


def parse_lock(data: str | bytes) -> RuntimeLock:
    """Read a lock from its JSON text; `UnsupportedVersion` for a format that this code does not know."""
    raw: dict[str, Any] = json.loads(data)
    if raw.get("format") != "hinny-runtime-lock" or raw.get("version") != 1:
        raise UnsupportedVersion("the runtime lock", f"{raw.get('format')} {raw.get('version')}", 1)
    files = tuple(
        RuntimeFile(
            name=entry["name"],
            group=entry["group"],
            type=entry["type"],
            bytes=entry["bytes"],
            sha256=entry["sha256"],
            sources=tuple(_source(source) for source in entry["sources"]),
        )
        for entry in raw["files"]
    )
    versions: dict[str, str] = {
        key: raw[key] for key in ("pyodide", "python", "numpy", "onnxruntime") if key in raw
    }
    return RuntimeLock(versions, files)


def load_lock(path: Path = LOCK) -> RuntimeLock:
    """The lock that ships with this version of Hinny."""
    return parse_lock(path.read_bytes())
