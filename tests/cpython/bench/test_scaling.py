"""Growing corpora: figures, bounds, and whose memory is counted."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from lexical_page import _below, highest_memory  # noqa: E402

from scaling import build_ours, corpus, flat, work_of  # noqa: E402


def test_figures_carry_size_and_engine() -> None:
    rows = {
        "hinny": {"index": {"gz": 9, "build_ms": 5.0, "raw": 10}, "questions": {"median": 2.0, "p95": 3.0}},
        "lunr": {"index": {"gz": 4}, "questions": {"failed": "no"}},
        "orama": {"index": {"failed": "no"}, "questions": {"failed": "no"}},
    }
    assert flat({"sections_1000": rows}) == {
        "sections_1000_build_ms_hinny": 5.0,
        "sections_1000_gz_hinny": 9,
        "sections_1000_median_hinny": 2.0,
        "sections_1000_gz_lunr": 4,
    }


def test_the_highest_memory_outlives_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = iter([{"build_peak_mb": 5.0}, {}, {"build_peak_mb": 9.0}, {"build_peak_mb": 2.0}])
    looked = threading.Semaphore(0)

    def look(label: str) -> dict[str, float]:
        looked.release()
        return next(seen, {})

    monkeypatch.setattr("lexical_page.renderer_memory", look)
    with highest_memory("build", every_s=0.001) as memory:
        for _ in range(6):
            looked.acquire()
    assert memory == {"build_peak_mb": 9.0}


def test_a_process_counts_where_it_descends_from_ours() -> None:
    parents = {2: 1, 3: 2, 4: 3, 5: 1, 6: 5}
    assert _below(2, parents) == [2, 3, 4]
    assert _below(6, parents) == [6]


def test_sections_are_the_same_when_they_are_read_again(tmp_path: Path) -> None:
    made = corpus(30, tmp_path)
    (file,) = tmp_path.glob("sections-30-*.json")
    assert corpus(30, tmp_path) == made
    file.write_text('[["a", {"text": "kept"}, "en"]]')
    assert [document.fields["text"] for document in corpus(30, tmp_path)] == ["kept"]


def test_the_corpus_has_the_sections_that_were_asked_for_and_our_index_is_built_of_it(tmp_path: Path) -> None:
    work = work_of(40)
    assert len(work.documents) == 40
    assert len(work.texts) == 38
    made = build_ours(40, tmp_path / "ours.zip")
    assert (tmp_path / "ours.zip").stat().st_size > made["gz"]
    assert made["build_mb"] >= made["documents_mb"] > 0
