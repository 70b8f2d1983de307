"""Where a bundle's files are read from."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Protocol

from hinny.errors import BundleError, BundleMissing


class Storage(Protocol):
    """A folder of files, however far away."""

    @property
    def place(self) -> str:
        """What it is called in messages: a path or a URL."""

    def read(self, file: str) -> bytes | Awaitable[bytes]:
        """The file's bytes, unchecked. Raises `BundleMissing` when there is none."""


class FolderStorage:
    """A folder on disk."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    @property
    def place(self) -> str:
        """The folder's path."""
        return str(self.folder)

    def read(self, file: str) -> bytes:
        """The file's bytes."""
        path = self.folder / file
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError) as missing:
            raise BundleMissing(
                f"{path} does not exist: is {self.folder} what `hinny build` wrote?"
            ) from missing
        except OSError as broken:
            raise BundleError(f"{path} cannot be read: {broken.strerror or broken}") from broken


class MappingStorage:
    """Files in memory."""

    def __init__(self, files: Mapping[str, bytes], place: str = "memory") -> None:
        self.files = files
        self._place = place

    @property
    def place(self) -> str:
        """The name it was given."""
        return self._place

    def read(self, file: str) -> bytes:
        """The file's bytes."""
        try:
            return self.files[file]
        except KeyError:
            raise BundleMissing(f"{self._place} holds no {file}") from None
