"""Figures of the comparison, from answers made by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from hinny.records import Document  # noqa: E402
from rival_figures import beside, flat, interval, pooled, rows, times  # noqa: E402
from rival_run import OURS, Ask, Pair  # noqa: E402
from rival_work import Work  # noqa: E402

WORK = Work("w", [], ("text",), ["one", "two", "three"], [], [{"a": 1}, {"b": 1}, {"c": 1}])


def found(ms: list[list[float | None]], ids: list[list[str] | None], unstable: int = 0) -> dict:
    """What a page answers."""
    return {"ms": ms, "ids": ids, "unstable": unstable}


def test_a_time_is_the_median_of_the_rounds_and_then_of_the_questions() -> None:
    shown = times(found([[1.0, 9.0, 3.0], [2.0, 7.0, 3.0], [9.0, 8.0, 3.0]], [["a"], ["b"], ["c"]]))
    # Questions: 2, 8, 3; their first rounds: 1, 9, 3.
    assert (shown["median"], shown["p95"], shown["first"], shown["questions"]) == (3.0, 8.0, 3.0, 3)


def test_a_ratio_is_over_the_questions_that_both_were_asked() -> None:
    ours = found([[1.0, 2.0, 3.0]], [["a"], ["b"], ["c"]])
    theirs = found([[10.0, None, 6.0]], [["x"], None, ["c"]])
    shown = beside(ours, theirs, WORK)
    # Ours over questions 1 and 3: 2; theirs: 8.
    assert shown["ratio"][0] == 0.25
    assert shown["ours_median"] == 2.0
    # nDCG: ours 1 and 1, theirs 0 and 1.
    assert shown["ndcg10_gain"][0] == 0.5
    low, high = shown["ndcg10_gain"][1:3]
    assert low == 0.0
    assert high == 1.0
    assert beside(ours, {"failed": "no"}, WORK) == {}


def test_an_interval_holds_its_ratio_and_closes_where_nothing_varies() -> None:
    same = np.full(20, 4.0)
    assert interval(np.full(20, 1.0), same) == [0.25, 0.25, 0.25]
    varied = np.linspace(1, 3, 40)
    ratio, low, high = interval(varied, np.full(40, 4.0))
    assert low < ratio < high
    assert ratio == pytest.approx(0.5)
    assert interval(varied, np.full(40, 4.0)) == [ratio, low, high]


def test_our_answers_beside_several_rivals_are_one() -> None:
    one = found([[1.0, 2.0]], [["a"], ["b"]])
    other = found([[3.0, 4.0]], [["a"], ["x"]], unstable=2)
    together = pooled([one, {"failed": "no"}, other])
    assert together["ms"] == [[1.0, 2.0], [3.0, 4.0]]
    assert together["ids"] == [["a"], ["b"]]
    assert together["unstable"] == 3  # two that were counted, and the b that became an x
    assert pooled([{"failed": "no"}]) == {"failed": "no"}


def test_every_engine_has_a_row_and_a_failed_one_its_reason() -> None:
    answers = found([[1.0, 1.0, 1.0]], [["a"], ["b"], ["c"]])
    slow = found([[4.0, 4.0, 4.0]], [["a"], ["x"], ["c"]])
    good = Pair(
        {OURS: {"gz": 10, "memory": 5.0}, "slow": {"gz": 40}}, {"plain": {OURS: answers, "slow": slow}}
    )
    bad = Pair(
        {OURS: {"gz": 10, "memory": 7.0}, "bad": {"failed": "no"}}, {"plain": {"bad": {"failed": "no"}}}
    )
    shown = rows({"slow": good, "bad": bad}, {"plain": WORK})
    assert shown[OURS]["index"] == {"gz": 10, "memory": 6.0}
    assert shown["slow"]["plain"]["beside"]["ratio"] == [0.25, 0.25, 0.25]
    assert shown["slow"]["plain"]["ndcg10"] == pytest.approx(2 / 3, abs=1e-4)
    assert shown["bad"] == {"index": {"failed": "no"}, "plain": {"failed": "no"}}
    figures = flat({"scifact": shown})
    assert figures["lexical_vs_slow"] == 0.25
    assert figures["lexical_gain_over_slow"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["rival_gz_scifact_slow"] == 40
    assert figures["rivals_failed"] == 2
    assert not any("bad" in name for name in figures)


def test_an_engine_is_asked_in_the_mode_that_it_has() -> None:
    about = {"modes": ["plain", "fuzzy"]}
    assert Ask("t", "typos", WORK).plan("x", about)["mode"] == "fuzzy"
    assert Ask("t", "typos", WORK).plan(OURS, {})["mode"] == "plain"
    assert Ask("p", "phrase", WORK).plan("x", about)["mode"] == "plain"
    assert Ask("k", "typing", WORK).plan("x", about) is None
    assert Ask("a", "plain", WORK, 3).plan("x", about) == {"mode": "plain", "every": 1, "rounds": 3}


def test_a_slow_engine_is_asked_a_sample_that_depends_on_how_much_it_has_to_read() -> None:
    about = {"modes": ["plain"], "slow": True}
    # 50 documents of 20,000 characters, questions of 10 words: 10 million for each question, so that 3
    # are worth 30 million; of 300 questions every hundredth.
    documents = [Document(str(n), {"text": "x" * 20_000}) for n in range(50)]
    large = Work("l", documents, ("text",), ["a " * 10] * 300)
    assert Ask("a", "plain", large, 3).plan("x", about) == {
        "mode": "plain",
        "every": 100,
        "rounds": 1,
        "cold": True,
    }
    # As little as this may be asked 20 times: of 300, every fifteenth.
    small = Work("s", [Document("a", {"text": "x"})], ("text",), ["a"] * 300)
    assert Ask("a", "plain", small).every() == 15
    # Not fewer than two.
    more = Work("m", documents * 3, ("text",), large.texts)
    assert Ask("a", "plain", more).every() == 150


def test_our_answers_in_a_page_of_many_rivals_count_once() -> None:
    answers = found([[1.0, 2.0]], [["a"], ["b"]], unstable=1)
    assert pooled([answers, answers]) == {"ms": [[1.0, 2.0]], "ids": [["a"], ["b"]], "unstable": 1}
