"""docs/conformance.md: every row names a test that exists, and no stated behaviour has lost its row."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| ([A-Z])(\d+) \| (.+) \| `(tests/[\w/]+\.py)::(\w+)` \|$")

# Behaviours stated by the two reference texts, counted when they were read; a section's letter is its row's.
STATED = {
    "A": 8,  # presets
    "B": 13,  # the gate before the neural stage
    "C": 8,  # its decisions
    "D": 8,  # an owned index
    "E": 13,  # existing indexes
    "F": 11,  # neural reranking
    "G": 18,  # fusion
    "H": 9,  # cascades
    "I": 11,  # exact promotion
    "J": 7,  # short-text routing
    "K": 16,  # weak-lexical promotion
    "L": 6,  # source coverage
    "M": 11,  # filtering and pages
    "N": 9,  # response and hits
    "O": 6,  # errors and cancellation
    "P": 16,  # ready-made searches
    "Q": 8,  # the late-interaction source
    "R": 8,  # custom backends
    "S": 17,  # the fail-open engine
    "T": 10,  # unstemmed companions
    "U": 12,  # sources over other stores
}


def rows() -> list[tuple[str, int, str, str, str]]:
    lines = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| |")]
    found = [ROW.match(line) for line in lines]
    unreadable = [line for line, match in zip(lines, found, strict=True) if match is None]
    assert unreadable == []
    return [(m[1], int(m[2]), m[3], m[4], m[5]) for m in found if m is not None]


@cache
def functions_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def test_every_row_names_a_test_that_exists() -> None:
    missing = []
    for letter, number, _, path, name in rows():
        if path.startswith("tests/cpython/") and not (ROOT / "tests" / "cpython").exists():
            continue  # inside Pyodide that folder is not there
        if not (ROOT / path).exists() or name not in functions_in(path):
            missing.append(f"{letter}{number}: {path}::{name}")
    assert missing == []


def test_every_stated_behaviour_has_its_row() -> None:
    numbers: dict[str, list[int]] = {}
    for letter, number, *_ in rows():
        numbers.setdefault(letter, []).append(number)
    assert numbers == {letter: list(range(1, count + 1)) for letter, count in STATED.items()}


def test_no_behaviour_is_stated_twice() -> None:
    texts = [f"{letter} {text}" for letter, _, text, *_ in rows()]
    assert len(set(texts)) == len(texts)


def test_only_test_functions_are_named() -> None:
    assert all(name.startswith("test_") for *_, name in rows())
