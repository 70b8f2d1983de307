"""The public names, what importing costs, and which package may know which."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import hinny
from support import IN_PYODIDE

PACKAGE = Path(hinny.__file__).parent

# Layer -> the packages of ours that it may import.
BASE = {"errors"}
SHARED = {"errors", "records", "protocols", "npz"}
LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "npz": {"errors"},
    "records": {"errors"},
    "protocols": {"errors", "records"},
    "text": BASE,
    "quant": BASE,
    "kernels": BASE | {"protocols"},
    "lexical": SHARED | {"text", "quant", "kernels"},
    "dense": SHARED | {"text", "quant", "kernels"},
    "late": SHARED | {"text", "quant", "kernels", "dense"},  # both keep vectors by row
    "ranking": {"errors", "records", "protocols"},
    "engine": {"errors", "records", "protocols", "ranking"},
    "bundle": SHARED,
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        inside = path.relative_to(PACKAGE).as_posix()
        if not inside.startswith("assets/"):
            yield inside, ast.parse(path.read_text("utf-8"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_public_names_are_sorted_and_exist() -> None:
    assert hinny.__all__ == sorted(hinny.__all__)
    assert len(set(hinny.__all__)) == len(hinny.__all__)
    for name in hinny.__all__:
        assert getattr(hinny, name) is not None
    assert dir(hinny) == hinny.__all__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hinny.nothing  # noqa: B018


def test_every_public_name_is_at_home_where_it_says() -> None:
    for name, home in hinny._HOME.items():
        value = getattr(hinny, name)
        assert getattr(import_module(home), name) is value
        assert value.__doc__


def test_only_two_files_know_javascript() -> None:
    allowed = {"platform/browser.py", "browser_entry.py"}
    found = {
        path
        for path, tree in modules()
        for name in imported(tree)
        if name.partition(".")[0] in ("js", "pyodide", "pyodide_js")
    }
    assert found <= allowed


def test_layers_import_only_what_is_below_them() -> None:
    wrong = []
    for path, tree in modules():
        layer = path.partition("/")[0].removesuffix(".py")
        if layer not in LAYERS:
            continue
        for name in imported(tree):
            parts = name.split(".")
            if parts[0] == "hinny" and len(parts) > 1 and parts[1] != layer:
                target = parts[1]
                if target in _OURS and target not in LAYERS[layer]:
                    wrong.append(f"{path} imports hinny.{target}")
    assert sorted(set(wrong)) == []


_OURS = {path.name.removesuffix(".py") for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}


def test_there_are_no_circles_between_packages() -> None:
    known: dict[str, set[str]] = {}
    for path, tree in modules():
        layer = path.partition("/")[0].removesuffix(".py")
        if layer in ("__init__", "__main__"):
            continue
        for name in _at_import(tree):
            parts = name.split(".")
            if parts[0] == "hinny" and len(parts) > 1 and parts[1] in _OURS and parts[1] != layer:
                known.setdefault(layer, set()).add(parts[1])

    def reach(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(known.get(start, ()))
        while waiting:
            at = waiting.pop()
            if at not in seen:
                seen.add(at)
                waiting += known.get(at, ())
        return seen

    assert [layer for layer in sorted(known) if layer in reach(layer)] == []


def _at_import(tree: ast.Module) -> Iterator[str]:
    """What a module imports when it is imported: not inside functions, not for the type checker only."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from imported(node)
        waiting += ast.iter_child_nodes(node)


def _fresh(code: str) -> str:
    """What a new interpreter prints; inside Pyodide there is none to be had."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


if not IN_PYODIDE:

    def test_importing_hinny_imports_no_numpy() -> None:
        code = "import sys, hinny; print('numpy' in sys.modules, len(hinny.__all__) > 5)"
        assert _fresh(code) == "False True\n"

    def test_help_imports_no_numpy_and_no_parser() -> None:
        code = (
            "import sys\nfrom hinny.cli import main\n"
            "try: main(['--help'])\nexcept SystemExit: pass\n"
            "print([name for name in ('numpy', 'justhtml', 'markdown_it') if name in sys.modules])"
        )
        assert _fresh(code).splitlines()[-1] == "[]"

    def test_the_query_path_imports_no_builder() -> None:
        code = (
            "import sys, hinny.site.search\n"
            "print([name for name in sys.modules if name in "
            "('justhtml', 'markdown_it', 'ruamel', 'tqdm', 'argparse', 'hinny.site.html', 'unittest')])"
        )
        assert _fresh(code) == "[]\n"
