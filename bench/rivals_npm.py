"""The rivals from npm: installed from their lock file and bundled, once."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

RIVALS = Path(__file__).resolve().parent / "rivals"
DIST = RIVALS / "dist"


def prepared() -> dict[str, dict[str, Any]]:
    """Name to package, version, set-up and modes. Raises `RuntimeError` when npm or Node fail."""
    installed = RIVALS / "node_modules" / ".package-lock.json"
    if not _newer(installed, [RIVALS / "package-lock.json"]):
        _run("npm", "ci", "--ignore-scripts", "--loglevel=error")
        installed.touch()
    made = DIST / "engines.json"
    ours = (RIVALS.parents[1] / "worker" / "src" / "scan").glob("*.ts")
    if not _newer(made, [installed, RIVALS / "build.mjs", *(RIVALS / "engines").glob("*.js"), *ours]):
        _run("node", "build.mjs")
    found: dict[str, dict[str, Any]] = json.loads(made.read_text())
    return found


def _newer(made: Path, sources: list[Path]) -> bool:
    return made.exists() and all(made.stat().st_mtime >= source.stat().st_mtime for source in sources)


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=RIVALS, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()[-1000:]}")
