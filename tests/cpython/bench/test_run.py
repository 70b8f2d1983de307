"""A run of benchmarks: its parts, where it goes on, what fails."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

import bench.report  # noqa: E402
import bench.run as run  # noqa: E402

from calling import TooLong  # noqa: E402
from run_list import BENCHES, Bench  # noqa: E402


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Results of its own, three small benchmarks, and no report."""
    monkeypatch.setattr(run, "RESULTS", tmp_path)
    monkeypatch.setattr(run, "SUMMARY", tmp_path / "summary.json")
    monkeypatch.setattr(run, "STATE", tmp_path / "state.json")
    benches = {name: Bench([name], quick=[] if name == "one" else None) for name in ("one", "two", "three")}
    monkeypatch.setattr(run, "BENCHES", benches)
    monkeypatch.setattr(run, "commit", lambda: "abc")
    monkeypatch.setattr(bench.report, "write_report", lambda: "written")
    yield tmp_path


def read(file: Path) -> dict:
    return json.loads(file.read_text())


def test_a_run_that_is_broken_off_goes_on_where_it_stopped(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []

    def measure(name: str, *, quick: bool = False, **_: object) -> dict[str, float]:
        called.append(name)
        if name == "two" and called.count("two") == 1:
            raise KeyboardInterrupt
        return {f"{name}_ms": float(len(called))}

    monkeypatch.setattr(run, "measure", measure)
    with pytest.raises(KeyboardInterrupt):
        run.main([], resume=True)
    assert list(read(folder / "state.json")["done"]) == ["one"]
    assert run.main([], resume=True) == 0
    assert called == ["one", "two", "two", "three"]
    assert read(folder / "summary.json")["one_ms"] == 1.0
    assert not (folder / "state.json").exists()
    assert list(read(folder / "runs.json")) == ["one", "two", "three"]
    # Another commit begins anew.
    (folder / "state.json").write_text(json.dumps({"commit": "other", "quick": False, "done": {"one": {}}}))
    run.main([], resume=True)
    assert called[4:] == ["one", "two", "three"]


def test_a_benchmark_that_fails_or_takes_too_long_is_said_and_the_others_go_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(name: str, *, quick: bool = False, **_: object) -> dict[str, float]:
        if name == "one":
            raise RuntimeError("first line\nno browser")
        if name == "two":
            raise TooLong("not done within 900 s")
        return {"three_ms": 3.0}

    monkeypatch.setattr(run, "measure", measure)
    assert run.main([]) == 1
    assert read(folder / "failed.json") == {"one": "no browser", "two": "not done within 900 s"}
    assert read(folder / "summary.json")["three_ms"] == 3.0
    monkeypatch.setattr(run, "measure", lambda name, **_: {"one_ms": 1.0})
    assert run.main(["one"]) == 1
    assert read(folder / "failed.json") == {"two": "not done within 900 s"}
    assert read(folder / "summary.json")["three_ms"] == 3.0  # named ones leave the others
    assert run.main(["nothing"]) == 2


def test_what_a_run_has_no_time_for_is_told_as_not_begun(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    limits: list[float] = []

    def measure(name: str, *, limit_s: float, **_: object) -> dict[str, float]:
        now[0] += 50
        limits.append(limit_s)
        return {f"{name}_ms": 1.0}

    monkeypatch.setattr(run, "perf_counter", lambda: now[0])
    monkeypatch.setattr(run, "measure", measure)
    assert run.main([], minutes=2) == 1
    assert limits == [100, 50]  # of two minutes, twenty seconds are the report's
    assert read(folder / "failed.json") == {"three": "not begun: the run's time was over"}


def test_a_whole_run_keeps_nothing_of_an_earlier_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "summary.json").write_text('{"stale": 1}')
    for detail in ("rivals", "costs"):
        (folder / f"{detail}.json").write_text("{}")
    monkeypatch.setattr(run, "measure", lambda name, **_: {f"{name}_ms": 1.0})
    run.main([])
    assert "stale" not in read(folder / "summary.json")
    assert not (folder / "rivals.json").exists()
    assert (folder / "costs.json").exists()  # `make profile` has its own


def test_a_quick_run_asks_only_the_short_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def measure(name: str, *, quick: bool = False, **_: object) -> dict[str, float]:
        assert quick
        called.append(name)
        return {}

    monkeypatch.setattr(run, "measure", measure)
    run.main([], quick=True)
    assert called == ["one"]


@pytest.mark.parametrize(
    ("text", "found"),
    [('noise {"a": 1, "b": 2.5}', {"a": 1.0, "b": 2.5}), ("a  1\nb c 2.5\n\n", {"a": 1.0, "b c": 2.5})],
)
def test_what_a_benchmark_prints_is_read(text: str, found: dict[str, float]) -> None:
    assert run.read(text) == found


def test_the_whole_and_the_quick_run_keep_to_their_time() -> None:
    """By their own estimates: 38 minutes and 5; none may take the fifteen minutes that end it."""
    assert sum(each.seconds for each in BENCHES.values() if not each.by_name) <= 38 * 60
    assert sum(each.quick_seconds for each in BENCHES.values() if each.quick is not None) <= 5 * 60
    assert all(each.seconds < run.TIME_LIMIT for each in BENCHES.values())
    scripts = [each.arguments[0] for each in BENCHES.values() if each.arguments[0] != "-m"]
    assert all((ROOT / script).is_file() for script in scripts)


def test_what_is_run_by_name_only_is_no_part_of_a_whole_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benches = {"a": Bench(["a.py"]), "long": Bench(["b.py"], by_name=True, quick=[])}
    monkeypatch.setattr(run, "BENCHES", benches)
    monkeypatch.setattr(run, "measure", lambda name, **_: {f"{name}_ms": 1.0})
    assert run.main([]) == 0
    assert "a_ms" in read(folder / "summary.json")
    assert "long_ms" not in read(folder / "summary.json")
    assert run.main(["long"]) == 0
    assert read(folder / "summary.json")["long_ms"] == 1.0


def test_a_benchmark_without_its_collections_says_how_to_name_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HINNY_DATA", str(tmp_path / "nowhere"))
    monkeypatch.setattr(run, "BENCHES", {"words": Bench(["bench/lexical_cpython.py"], data=True)})
    assert run.main(["words"]) == 1
    assert read(folder / "failed.json")["words"].startswith("The collections are not here. Set HINNY_DATA")
