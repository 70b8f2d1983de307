"""Opening a source: the bytes of a file in chunks, out of an npm package, off a URL, or out of a wheel.

Packages are asked for through the ordinary clients (`npm pack`, `pip download`), which know the
registries and mirrors that this machine is set up for. An archive is fetched once for all its members.
"""

from __future__ import annotations

import http.client
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from hinny.runtime.lock import Source

CHUNK = 1 << 16


class SourceUnavailable(Exception):
    """A source has no such file, or cannot be reached; the message says which of the two."""


class Sources:
    """Opens sources, and keeps the archives it fetched until it is closed.

    `timeout` is the longest silence, in seconds, that a connection may keep; a package client as a
    whole may take 20 times that.
    """

    def __init__(self, *, timeout: float = 30.0) -> None:
        self.timeout = timeout
        self._folder = tempfile.TemporaryDirectory(prefix="hinny-runtime-")
        self._archives: dict[tuple[str, str], Path | SourceUnavailable] = {}

    def __enter__(self) -> Sources:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def open(self, source: Source) -> Iterator[bytes]:
        """The file's bytes in chunks; `SourceUnavailable` when there are none, or when they break off."""
        if source.kind == "url":
            return self._from_url(source.place)
        archive = self._archive(source)
        if source.kind == "npm":
            return _from_tar(archive, source)
        return _from_wheel(archive, source)

    def _from_url(self, url: str) -> Iterator[bytes]:
        try:
            with urllib.request.urlopen(url, timeout=self.timeout) as answer:
                while chunk := answer.read(CHUNK):
                    yield chunk
        except urllib.error.HTTPError as error:
            error.close()
            raise SourceUnavailable(f"the host answered {error.code} {error.reason}") from error
        except TimeoutError as error:
            raise SourceUnavailable(f"nothing came for {self.timeout:g} seconds") from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise SourceUnavailable(f"{type(error).__name__}: {reason}") from error

    def _archive(self, source: Source) -> Path:
        key = (source.kind, source.place)
        if key not in self._archives:
            try:
                self._archives[key] = self._download(source)
            except SourceUnavailable as error:
                self._archives[key] = error
        found = self._archives[key]
        if isinstance(found, SourceUnavailable):
            raise found
        return found

    def _download(self, source: Source) -> Path:
        folder = Path(tempfile.mkdtemp(dir=self._folder.name))
        if source.kind == "npm":
            command = ["npm", "pack", "--silent", "--pack-destination", str(folder), source.place]
        else:
            command = [
                *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
                *("--no-deps", "--only-binary=:all:", "--dest", str(folder)),
                # The wheels of the lock are pure Python: any machine can fetch them.
                *("--platform", "any", "--implementation", "py", "--abi", "none", "--python-version", "3.12"),
                source.place,
            ]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=20 * self.timeout, check=False
            )
        except FileNotFoundError as error:
            raise SourceUnavailable(f"{command[0]} is not installed") from error
        except subprocess.TimeoutExpired as error:
            raise SourceUnavailable(f"{command[0]} took over {20 * self.timeout:g} seconds") from error
        archives = sorted(folder.iterdir())
        if done.returncode or len(archives) != 1:
            said = (done.stderr.strip() or done.stdout.strip() or "no archive came").splitlines()[-1]
            raise SourceUnavailable(f"{source.kind} failed: {said}")
        return archives[0]


def _from_tar(archive: Path, source: Source) -> Iterator[bytes]:
    try:
        with tarfile.open(archive) as tar:
            member = tar.extractfile(source.member or "")
            if member is None:
                raise KeyError(source.member)
            while chunk := member.read(CHUNK):
                yield chunk
    except KeyError as error:
        raise SourceUnavailable(f"the package has no member {source.member}") from error
    except (tarfile.TarError, EOFError, OSError) as error:
        raise SourceUnavailable(f"the package cannot be read: {error}") from error


def _from_wheel(archive: Path, source: Source) -> Iterator[bytes]:
    if source.member is None:
        with archive.open("rb") as whole:
            while chunk := whole.read(CHUNK):
                yield chunk
        return
    try:
        with zipfile.ZipFile(archive) as wheel, wheel.open(source.member) as member:
            while chunk := member.read(CHUNK):
                yield chunk
    except KeyError as error:
        raise SourceUnavailable(f"the wheel has no member {source.member}") from error
    except (zipfile.BadZipFile, OSError) as error:
        raise SourceUnavailable(f"the wheel cannot be read: {error}") from error
