"""Bytes and requests, counted from files."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from first_answer import counted, flat, sent  # noqa: E402


def test_each_step_counts_what_it_adds(tmp_path: Path) -> None:
    files = {}
    for name, data in {"app.js": b"a" * 1000, "part": bytes(range(256)), "more": bytes(range(200))}.items():
        files[name] = tmp_path / name
        files[name].write_bytes(data)
    assert sent(files["app.js"]) < 100  # it packs well
    assert sent(files["part"]) == 256  # it does not pack
    steps = [[files["app.js"], files["part"]], [files["more"]], [], [files["more"]], []]
    found = counted(steps, lambda path: path.suffix != ".js")
    assert found["first_answer_requests"] == 2
    assert found["first_answer_bytes"] == sent(files["app.js"]) + 256
    assert (found["first_answer_index_bytes"], found["first_answer_index_requests"]) == (256, 1)
    assert (found["next_sentence_bytes"], found["next_sentence_requests"]) == (200, 1)
    # Of three further questions one added a file.
    assert (found["question_bytes"], found["question_requests"]) == (0, 0)
    assert found["question_bytes_mean"] == round(200 / 3)


def test_the_other_engines_figures_carry_its_name() -> None:
    assert flat({"hinny": {"a": 1.0}, "pagefind": {"a": 2.0}}) == {"a": 1.0, "a_pagefind": 2.0}
    assert flat({"hinny": {"a": 1.0}, "pagefind": {"failed": "no"}}) == {"a": 1.0}
