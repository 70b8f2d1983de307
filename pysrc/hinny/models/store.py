"""The model cache on disk: files named by their SHA-256, hashed before they are kept and before use.

    <folder>/sha256/<hash>          a whole, checked file; one serves every model that pins it
    <folder>/sha256/<hash>.part     a download under way, or what a broken one left to go on from
    <folder>/pins.json              the user's own pins (`hinny models pin`)

`HINNY_MODELS` names the folder, `HINNY_MODEL_BASE_URL` (or `HF_ENDPOINT`) a mirror of the hub;
`HINNY_OFFLINE` (or `HF_HUB_OFFLINE`) set to 1 means that the network is never asked.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from hinny.errors import IntegrityError, ModelError, OfflineError
from hinny.models.fetch import download
from hinny.models.pins import ModelPin, PinnedFile, Role, get_pin, load_pins

FileProgress = Callable[[ModelPin, PinnedFile, int], None]
"""Called with the bytes of a file that are at hand."""

_ANOTHERS = 60.0
"""A part file that changed within this many seconds is another process's."""


class ModelStore:
    """Reads models, fetching what is missing. Safe to share between processes."""

    def __init__(
        self,
        folder: Path | str | None = None,
        *,
        base_url: str | None = None,
        offline: bool | None = None,
        progress: FileProgress | None = None,
    ) -> None:
        self.folder = Path(folder) if folder is not None else default_folder()
        self.base_url = base_url or _setting("HINNY_MODEL_BASE_URL", "HF_ENDPOINT") or None
        self.offline = _flag("HINNY_OFFLINE", "HF_HUB_OFFLINE") if offline is None else offline
        self._progress = progress

    @property
    def pins(self) -> Mapping[str, ModelPin]:
        """The shipped pins and the user's own."""
        return load_pins(self.pins_path)

    @property
    def pins_path(self) -> Path:
        """The user's own pins."""
        return self.folder / "pins.json"

    def pin(self, id: str) -> ModelPin:
        """The pin of that id; `UnknownModel` where there is none."""
        return get_pin(id, self.pins)

    async def read(self, pin: ModelPin, role: Role) -> bytes | None:
        """See `ModelFiles`. The bytes were hashed on their way out of the store."""
        file = pin.file(role)
        if file is None:
            return None
        return await asyncio.to_thread(self.load, pin, file)

    def load(self, pin: ModelPin, file: PinnedFile) -> bytes:
        """The checked bytes, fetched if need be. A damaged file is deleted, and fetched anew if it can be."""
        path = self.path(file)
        if path.exists():
            data = path.read_bytes()
            try:
                check(data, file, str(path))
            except IntegrityError:
                path.unlink(missing_ok=True)
                if self.offline or pin.source == "site":
                    raise
            else:
                return data
        self.fetch_file(pin, file)
        return path.read_bytes()

    def path(self, file: PinnedFile) -> Path:
        """Where a file is, or would be, kept."""
        return self.folder / "sha256" / file.sha256

    def has(self, pin: ModelPin) -> bool:
        """Whether every file is there (by size; `verify` hashes)."""
        return all(
            self.path(file).exists() and self.path(file).stat().st_size == file.bytes for file in pin.files
        )

    def fetch(self, pin: ModelPin) -> None:
        """Bring every file of a model into the store."""
        for file in pin.files:
            if not self.path(file).exists():
                self.fetch_file(pin, file)

    def fetch_file(self, pin: ModelPin, file: PinnedFile) -> Path:
        """Download one file, check it, and only then give it its name.

        Raises `OfflineError` in offline mode, `ModelError` for a model that is built, not fetched,
        `FetchFailed` and `IntegrityError` as `download` and the hash have it.
        """
        path = self.path(file)
        if pin.source == "site":
            raise ModelError(
                f"{pin.id} is built, not downloaded: run `python -m hinny.models.make`"
                f" (its files go to {self.folder})"
            )
        url = pin.url(file, self.base_url)
        if self.offline:
            raise OfflineError(
                f"{pin.id} needs {url}, and offline mode is on: fetch it before, or turn that off"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        part = _part(path)
        report = self._progress
        try:
            download(
                url,
                part,
                file.bytes,
                progress=None if report is None else lambda have, _size: report(pin, file, have),
            )
        except BaseException:
            if part.exists():
                os.utime(part, (0, 0))  # nobody's any more: the next attempt may go on from it
            raise
        try:
            check(part.read_bytes(), file, url)
        except IntegrityError:
            part.unlink(missing_ok=True)
            raise
        part.replace(path)
        return path

    def put(self, file: PinnedFile, data: bytes) -> Path:
        """Keep bytes that came by another way (built here); hashed first."""
        check(data, file, "the build")
        path = self.path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{file.sha256}.{os.getpid()}.part")
        part.write_bytes(data)
        part.replace(path)
        return path

    def verify(self, pin: ModelPin) -> Iterator[tuple[PinnedFile, str]]:
        """Every file of a model with `ok`, `missing`, or what is wrong with it. Deletes nothing."""
        for file in pin.files:
            path = self.path(file)
            if not path.exists():
                yield file, "missing"
                continue
            try:
                check(path.read_bytes(), file, str(path))
            except IntegrityError as error:
                yield file, f"damaged: expected {error.expected}, found {error.found}"
            else:
                yield file, "ok"


def check(data: bytes, file: PinnedFile, source: str) -> None:
    """Raise `IntegrityError` unless `data` has the pinned size and SHA-256."""
    if len(data) != file.bytes:
        raise IntegrityError(file.path, source, f"{file.bytes} bytes", f"{len(data)} bytes")
    found = hashlib.sha256(data).hexdigest()
    if found != file.sha256:
        raise IntegrityError(file.path, source, f"SHA-256 {file.sha256}", found)


def default_folder() -> Path:
    """`HINNY_MODELS`, or `models` in the folder where Hinny keeps what it downloads."""
    named = _setting("HINNY_MODELS")
    if named:
        return Path(named).expanduser()
    from hinny.runtime.fetch import default_cache

    return default_cache() / "models"


def _part(path: Path) -> Path:
    part = path.with_name(f"{path.name}.part")
    try:
        busy = time.time() - part.stat().st_mtime < _ANOTHERS
    except FileNotFoundError:
        return part
    return path.with_name(f"{path.name}.{os.getpid()}.part") if busy else part


def _setting(*names: str) -> str:
    return next((os.environ[name] for name in names if os.environ.get(name)), "")


def _flag(*names: str) -> bool:
    return any(os.environ.get(name, "").lower() in ("1", "true", "yes", "on") for name in names)
