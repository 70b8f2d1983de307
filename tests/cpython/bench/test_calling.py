"""A script of a benchmark: heard while it runs, and ended with all it started."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from calling import TooLong, called  # noqa: E402


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_what_it_prints_is_given_back_and_what_it_says_is_heard_and_kept(tmp_path: Path) -> None:
    heard: list[str] = []
    code = "import sys, time; print('said', file=sys.stderr, flush=True); time.sleep(1); print('{}')"
    log = tmp_path / "logs" / "a.log"
    found = called(python(code), tmp_path, 60, log=log, hear=heard.append, every_s=0.05)
    assert found.strip() == "{}"
    assert heard[-1] == "said"
    assert log.read_text().strip() == "said"


def test_one_that_fails_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no browser"):
        called(python("import sys; sys.exit('no browser')"), tmp_path, 60)
    with pytest.raises(RuntimeError, match="exit status 3"):
        called(python("import sys; sys.exit(3)"), tmp_path, 60)


def test_one_that_takes_too_long_ends_with_all_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('child', 'w').write(str(child.pid))\n"
        "print('waiting', file=sys.stderr, flush=True)\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(TooLong, match="not done within 5 s; last said: waiting"):
        called(python(code), tmp_path, 5)
    assert gone(int((tmp_path / "child").read_text()))


def test_what_outlives_a_script_that_ended_well_is_ended_too(tmp_path: Path) -> None:
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print(child.pid)\n"
    )
    assert gone(int(called(python(code), tmp_path, 60)))


def gone(pid: int) -> bool:
    """Whether a process has ended, at the latest within ten seconds; one that only waits to be read has."""
    for _ in range(100):
        status = Path(f"/proc/{pid}/stat")
        try:
            os.kill(pid, 0)
            if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.1)
    return False
