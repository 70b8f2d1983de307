"""A wheel built from the tree, installed alone in an empty environment, builds and searches.

The declared dependencies are linked in from the environment of the tests, so nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

from site_pages import HTML

ROOT = Path(__file__).parents[2]


def _run(*command: str | Path, ok: bool = True) -> subprocess.CompletedProcess[str]:
    plain = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP", "VIRTUAL"))
    }
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, env=plain, check=False
    )
    assert not ok or done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT)
    (found,) = out.glob("hinny-*.whl")
    return found


class Environment:
    """A fresh environment that holds the wheel and nothing else."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, symlinks=True)
        self.bin = folder / "bin"
        _run(
            *(sys.executable, "-m", "pip", "--python", self.bin / "python", "install", "--quiet"),
            *("--no-deps", "--no-index", "--disable-pip-version-check", wheel),
        )
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        self.packages = Path(_run(self.bin / "python", "-c", code).stdout.strip())

    def link(self, name: str) -> None:
        """Put an installed package, and what it needs, into the environment."""
        found = distribution(name)
        home = Path(str(found.locate_file("")))
        for top in {file.parts[0] for file in found.files or () if file.parts[0] != ".."}:
            target = self.packages / top
            if top != "__pycache__" and not target.exists():
                target.symlink_to(home / top)
        for requirement in found.requires or ():
            if "extra ==" not in requirement and ";" not in requirement:
                self.link(re.split(r"[^A-Za-z0-9._-]", requirement)[0])

    def hinny(self, *arguments: str | Path, ok: bool = True) -> subprocess.CompletedProcess[str]:
        return _run(self.bin / "hinny", *arguments, ok=ok)


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("env") / "env", wheel)


def _requirements(wheel: Path) -> list[tuple[str, str]]:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode()
    found = re.findall(
        r"^Requires-Dist: ([A-Za-z0-9._-]+)[^;\n]*(?:; extra == '(\w+)')?$", text, re.MULTILINE
    )
    return [(name, extra) for name, extra in found]


def test_the_only_hard_dependency_is_numpy(wheel: Path) -> None:
    assert [name for name, extra in _requirements(wheel) if not extra] == ["numpy"]


def test_the_wheel_holds_the_package_and_no_foreign_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.partition("/")[0] for name in names} == {
        "hinny",
        f"{'-'.join(wheel.name.split('-')[:2])}.dist-info",
    }
    assert {"hinny/py.typed", "hinny/runtime/runtime.lock.json", "hinny/models/pins.json"} <= set(names)
    assert not [name for name in names if name.endswith((".pyc", ".onnx", ".safetensors", ".map"))]
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_without_numpy_the_package_imports_and_helps(environment: Environment) -> None:
    code = "import hinny, sys; print(hinny.__version__, 'numpy' in sys.modules)"
    assert _run(environment.bin / "python", "-c", code).stdout.split()[1] == "False"
    assert "hinny build" in environment.hinny("--help").stdout


def test_with_numpy_alone_it_builds_and_searches_records(environment: Environment, tmp_path: Path) -> None:
    environment.link("numpy")
    lines = [{"url": "a.html", "title": "Mules", "text": "Hay and water."}, {"_id": "b", "text": "Oats."}]
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, lines)))
    environment.hinny("build", tmp_path / "all.jsonl", "--out", tmp_path / "out")
    answer = json.loads(environment.hinny("search", tmp_path / "out", "hay", "--json").stdout)
    assert [result["url"] for result in answer["results"]] == ["a.html"]


def test_what_html_needs_is_said_with_the_command_that_brings_it(
    environment: Environment, tmp_path: Path
) -> None:
    environment.link("numpy")
    (tmp_path / "a.html").write_text("<title>T</title><p>x")
    done = environment.hinny("build", tmp_path, "--out", tmp_path / "out", ok=False)
    assert done.returncode == 1
    assert 'pip install "hinny[site]"' in done.stderr


def test_with_the_site_extra_it_builds_and_searches_pages(
    wheel: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    environment = Environment(tmp_path_factory.mktemp("site") / "env", wheel)
    for name, extra in _requirements(wheel):
        if extra in ("", "site"):
            environment.link(name)
    site = tmp_path / "site"
    site.mkdir()
    for name, (_, html) in HTML.items():
        (site / name).write_text(html, "utf-8")
    (site / "more.md").write_text(
        "---\ntitle: More\nlang: en\n---\n## Stables\n\nA stable is a home for a mule.\n"
    )
    shown = environment.hinny("build", site, "--out", site / "search").stdout
    assert shown.startswith("4 pages, 6 sections,")
    found = environment.hinny("search", site / "search", "stables", "trim", "--json").stdout
    urls = [result["url"] for result in json.loads(found)["results"]]
    assert sorted(urls) == ["care.html#hooves", "more/#stables"]
    assert environment.hinny("inspect", site / "search", "--verify").returncode == 0
