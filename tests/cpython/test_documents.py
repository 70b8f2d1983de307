"""The documents: links that lead somewhere, commands and targets that exist, small pictures."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from hinny.cli.main import COMMANDS
from hinny.site.markdown import slug

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def _anchors(path: Path) -> set[str]:
    text = _FENCE.sub("", path.read_text("utf-8"))
    return {slug(re.sub(r"[`*]", "", line.lstrip("#"))) for line in text.splitlines() if line.startswith("#")}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    broken = []
    for target in _LINK.findall(_FENCE.sub("", path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        place = (path.parent / file) if file else path
        if not place.exists() or (anchor and place.suffix == ".md" and anchor not in _anchors(place)):
            broken.append(target)
    assert broken == []


def test_targets_named_in_documents_exist() -> None:
    listed = subprocess.run(
        ["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    targets = set(re.findall(r"^  make (\S+)", listed, re.MULTILINE))
    assert {
        "setup",
        "demo",
        "dev",
        "build",
        "test",
        "test-pyodide",
        "e2e",
        "lint",
        "format",
        "coverage",
    } <= targets
    assert {"bench", "models", "runtime", "verify", "clean"} <= targets
    for path in DOCUMENTS:
        named = set(re.findall(r"`(?:\w+=\S+ )?make ([a-z0-9-]+)", path.read_text("utf-8")))
        assert named <= targets, path.name


def test_commands_named_in_documents_exist() -> None:
    for path in DOCUMENTS:
        named = set(re.findall(r"(?:^|`|    )hinny ([a-z]+)(?= |`|$)", path.read_text("utf-8"), re.MULTILINE))
        assert named <= set(COMMANDS), path.name


def test_pictures_are_small() -> None:
    for path in (ROOT / "docs" / "images").iterdir():
        assert path.stat().st_size < 300_000, path.name
