"""Two runs that agree, and two that do not."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from agree import differences, facts, main  # noqa: E402

RUN = {
    "results": {
        "scifact": {
            "hinny": {"index": {"gz": 10, "load_ms": 3.0}, "plain": {"rankings": "a", "median": 1.0}},
            "lunr": {"index": {"gz": 40}, "plain": {"failed": "no answer to ask within 3000 ms"}},
        }
    }
}


def test_times_may_differ_and_nothing_else() -> None:
    other = copy.deepcopy(RUN)
    other["results"]["scifact"]["hinny"]["plain"]["median"] = 9.0
    other["results"]["scifact"]["hinny"]["index"]["load_ms"] = 9.0
    other["results"]["scifact"]["lunr"]["plain"]["failed"] = "the page died"
    assert differences(RUN, other) == []
    other["results"]["scifact"]["hinny"]["plain"]["rankings"] = "b"
    other["results"]["scifact"]["lunr"]["index"]["gz"] = 41
    assert differences(RUN, other) == [
        "scifact hinny plain rankings: a and b",
        "scifact lunr index gz: 40 and 41",
    ]


def test_what_only_one_run_has_is_a_difference() -> None:
    other = copy.deepcopy(RUN)
    other["results"]["scifact"]["lunr"]["plain"] = {"rankings": "c"}
    assert differences(RUN, other) == [
        "scifact lunr plain: failed and nothing",
        "scifact lunr plain rankings: nothing and c",
    ]
    assert len(facts(RUN)) == 4


def test_two_files_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        file.write_text(json.dumps(RUN))
    assert main([str(file) for file in files]) == 0
    assert "4 rankings, relevances and sizes; 0 differ" in capsys.readouterr().out
    files[1].write_text(json.dumps({"results": {}}))
    assert main([str(file) for file in files]) == 1
    files[0].write_text("{}")
    assert main([str(file) for file in files]) == 1
