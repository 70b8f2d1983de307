"""Pairs in pages of their own, one of which dies."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from lexical_page import engine_pages, runtime_folder  # noqa: E402

from hinny.records import Document  # noqa: E402
from rival_figures import times  # noqa: E402
from rival_run import Ask, Run  # noqa: E402
from rival_work import Work  # noqa: E402

HERE = Path(__file__).parent
TEXTS = {
    "metals": "copper and zinc are metals",
    "alloy": "brass is an alloy of copper and zinc and nothing else",
}
QUESTIONS = ["copper zinc alloy", "metals"]


@pytest.mark.parametrize("together", [False, True])
def test_a_page_that_dies_costs_its_rival_and_nothing_else(tmp_path: Path, together: bool) -> None:
    work = Work("metals", [Document(id, {"text": text}) for id, text in TEXTS.items()], ("text",), QUESTIONS)
    mortal = {name: {"module": f"/engines/{name}.js", "modes": ["plain"]} for name in ("deadly", "good")}
    with (
        runtime_folder() as runtime,
        engine_pages(
            {"data": tmp_path, "engines": HERE / "engines", "runtime": runtime},
            arguments=["--js-flags=--max-old-space-size=400"],
        ) as opened,
    ):
        asks = [Ask("plain", "plain", work)]
        found = Run(opened, mortal, tmp_path).over(work, asks, together=together)
    assert found["deadly"].index["deadly"] == {"failed": "the page died in openEngines"}
    assert found["deadly"].parts == {"plain": {"deadly": {"failed": "the page died in openEngines"}}}
    assert times(found["good"].parts["plain"]["good"])["questions"] == 2
    assert found["good"].parts["plain"]["hinny"]["ids"][0][0] == "alloy"


def test_rivals_in_one_page_share_our_answers(tmp_path: Path) -> None:
    work = Work("metals", [Document(id, {"text": text}) for id, text in TEXTS.items()], ("text",), QUESTIONS)
    names = ("good", "sleeper", "choking")
    rivals = {name: {"module": f"/engines/{name}.js", "modes": ["plain"]} for name in names}
    with (
        runtime_folder() as runtime,
        engine_pages({"data": tmp_path, "engines": HERE / "engines", "runtime": runtime}) as opened,
    ):
        asks = [Ask("plain", "plain", work), Ask("fuzzy", "fuzzy", work)]
        found = Run(opened, rivals, tmp_path).over(work, asks, together=True)
    assert found["good"].parts["plain"]["hinny"] is found["sleeper"].parts["plain"]["hinny"]
    assert found["good"].parts["plain"]["hinny"]["ids"][0][0] == "alloy"
    assert times(found["sleeper"].parts["plain"]["sleeper"])["median"] >= 19
    assert times(found["choking"].parts["plain"]["choking"])["failed"].startswith("copper is too much")
    assert all("fuzzy" not in pair.parts for pair in found.values())  # none of them has that search
