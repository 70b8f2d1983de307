"""A benchmark's script in a process group of its own: heard while it runs, ended with all it started."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO

Hear = Callable[[str], object]


class TooLong(RuntimeError):
    """A script had not ended within its time."""


def called(
    command: Sequence[str],
    folder: Path,
    limit_s: float,
    *,
    log: Path | None = None,
    hear: Hear | None = None,
    every_s: float = 1.0,
) -> str:
    """What a command prints, run in `folder`; `hear` gets its last line of stderr about every `every_s`.

    All of stderr goes to `log`. Whatever the command started (a browser, a server) ends with it: one that
    lives on would slow what is measured next, or hold the pipes open. Raises `TooLong`, or `RuntimeError`
    with the last words on stderr when the exit status is not 0.
    """
    begun = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    printed: list[str] = []
    said: list[str] = []
    assert begun.stdout and begun.stderr
    readers = [
        threading.Thread(target=_read, args=(stream, lines), daemon=True)
        for stream, lines in ((begun.stdout, printed), (begun.stderr, said))
    ]
    for reader in readers:
        reader.start()
    until = monotonic() + limit_s
    try:
        while begun.poll() is None:
            if monotonic() > until:
                last = f"; last said: {said[-1].strip()}" if said else ""
                raise TooLong(f"not done within {limit_s:.0f} s{last}")
            try:
                begun.wait(min(every_s, max(0.01, until - monotonic())))
            except subprocess.TimeoutExpired:
                if hear is not None:
                    hear(said[-1].strip() if said else "")
    finally:
        _end(begun)
        for reader in readers:
            reader.join(5)
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text("".join(said), encoding="utf-8")
    if begun.returncode:
        raise RuntimeError("".join(said).strip()[-2000:] or f"exit status {begun.returncode}")
    return "".join(printed)


def _read(stream: IO[str], lines: list[str]) -> None:
    with stream:
        lines.extend(stream)


def _end(begun: subprocess.Popen[str]) -> None:
    """Ends the whole group: the script, and what it left behind."""
    with suppress(ProcessLookupError, PermissionError):  # nobody is left
        os.killpg(begun.pid, signal.SIGKILL)
    begun.wait()
