"""The browser's side of a bundle: what is copied, and what is said when it is not there."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from hinny.site.app import NoApp, add_app, add_demo, write_release


def test_without_built_scripts_there_is_a_reason(tmp_path: Path) -> None:
    with pytest.raises(NoApp, match="make build"):
        add_app(tmp_path / "out", offline=False, assets=tmp_path)
    with pytest.raises(NoApp, match="make build"):
        add_demo(tmp_path / "out", tmp_path, assets=tmp_path)
    assert not (tmp_path / "out").exists()


def test_the_demo_is_the_page_and_a_copy_of_the_site(tmp_path: Path) -> None:
    for path, text in {
        "assets/demo/index.html": "page",
        "assets/demo/demo.js": "script",
        "source/a/b.html": "b",
        "source/.git/config": "secret",
        "source/.hidden.html": "secret",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    out = tmp_path / "out"
    add_demo(out, tmp_path / "source", assets=tmp_path / "assets")
    files = {path.relative_to(out).as_posix(): path.read_text() for path in out.rglob("*") if path.is_file()}
    assert files == {"index.html": "page", "demo.js": "script", "site/a/b.html": "b"}


def test_a_release_lists_every_file_but_itself(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.txt").write_bytes(b"x")
    (tmp_path / "b.txt").write_bytes(b"")
    first = write_release(tmp_path)
    release = json.loads((tmp_path / "release.json").read_text())
    assert release["id"] == first
    assert release["files"] == [
        {"path": "a/x.txt", "bytes": 1, "sha256": hashlib.sha256(b"x").hexdigest()},
        {"path": "b.txt", "bytes": 0, "sha256": hashlib.sha256(b"").hexdigest()},
    ]
    assert write_release(tmp_path) == first
    (tmp_path / "b.txt").write_bytes(b"changed")
    assert write_release(tmp_path) != first
