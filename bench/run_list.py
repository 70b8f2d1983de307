"""The benchmarks of `make bench`: what each calls and about how long it takes."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

MODULES = Path(__file__).resolve().parent / "rivals" / "node_modules"


class Bench(NamedTuple):
    """A script, and how it is called."""

    arguments: list[str]
    data: bool = False
    """Whether it needs the folder of collections, as `--data`."""
    quick: list[str] | None = None
    """What a quick run adds to the arguments; None leaves the benchmark out of it."""
    seconds: float = 60.0
    """About what it takes on two processors, for the bar."""
    quick_seconds: float = 30.0
    """The same of a quick run."""


def _rivals(*parts: str, seconds: float, quick: bool = False) -> Bench:
    arguments = ["bench/lexical_rivals.py", "--parts", *parts]
    return Bench(arguments, quick=["--quick"] if quick else None, seconds=seconds, quick_seconds=80)


def _scaling(size: int, seconds: float, *only: str) -> Bench:
    return Bench(["bench/scaling.py", "--sizes", str(size), "--only", *only], seconds=seconds)


ENGINES = (
    ("hinny", "minisearch", "zbsearch", "sqlite"),
    ("pagefind", "flexsearch", "orama", "lunr", "fuse"),
)
RANKED = ("scifact", "nfcorpus", "cranfield", "manual_concept")
"""Collections with an aim for words alone; `make eval` measures every method on all collections."""
# Times first, while nobody has touched the machine; then sizes and relevance, which do not depend on it.
BENCHES: dict[str, Bench] = {
    "startup": Bench(["bench/startup.py"], quick=["--rounds", "1"], seconds=160, quick_seconds=28),
    "roundtrip": Bench(["bench/roundtrip.py"], quick=[], seconds=8, quick_seconds=8),
    "pipeline": Bench(["bench/pipeline_browser.py"], quick=[], seconds=8, quick_seconds=8),
    "models": Bench(["bench/models.py"], seconds=32),
    "vectors-browser": Bench(["-m", "bench.vectors_browser"], seconds=32),
    "vectors": Bench(["bench/vector_rivals.py"], seconds=75),
    "embed": Bench(["bench/embed_rivals.py"], seconds=45),
    "scifact": _rivals("scifact", seconds=300, quick=True),
    "typing": _rivals("typing", seconds=150),
    "manual": _rivals("manual", seconds=110),
    "words": Bench(["bench/lexical_cpython.py"], data=True, seconds=24),
    "cpython": Bench(["bench/cpython_rivals.py"], quick=["--quick"], seconds=38, quick_seconds=20),
    "build": Bench(["bench/build_manual.py"], quick=[], seconds=19, quick_seconds=19),
    "profile": Bench(["bench/profile_query.py"], seconds=45),
    "sections-1000": _scaling(1_000, 60, *ENGINES[0], *ENGINES[1]),
    "sections-10000": _scaling(10_000, 160, *ENGINES[0], *ENGINES[1]),
    "sections-100000": _scaling(100_000, 200, *ENGINES[0]),
    "first-answer": Bench(["bench/first_answer.py"], quick=[], seconds=20, quick_seconds=20),
    "words-size": Bench(
        ["bench/lexical_size.py", "--minisearch", str(MODULES)],
        data=True,
        quick=[],
        seconds=30,
        quick_seconds=30,
    ),
    "book-index": _rivals("book_index", seconds=80),
    "collections": _rivals("nfcorpus", "cranfield", "mdn_js", "tldr", seconds=215),
    "passages": _rivals("belebele_en", "xquad_en", "belebele_zh", "xquad_zh", seconds=100),
    "relevance": Bench(["bench/lexical_eval.py", *RANKED], data=True, seconds=15),
    "relevance-vectors": Bench(["-m", "bench.vectors", *RANKED[:2]], data=True, seconds=50),
    # Last, so that the run's bound takes what is least of all.
    "sections-100000-more": _scaling(100_000, 320, *ENGINES[1]),
}
