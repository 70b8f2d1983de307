"""A part of the PostgreSQL manual, encoded by the real models: what the tests of search by meaning share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from hinny.models.store import ModelStore

MANUAL = Path(__file__).parents[1] / "web" / "demo-data" / "postgresql-doc-15.tar.xz"
CHAPTERS = (
    "backup",
    "indexes-",
    "monitoring-",
    "mvcc",
    "routine-",
    "runtime-config-a",
    "sql-create",
    "sql-v",
)
MODELS = {"tokens": "minilm-l6-late64", "vector": "minilm-l6-int8"}
RERANKER = "word-overlap"
FACTORIES = {"tiny": ("tokens",), "semantic": ("vector",), "three-source": ("vector", "tokens")}
QUESTIONS = (
    "how do I get rid of dead rows",
    "copy a running database to another machine",
    "find out which query is slow right now",
    "make lookups on a column faster",
    "create an index without blocking writers",
    "restore the database to an earlier moment",
    "who is waiting for a lock",
    "refresh statistics for the planner automatically",
    "index only some of the rows of a table",
    "search inside JSON documents quickly",
    "prevent two transactions from changing the same row",
    "let an account log in",
    "a column that computes itself from others",
    "run a function whenever a row changes",
    "store the result of a query and refresh it later",
    "how much memory does the server use for caching",
    "split a huge table into pieces",
    "undo everything since the start of the transaction",
    "make a backup while people are writing",
    "the database refuses commands because of transaction id wraparound",
)


_built: list[Path] = []


def factory_site(temporary: pytest.TempPathFactory) -> Path:
    """The built site, once for all modules: its pages, all models, and the questions recorded."""
    if not _built:
        _built.append(_build(temporary.mktemp("factories")))
    return _built[0]


def _build(work: Path) -> Path:
    store = ModelStore()
    for id in (*MODELS.values(), RERANKER):
        if not store.has(store.pin(id)):
            pytest.fail(f"{id} is not built: run `make models`", pytrace=False)
    source, out = work / "pages", work / "search"
    source.mkdir()
    with tarfile.open(MANUAL) as archive:
        for member in archive:
            name = Path(member.name).name
            if member.isfile() and name.startswith(CHAPTERS) and name.endswith(".html"):
                data = archive.extractfile(member)
                assert data is not None
                (source / name).write_bytes(data.read())
    lines = [json.dumps({"id": f"q{n}", "text": text}) for n, text in enumerate(QUESTIONS)]
    (work / "questions.jsonl").write_text("\n".join(lines), "utf-8")
    built = ["build", str(source), "--out", str(out), "--language", "en", "--offline", "--root", "/"]
    meaning = ["--factory", "all", "--rerank", RERANKER, "--tokens", "64"]
    recorded = ["--questions", str(work / "questions.jsonl")]
    command = [sys.executable, "-m", "hinny", *built, *meaning, *recorded]
    done = subprocess.run(command, timeout=500, check=False)
    assert done.returncode == 0
    assets = os.environ.get("HINNY_E2E_APP")
    if assets:
        for path in Path(assets).iterdir():
            (out / "app" / path.name).write_bytes(path.read_bytes())
    return out


def ids(answer: dict[str, Any]) -> list[str]:
    """Of the hits, in order."""
    return [result["id"] for result in answer["results"]]


def lost(answer: dict[str, Any]) -> list[tuple[str, str]]:
    """What did not take part, and why."""
    return [(one["source"], one["reason"]) for one in answer["degraded"]]
