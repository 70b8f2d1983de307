"""The benchmark of engines in a browser, tried on engines that cheat, fail and sleep."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from lexical_page import Engines, engines_page  # noqa: E402

from hinny.records import Document  # noqa: E402
from rival_figures import failures, relevance, times  # noqa: E402
from rival_work import Work  # noqa: E402

HERE = Path(__file__).parent
TEXTS = {
    "metals": "copper and zinc are metals",
    "copper": "copper wire",
    "wood": "oak and beech wood",
    "alloy": "brass is an alloy of copper and zinc and nothing else",
}
QUESTIONS = ["copper zinc alloy", "oak wood", "copper wire", "beech"]
JUDGED = [{"alloy": 2, "metals": 1}, {"wood": 1}, {"copper": 1}, {"wood": 1}]
NAMES = ("good", "sleeper", "scrambled", "fickle", "unable", "choking", "stuck")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engines, Work]]:
    """A page of all those engines."""
    documents = [Document(id, {"text": text}) for id, text in TEXTS.items()]
    work = Work("metals", documents, ("text",), QUESTIONS, [], JUDGED)
    data = tmp_path_factory.mktemp("data")

    (data / "metals.json").write_text(json.dumps(work.plain()))
    with engines_page({"data": data, "engines": HERE / "engines"}, patience_ms=3000) as engines:
        yield engines, work


@pytest.fixture(scope="module")
def compared(page: tuple[Engines, Work]) -> tuple[dict, dict, Work]:
    """What opening took, and what a comparison found."""
    engines, work = page
    given = [{"name": name, "module": f"/engines/{name}.js"} for name in NAMES]
    opened = engines.open(given, "/data/metals.json", work.fields)
    plan = {name: {"mode": "plain", "every": 1, "rounds": 3} for name in NAMES}
    return opened, engines.compare(plan, work.texts, rounds=3), work


def test_an_engine_that_sleeps_is_seen_to_sleep(compared: tuple[dict, dict, Work]) -> None:
    _, found, _ = compared
    assert times(found["sleeper"])["median"] >= 19
    assert times(found["good"])["median"] < 5
    assert times(found["sleeper"])["rankings"] == times(found["good"])["rankings"]


def test_an_engine_that_answers_in_the_wrong_order_loses_relevance(compared: tuple[dict, dict, Work]) -> None:
    _, found, work = compared
    assert relevance(found["good"], work)["ndcg10"] == 1.0
    # By hand, for the first question: copper, metals, alloy in place of alloy, metals, copper.
    # (1 / log2(3) + 2 / log2(4)) / (2 + 1 / log2(3)) = 1.6309 / 2.6309 = 0.6199.
    # The third: the one document that fits is last of three: 1 / log2(4) = 0.5.
    assert relevance(found["scrambled"], work)["ndcg10"] == pytest.approx(
        (0.6199 + 1 + 0.5 + 1) / 4, abs=1e-4
    )
    assert times(found["scrambled"])["rankings"] != times(found["good"])["rankings"]


def test_an_engine_that_changes_its_mind_is_counted(compared: tuple[dict, dict, Work]) -> None:
    _, found, _ = compared
    assert times(found["fickle"])["unstable"] > 0
    assert times(found["good"])["unstable"] == 0


def test_an_engine_that_fails_is_shown_as_failed(compared: tuple[dict, dict, Work]) -> None:
    opened, found, work = compared
    assert opened["unable"] == {"failed": "this engine cannot build"}
    assert times(found["unable"]) == {"failed": "this engine cannot build"}
    assert times(found["choking"]) == {"failed": "copper is too much (asked: copper zinc alloy)"}
    assert times(found["stuck"])["failed"].startswith("no answer to ask within 3000 ms")
    assert relevance(found["stuck"], work) == {}
    results = {"scifact": {name: {"index": opened[name], "plain": times(found[name])} for name in NAMES}}
    assert failures(results) == {
        "scifact unable index": "this engine cannot build",
        "scifact unable plain": "this engine cannot build",
        "scifact choking plain": "copper is too much (asked: copper zinc alloy)",
        "scifact stuck plain": times(found["stuck"])["failed"],
    }


def test_two_runs_agree_in_every_ranking_and_size(page: tuple[Engines, Work]) -> None:
    engines, work = page
    plan = {name: {"mode": "plain", "every": 1, "rounds": 1} for name in ("good", "scrambled")}
    runs = []
    for _ in range(2):
        engines.open(
            [{"name": name, "module": f"/engines/{name}.js"} for name in plan], "/data/metals.json", ["text"]
        )
        found = engines.compare(plan, work.texts, rounds=1)
        runs.append(({name: row["ids"] for name, row in found.items()}, dict(engines.kept)))
    assert runs[0] == runs[1]
    assert len(runs[0][1]["good"]) > 100


def test_an_engine_that_is_asked_rarely_says_how_often(page: tuple[Engines, Work]) -> None:
    engines, work = page
    engines.open([{"name": "good", "module": "/engines/good.js"}], "/data/metals.json", ["text"])
    found = engines.compare({"good": {"mode": "plain", "every": 3, "rounds": 1}}, work.texts, rounds=2)[
        "good"
    ]
    assert [ms is not None for ms in found["ms"][0]] == [True, False, False, True]
    assert times(found)["questions"] == 2
    assert relevance(found, work)["ndcg10"] == 1.0
