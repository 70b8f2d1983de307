"""Other commits of this project, checked out and built beside it, to be measured as they were."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TREES = ROOT / "bench" / "work" / "trees"
MANUAL = ROOT / "web" / "demo-data" / "postgresql-doc-15.tar.xz"


@dataclass(frozen=True)
class Tree:
    """A checkout with its scripts built, and the manual as it builds it."""

    commit: str
    folder: Path

    @property
    def site(self) -> Path:
        """The manual's search, offline."""
        return self.folder / "demo"

    @property
    def environment(self) -> dict[str, str]:
        """Runs Python with this tree's package."""
        return {**os.environ, "PYTHONPATH": f"{self.folder / 'pysrc'}{os.pathsep}{self.folder}"}

    def run(self, *command: str, timeout: float = 400) -> str:
        """What a command in the tree prints. Raises `RuntimeError` with its last words."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command[:4])}: {done.stderr.strip()[-1500:]}")
        return done.stdout


def git(*arguments: str) -> str:
    """What git says about this checkout."""
    return subprocess.run(
        ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


def tree(revision: str) -> Tree:
    """The tree of a revision, built; kept for the next time."""
    commit = git("rev-parse", "--short=12", f"{revision}^{{commit}}")
    found = Tree(commit, TREES / commit)
    if not (found.site / "manifest.json").exists():
        shutil.rmtree(found.folder, ignore_errors=True)
        TREES.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(found.folder)], check=True)
        found.run("git", "checkout", "--quiet", commit)
        _packages(found.folder)
        _build(found)
    return found


def _packages(folder: Path) -> None:
    """The npm packages of this checkout, with the workspaces of that one."""
    modules = folder / "node_modules"
    modules.mkdir()
    for entry in sorted((ROOT / "node_modules").iterdir()):
        if entry.name == "@hinny":
            (modules / "@hinny").mkdir()
            for workspace in ("worker", "web"):
                (modules / "@hinny" / workspace).symlink_to(f"../../{workspace}")
        else:
            (modules / entry.name).symlink_to(entry)
    for workspace in ("worker", "web"):
        own = ROOT / workspace / "node_modules"
        if own.is_dir():
            (folder / workspace / "node_modules").symlink_to(own)


def _build(found: Tree) -> None:
    """Scripts, the boot's snapshot, the manual."""
    found.run("npm", "run", "build")
    assets = found.folder / "pysrc" / "hinny" / "assets"
    assets.mkdir(parents=True, exist_ok=True)
    for name in ("app", "demo"):
        shutil.copytree(found.folder / "web" / "dist" / name, assets / name, dirs_exist_ok=True)
    found.run(sys.executable, "-m", "hinny.runtime.boot_assets")
    with tarfile.open(MANUAL) as archive:
        archive.extractall(found.folder / "manual", filter="data")
    source = next(path.parent for path in sorted((found.folder / "manual").rglob("index.html")))
    command = (sys.executable, "-m", "hinny", "build", str(source), "--out", str(found.site))
    found.run(*command, "--language", "en", "--exclude", "bookindex.html", "--offline", "--force")
