"""A program that searches words only loads no vector code, and ranking itself needs no numpy."""

from __future__ import annotations

import subprocess
import sys

import pytest

WORDS_ONLY = """
import sys, asyncio
from hinny.factories import create_lexical_only_search
from hinny.lexical.index import LexicalIndex
from hinny.records import Document
index = LexicalIndex.build([Document("a", {"text": "an array of elements"})])
search = create_lexical_only_search(index)
assert [hit.id for hit in asyncio.run(search.search("array"))] == ["a"]
print([name for name in sys.modules if name.startswith(UNWANTED)])
"""

RANKING_ALONE = """
import sys
import hinny.ranking.search, hinny.ranking.presets, hinny.engine.engine, hinny.sources.pending
import hinny.sources.graph, hinny.sources.sqlite_spans
print([name for name in sys.modules if name.startswith(UNWANTED)])
"""


@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        (
            WORDS_ONLY,
            ("hinny.dense", "hinny.late", "hinny.quant", "hinny.kernels", "hinny.models", "onnx", "sqlite3"),
        ),
        (RANKING_ALONE, ("numpy", "sqlite3", "hinny.lexical", "hinny.dense", "hinny.late", "unittest")),
    ],
)
def test_nothing_unwanted_is_imported(program: str, unwanted: tuple[str, ...]) -> None:
    source = program.replace("UNWANTED", repr(unwanted))
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
