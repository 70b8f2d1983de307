"""docs/benchmarks.md: what is behind stands first, failures stay, nothing names the machine."""

from __future__ import annotations

import json
import re
import socket
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from bench.aims import AIMS, judged  # noqa: E402
from bench.machine import machine  # noqa: E402
from bench.report import write_report  # noqa: E402
from bench.reports.figures import figures  # noqa: E402
from bench.reports.front import agreement, busy, earlier, left_out, when  # noqa: E402
from bench.reports.others import cpython, profile, requests, scaling, vectors  # noqa: E402
from bench.reports.tables import number  # noqa: E402

BESIDE = {"ratio": [0.25, 0.2, 0.3], "first_ratio": [0.25, 0.2, 0.3], "ndcg10_gain": [0.1, 0.05, 0.15, 0.001]}
ROW = {
    "p95": 3.0,
    "first": 2.0,
    "ndcg10": 0.6,
    "mrr10": 0.5,
    "questions": 300,
    "unstable": 0,
    "rankings": "x",
}
RIVALS = {
    "quick": False,
    "setups": {"hinny": "as it is", "minisearch": "as its README says", "lunr": "its guides"},
    "versions": {"minisearch": "7.2.0", "lunr": "2.3.9"},
    "engine_gz": {"minisearch": 6_000, "lunr": 9_000},
    "results": {
        "scifact": {
            "hinny": {"index": {"gz": 100_000}, "plain": {**ROW, "median": 2.0, "ndcg10": 0.7}},
            "minisearch": {"index": {"gz": 400_000}, "plain": {**ROW, "median": 8.0, "beside": BESIDE}},
            "lunr": {"index": {"gz": 500_000}, "plain": {"failed": "no answer to ask within 3000 ms"}},
            "flexsearch": {
                "index": {"gz": 90_000},
                "plain": {
                    **ROW,
                    "median": 0.5,
                    "ndcg10": 0.2,
                    "beside": {"ratio": [4.0, 3.5, 4.5], "ndcg10_gain": [0.5, 0.4, 0.6, 0.001]},
                },
            },
            "sqlite": {
                "index": {"gz": 700_000},
                "plain": {
                    **ROW,
                    "median": 9.0,
                    "ndcg10": 0.72,
                    "beside": {"ratio": [0.2, 0.1, 0.3], "ndcg10_gain": [-0.02, -0.05, 0.01, 0.2]},
                },
            },
        },
        "manual": {
            "hinny": {"index": {"gz": 90_000}, "typos": {**ROW, "median": 1.0, "found5": 0.97}},
            "minisearch": {"index": {"gz": 194_000}, "typos": {**ROW, "median": 1.0, "found5": 0.8}},
        },
    },
}
UNITS = ("bytes", "requests")
SUMMARY = {
    "first_answer_bytes": 2_000_000.0,
    "first_answer_requests": 12.0,
    "first_answer_index_bytes": 90_000.0,
    "startup_ratio_cold": 0.8,
    "lexical_vs_minisearch": 0.25,
    "typing_p95_ms": 9.0,
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The report of those results, and its folder."""
    results, docs = tmp_path_factory.mktemp("results"), tmp_path_factory.mktemp("docs")
    files = {
        "summary": SUMMARY,
        "rivals": RIVALS,
        "failed": {"models": "no model"},
        "machine": {"Python": "3.11.2"},
    }
    for name, content in files.items():
        (results / f"{name}.json").write_text(json.dumps(content))
    write_report(results, docs)
    return (docs / "benchmarks.md").read_text(), docs


def test_what_is_behind_stands_before_what_is_ahead(written: tuple[str, Path]) -> None:
    text, _ = written
    behind = text.index("## Where Hinny is behind")
    assert behind < text.index("## Aims") < text.index("## Ratios") < text.index("## Engines in Chromium")
    # 2,000,000 / (6,000 + 194,000) = 10.
    assert "| MiniSearch | 6 KB | 194 KB | 10 |" in text
    assert "`startup_ratio_cold` is 0.8, the aim was at most 0.5" in text
    assert "| questions of SciFact | FlexSearch | 4 (3.5 to 4.5) | nDCG@10 0.2 | 0.7 |" in text
    assert "SQLite FTS5, by 0.02 of nDCG@10 (-0.010 to +0.050; the interval holds 0" in text
    assert "- SciFact: FlexSearch 90 KB, Hinny 100 KB, gzipped" in text


def test_a_failed_engine_and_a_failed_benchmark_are_shown(written: tuple[str, Path]) -> None:
    text, _ = written
    assert "| Lunr | failed: no answer to ask within 3000 ms |" in text
    assert "- models: no model" in text


def test_ratios_are_ours_by_theirs(written: tuple[str, Path]) -> None:
    text, _ = written
    engines = "| FlexSearch | Lunr | MiniSearch | SQLite FTS5 |"
    assert f"| asked {engines}" in text
    times = "| 4 (3.5 to 4.5) | failed | 0.25 (0.2 to 0.3) | 0.2 (0.1 to 0.3) |"
    assert f"| questions of SciFact {times}" in text
    # Index of SciFact: 100,000 / 90,000, / 500,000, / 400,000, / 700,000; of the manual: 90,000 / 194,000.
    assert "| SciFact | 1.11 | 0.2 | 0.25 | 0.143 |" in text
    assert "| the manual's sections |  |  | 0.464 |  |" in text
    assert f"| collection | Hinny's own {engines}" in text
    assert "| SciFact | 0.7 | +0.500 (+0.400 to +0.600) | failed | +0.100 (+0.050 to +0.150) |" in text


def test_figures_without_a_rival_say_what_they_are_and_their_unit() -> None:
    text = figures(
        {"startup_cold_hinny_ms": 2_252.0, "build_manual_bytes": 3_849_400.0, "dense_scan_ms": 0.4}
    )
    assert "| Hinny | 2,252 ms |" in text
    assert "| their bytes | 3.85 MB |" in text
    assert "| Hinny's WebAssembly | 0.4 |  |  |" in text
    assert "models" not in text.partition("\n\n")[2].lower()


def test_plots_are_drawn_the_same_again(written: tuple[str, Path], tmp_path: Path) -> None:
    text, docs = written
    names = re.findall(r"\]\(images/(benchmarks-[a-z-]+\.svg)\)", text)
    assert "benchmarks-speed-relevance.svg" in names
    for name, content in (("rivals", RIVALS), ("summary", SUMMARY)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    write_report(tmp_path, tmp_path)
    for name in names:
        picture = (docs / "images" / name).read_bytes()
        assert picture == (tmp_path / "images" / name).read_bytes()
        assert b"MiniSearch" in picture


def test_an_aim_is_met_at_its_bound() -> None:
    by_name = {aim.name: aim for aim in AIMS}
    assert len(by_name) == len(AIMS)
    assert by_name["startup_ratio_cold"].met(0.5)
    assert not by_name["startup_ratio_cold"].met(0.501)
    assert by_name["typo_top5"].met(0.97)
    assert not by_name["typo_top5"].met(0.969)
    assert {aim.name: value for aim, value in judged({"maxsim_ms": 3.0})}["maxsim_ms"] == 3.0


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1234.5, "1,234"),
        (0.25, "0.25"),
        (0.12345, "0.123"),
        (12.0, "12"),
        (None, ""),
        ("x", "x"),
        (0.00031, "0.0003"),
    ],
)
def test_numbers_are_short(value: object, shown: str) -> None:
    assert number(value) == shown


def test_a_busy_machine_is_said() -> None:
    said = busy({"scifact": {"load": 9.0}, "typing": {"load": 1.0}}, {"processors": "2"})
    assert "busy with other work" in said
    assert "SciFact" in said
    assert "10,000 sections" not in said
    assert busy({"scifact": {"load_before": 2.5}}, {"processors": "2"}) == ""
    assert busy({}, {}) == ""


def test_it_is_said_when_each_part_was_measured() -> None:
    run = {"ended": "2026-01-02 03:04", "commit": "abc+", "load": 1.5, "quick": True}
    assert "| SciFact (quick: fewer questions, one round) | 2026-01-02 03:04 | abc+ | 1.5 |" in when(
        {"scifact": run}
    )
    assert when({}) == ""
    assert "Of an earlier run, or not measured: startup." in when({"scifact": run}, ["startup"])


def test_what_no_run_holds_is_of_an_earlier_one() -> None:
    names = ("startup", "belebele_en", "belebele_zh", "xquad_en", "xquad_zh", "sections_1000", "scifact")
    runs: dict = {name: {} for name in names}
    before = earlier(runs)
    assert not {"startup", "passages", "sections-1000", "scifact"} & set(before)
    assert {"roundtrip", "collections", "sections-10000"} <= set(before)
    del runs["xquad_zh"]
    assert "passages" in earlier(runs)


def test_growing_corpora_show_what_failed_and_how_far_it_came() -> None:
    shown = scaling(
        {
            "results": {
                "sections_10000": {
                    "hinny": {
                        "index": {"gz": 2_000_000, "build_ms": 5.0, "build_mb": 300.0, "load_ms": 1.0},
                        "questions": {**ROW, "median": 2.0},
                    },
                    "lunr": {"index": {"gz": 9_000_000}, "questions": {"failed": "no answer\nto load"}},
                },
                "sections_1000": {"hinny": {"index": {}, "questions": {**ROW, "median": 1.0}}},
            }
        }
    )
    assert shown.index("### 1,000 sections") < shown.index("### 10,000 sections")
    head, _, row = shown.partition("### 10,000 sections")[2].strip().splitlines()[:3]
    assert head.count("|") == row.count("|")
    assert head.count("index, gzipped") == 1
    assert "| Lunr | failed: no answer to load |  |  |  |  | 9.00 MB |" in shown
    assert "| Hinny | 2 | 3 | 300 | 1 |  | 2.00 MB | 5 | 300 |" in shown


def test_other_rivals_have_sections_of_their_own() -> None:
    beside = {**ROW, "median": 4.0, "overlap10": 1.0, "beside": BESIDE}
    vector = {"hinny": {"index": {"gz": 1}, "vectors": {**beside, "overlap10": 0.9}}}
    vector |= {"vector-voy": {"index": {"gz": 9}, "vectors": beside}}
    vector |= {"vector-edgevec": {"index": {}, "vectors": {"failed": "no"}}}
    shown = vectors({"results": {"vectors": vector}}, {})
    assert "| Voy | 0.25 (0.2 to 0.3) | 4 | 3 | 1 | 0.6 | 0 KB |" in shown
    assert "| EdgeVec | failed: no |" in shown
    rows = {"hinny": {"index": {"build_ms": 1.0}, "plain": {**ROW, "median": 1.0, "r1": 0.5}}}
    rows |= {"pylate": {"index": {"failed": "x"}, "plain": {"failed": "not installed"}}}
    assert "| PyLate | failed: not installed |" in cpython({"results": {"scifact": rows}})
    counts = {f"{key}_{unit}": 2000.0 for key in ("first_answer", "first_answer_index") for unit in UNITS}
    counts |= {f"{key}_{unit}": 1000.0 for key in ("next_sentence", "question") for unit in UNITS}
    assert "| Pagefind | failed: no program |" in requests(
        {"hinny": counts, "pagefind": {"failed": "no program"}}
    )


def test_costs_stand_before_and_after() -> None:
    costs = {"before": "aaa", "after": "bbb", "costs": [{"cost": "excerpts", "before": 8.0, "after": 2.0}]}
    shown = profile({}, costs)
    assert "before (commit aaa) and after (bbb)" in shown
    assert "| excerpts | 8 | 2 | 0.25 |" in shown
    assert profile({}, {}) == ""


def test_engines_that_were_not_asked_are_named() -> None:
    shown = left_out({"not_asked": {"scifact": ["fuse"], "manual": []}})
    assert "- SciFact: Fuse" in shown
    assert "manual" not in shown
    assert left_out({}) == ""


def test_the_machine_is_described_and_not_named() -> None:
    found = machine()
    assert found["processors"].isdigit()
    assert socket.gethostname() not in found.values()
    assert not any(str(Path.home()) in value or str(ROOT) in value for value in found.values())


def test_what_two_runs_agreed_in_is_told() -> None:
    kept = {"compared": 1200, "differ": [], "commit": "abc", "ended": "2026-12-01 00:40"}
    assert agreement({}) == ""
    assert "commit abc, 2026-12-01 00:40 UTC) were compared in 1,200" in agreement(kept)
    assert agreement(kept).endswith("none differs.\n")
    assert agreement({**kept, "differ": ["scifact lunr: 1 and 2"]}).endswith(
        "1 differ:\n\n- scifact lunr: 1 and 2\n"
    )
