"""What a benchmark ran on: processor, memory, system and versions; nothing that names the machine."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("numpy", "bm25s", "rank-bm25", "tantivy", "PyStemmer", "onnxruntime", "playwright")


def machine() -> dict[str, str]:
    """Label to value."""
    found = {
        "processor": _processor(),
        "processors": str(os.cpu_count()),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "Chromium": _chromium(),
        "Node": _first_line("node", "--version").lstrip("v"),
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        named = re.search(r"^model name\s*:\s*(.+)$", info.read_text(), re.MULTILINE)
        if named:
            return named.group(1)
    return platform.processor() or platform.machine()


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "unknown"
    return f"{size / 2**30:.0f} GiB"


def _chromium() -> str:
    named = os.environ.get("HINNY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not named:
        return "Playwright's own"
    found = re.search(r"\d+(\.\d+)+", _first_line(named, "--version"))
    return found.group() if found else "unknown"


def _first_line(*command: str) -> str:
    try:
        shown = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return shown.strip().partition("\n")[0] or "unknown"


def commit() -> str:
    """The checkout's commit, with a + where files differ from it; empty outside a checkout."""
    root = Path(__file__).resolve().parents[1]
    found = _first_line("git", "-C", str(root), "rev-parse", "--short", "HEAD")
    if not re.fullmatch("[0-9a-f]+", found):
        return ""
    changed = _first_line("git", "-C", str(root), "status", "--porcelain", "--", "pysrc", "worker", "web")
    return found if changed == "unknown" else f"{found}+"
