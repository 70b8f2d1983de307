"""Engines on CPython: the real ones over a few texts, and ones that cheat and fail."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from cpython_engines import ENGINES, Engine, Search  # noqa: E402
from cpython_rivals import compare, flat  # noqa: E402
from hinny.records import Document  # noqa: E402
from rival_work import Work  # noqa: E402

DOCUMENTS = [
    Document("metals", {"title": "Metals", "text": "copper and zinc are metals that everybody knows"}),
    Document("wood", {"title": "Wood", "text": "oak and beech grow slowly in forests"}),
    Document("cloth", {"title": "Cloth", "text": "linen and wool were woven by hand"}),
    Document("stone", {"title": "Stone", "text": "granite and slate were cut for roofs and walls"}),
]
TEXTS = ["copper metals", "oak forests", "wool by hand", 'granite "and (slate'[:7]]
JUDGED = [{"metals": 1}, {"wood": 1}, {"cloth": 1}, {"stone": 1}]
WORK = Work("few", DOCUMENTS, ("title", "text"), TEXTS, ["metals"], JUDGED)
REAL = ("hinny", "bm25s", "rank_bm25", "tantivy", "sqlite")


@pytest.mark.parametrize("name", REAL)
def test_an_engine_finds_what_is_meant(name: str) -> None:
    search = ENGINES[name].make(DOCUMENTS)
    assert [search(text, 2)[0] for text in TEXTS] == ["metals", "wood", "cloth", "stone"]
    assert search("nothing of it whatsoever", 2) == []
    assert search('an "unclosed phrase (and', 2) is not None
    assert ENGINES[name].version()


def engine(search: Search) -> Engine:
    """One that needs no building."""
    return Engine(lambda documents: search, lambda: "1", "")


def good(text: str, limit: int) -> list[str]:
    words = text.split()
    count = {each.id: sum(word in each.fields["text"] for word in words) for each in DOCUMENTS}
    return [id for id in sorted(count, key=lambda id: (-count[id], id)) if count[id]][:limit]


def busy(text: str, limit: int) -> list[str]:
    until = time.process_time() + 0.005
    while time.process_time() < until:
        pass
    return good(text, limit)


def choking(text: str, limit: int) -> list[str]:
    if "oak" in text:
        raise ValueError("oak is too hard")
    return good(text, limit)


def unable(documents: Sequence[Document]) -> Search:
    raise OSError("no such library")


def test_engines_that_work_longer_rank_worse_or_fail_are_seen_to() -> None:
    rivals = {
        "hinny": engine(good),
        "busy": engine(busy),
        "scrambled": engine(lambda text, limit: ["stone", *good(text, limit)]),
        "choking": engine(choking),
        "unable": Engine(unable, lambda: "", ""),
    }
    rows = compare(rivals, WORK, 2)
    assert rows["hinny"]["plain"]["ndcg10"] == 1.0
    assert rows["busy"]["plain"]["median"] >= 5
    assert rows["busy"]["plain"]["rankings"] == rows["hinny"]["plain"]["rankings"]
    # By hand: second of two in three questions, 1 / log2(3) = 0.6309; first in one.
    assert rows["scrambled"]["plain"]["ndcg10"] == pytest.approx((3 * 0.6309 + 1) / 4, abs=1e-3)
    assert rows["choking"]["plain"] == {"failed": "oak is too hard (asked: oak forests)"}
    assert rows["unable"] == {"index": {"failed": "no such library"}, "plain": {"failed": "no such library"}}
    figures = flat(rows)
    assert figures["cpython_vs_busy"] < 0.5
    assert not any("choking" in name or "unable" in name for name in figures)
