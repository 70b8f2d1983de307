"""Fetching the locked files: every byte is checked before a file takes its name in the cache.

A file is written aside while its SHA-256 is computed, and renamed only when size and hash are the
promised ones; whatever goes wrong, nothing half-written stays. Each source is tried in turn.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from hinny.errors import IntegrityError, RuntimeFileError
from hinny.runtime.lock import RuntimeFile, RuntimeLock, Source, load_lock
from hinny.runtime.sources import CHUNK, Sources, SourceUnavailable

Progress = Callable[[RuntimeFile, int], None]
"""Told of the file and of how many more of its bytes are there."""

Problem = Callable[[str], None]
"""Told, in one line, of a source that failed while others are left."""


def default_cache() -> Path:
    """`HINNY_CACHE`, or the user's cache folder (`XDG_CACHE_HOME`, `LOCALAPPDATA`, `~/.cache`) + `hinny`."""
    named = os.environ.get("HINNY_CACHE")
    if named:
        return Path(named)
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            return Path(os.environ[variable]) / "hinny"
    return Path.home() / ".cache" / "hinny"


def cached_path(file: RuntimeFile, cache: Path | None = None) -> Path:
    """Where the cache keeps the file, there or not. The name carries the hash: versions never mix."""
    return (cache or default_cache()) / "runtime" / f"{file.sha256[:16]}-{file.name}"


def check(path: Path, file: RuntimeFile, source: str = "the cache") -> None:
    """Raise `IntegrityError` unless the file on disk has the promised size and SHA-256."""
    size = path.stat().st_size
    if size != file.bytes:
        raise IntegrityError(file.name, source, f"{file.bytes} bytes", f"{size} bytes")
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if found != file.sha256:
        raise IntegrityError(file.name, source, f"SHA-256 {file.sha256}", f"SHA-256 {found}")


def _is_cached(path: Path, file: RuntimeFile, problem: Problem) -> bool:
    if not path.exists():
        return False
    try:
        check(path, file)
    except IntegrityError as error:
        problem(str(error))
        path.unlink()
        return False
    return True


def _fetch_from(
    source: Source, file: RuntimeFile, target: Path, sources: Sources, progress: Progress | None
) -> None:
    digest = hashlib.sha256()
    size = 0
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
    side = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            for chunk in sources.open(source):
                size += len(chunk)
                if size > file.bytes:
                    break
                digest.update(chunk)
                stream.write(chunk)
                if progress:
                    progress(file, len(chunk))
        if size != file.bytes:
            found = f"over {file.bytes} bytes" if size > file.bytes else f"{size} bytes"
            raise IntegrityError(file.name, str(source), f"{file.bytes} bytes", found)
        if digest.hexdigest() != file.sha256:
            raise IntegrityError(
                file.name, str(source), f"SHA-256 {file.sha256}", f"SHA-256 {digest.hexdigest()}"
            )
        side.chmod(0o644)
        side.replace(target)
    except BaseException:
        if progress:
            progress(file, -min(size, file.bytes))
        with suppress(FileNotFoundError):
            side.unlink()
        raise


def fetch_file(
    file: RuntimeFile,
    cache: Path | None = None,
    *,
    sources: Sources,
    progress: Progress | None = None,
    problem: Problem = lambda message: None,
) -> Path:
    """The path of one checked file, fetched when the cache lacks it or holds a damaged copy.

    `RuntimeFileError` when no source has it; its message lists what each source did wrong.
    """
    target = cached_path(file, cache)
    if _is_cached(target, file, problem):
        if progress:
            progress(file, file.bytes)
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    problems: list[str] = []
    for source in file.sources:
        try:
            _fetch_from(source, file, target, sources, progress)
            return target
        except (IntegrityError, SourceUnavailable) as error:
            said = str(error) if isinstance(error, IntegrityError) else f"{file.name} from {source}: {error}"
            problems.append(said)
            problem(said)
    raise RuntimeFileError(file.name, problems)


def fetch(
    groups: Collection[str] | None = None,
    cache: Path | None = None,
    *,
    lock: RuntimeLock | None = None,
    timeout: float = 30.0,
    progress: Progress | None = None,
    problem: Problem = lambda message: None,
) -> dict[str, Path]:
    """Fetch and check all files of these groups (None: all but those on demand); their paths by name.

    `timeout` is the longest silence of a connection in seconds. Files that are cached and whole cost
    no request.
    """
    lock = lock or load_lock()
    with Sources(timeout=timeout) as sources:
        return {
            file.name: fetch_file(file, cache, sources=sources, progress=progress, problem=problem)
            for file in lock.of(groups)
        }


def runtime_file(prefix: str, cache: Path | None = None) -> Path:
    """The cached path of the one locked file whose name starts so, fetched when it is not there."""
    file = load_lock().find(prefix)
    with Sources() as sources:
        return fetch_file(file, cache, sources=sources)


__all__ = [
    "CHUNK",
    "Problem",
    "Progress",
    "cached_path",
    "check",
    "default_cache",
    "fetch",
    "fetch_file",
    "runtime_file",
]
