"""Pairs in pages of their own, one of which dies."""

from __future__ import annotations

import sys
from pathlib import Path

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


def test_a_page_that_dies_costs_its_rival_and_nothing_else(tmp_path: Path) -> None:
    work = Work("metals", [Document(id, {"text": text}) for id, text in TEXTS.items()], ("text",), QUESTIONS)
    mortal = {name: {"module": f"/engines/{name}.js", "modes": ["plain"]} for name in ("deadly", "good")}
    with (
        runtime_folder() as runtime,
        engine_pages(
            {"data": tmp_path, "engines": HERE / "engines", "runtime": runtime},
            arguments=["--js-flags=--max-old-space-size=400"],
        ) as opened,
    ):
        found = Run(opened, mortal, tmp_path).over(work, [Ask("plain", "plain", work)])
    assert found["deadly"].index["deadly"] == {"failed": "the page died in openEngines"}
    assert found["deadly"].parts == {"plain": {"deadly": {"failed": "the page died in openEngines"}}}
    assert times(found["good"].parts["plain"]["good"])["questions"] == 2
    assert found["good"].parts["plain"]["hinny"]["ids"][0][0] == "alloy"
