"""Trees of other commits: what runs in them has their package."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from checkouts import Tree, _packages, git  # noqa: E402


def test_a_command_in_a_tree_imports_that_trees_package(tmp_path: Path) -> None:
    package = tmp_path / "pysrc" / "hinny"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("__version__ = 'of the tree'")
    found = Tree("abc", tmp_path)
    shown = found.run(sys.executable, "-c", "import hinny; print(hinny.__version__)")
    assert shown.strip() == "of the tree"
    assert found.site == tmp_path / "demo"


def test_a_command_that_fails_says_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no such thing"):
        Tree("abc", tmp_path).run(sys.executable, "-c", "raise SystemExit('no such thing')")


def test_a_tree_has_its_own_workspaces_and_our_other_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = tmp_path / "ours"
    for name in ("node_modules/vite", "node_modules/@hinny/worker", "worker", "web"):
        (ours / name).mkdir(parents=True)
    theirs = tmp_path / "theirs"
    (theirs / "worker").mkdir(parents=True)
    (theirs / "web").mkdir()
    monkeypatch.setattr("checkouts.ROOT", ours)
    _packages(theirs)
    assert (theirs / "node_modules" / "vite").resolve() == ours / "node_modules" / "vite"
    assert (theirs / "node_modules" / "@hinny" / "worker").resolve() == theirs / "worker"


def test_git_knows_this_checkout() -> None:
    assert len(git("rev-parse", "HEAD")) == 40
