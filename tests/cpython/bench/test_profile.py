"""What a profile's figures are made of."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from profile_query import largest, moments, owner, question_stages, shares, stages  # noqa: E402

ROWS = [
    ("/lib/hinny/lexical/scoring.py", "score", 10, 3.0),
    ("/lib/hinny/lexical/index.py", "search", 10, 1.0),
    ("~", "<method 'reduce' of 'numpy.ufunc' objects>", 40, 4.0),
    ("~", "<built-in method builtins.len>", 99, 1.0),
    ("/lib/python312.zip/re/__init__.py", "match", 5, 1.0),
]


def test_own_time_belongs_to_somebody() -> None:
    assert owner("/lib/site-packages/numpy/_core/fromnumeric.py", "sum") == "numpy"
    assert shares(ROWS) == {
        "hinny.lexical": 0.4,
        "numpy": 0.4,
        "Python's own functions": 0.1,
        "Python's library": 0.1,
    }
    assert largest(ROWS, 1) == [
        {"function": "~ <method 'reduce' of 'numpy.ufunc' objects>", "calls": 40, "ms": 4.0}
    ]
    assert largest(ROWS, 2)[1]["function"] == "lexical/scoring.py score"


def test_stages_lie_between_the_moments() -> None:
    visit = {"first": 90.0, "opened": 70.0, "hits": 3, "marks": {"python": 50.0, "wasm": 20.0, "how": "cold"}}
    assert moments(visit) == {"python": 50.0, "wasm": 20.0, "opened": 70.0, "first": 90.0}
    assert stages(moments(visit)) == {"wasm": 20.0, "python": 30.0, "opened": 20.0, "first": 20.0}


def test_a_question_is_worker_and_crossing_beside_python() -> None:
    rows = [{"trip": 10.0, "python": 7.0, "excerpts": 2.0}, {"trip": 14.0, "python": 9.0, "excerpts": 4.0}]
    found = question_stages(rows)
    assert found == {"trip": 12.0, "worker and crossing": 4.0, "python": 8.0, "excerpts": 3.0}
