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
    by_name: bool = False
    """Whether only a call that names it runs it."""


def _rivals(*parts: str, seconds: float, quick: bool = False) -> Bench:
    arguments = ["bench/lexical_rivals.py", "--parts", *parts]
    return Bench(arguments, quick=["--quick"] if quick else None, seconds=seconds, quick_seconds=80)


def _scaling(size: int, seconds: float, *only: str, by_name: bool = False) -> Bench:
    arguments = ["bench/scaling.py", "--sizes", str(size), "--only", *only]
    return Bench(arguments, seconds=seconds, by_name=by_name)


ENGINES = (
    ("hinny", "minisearch", "zbsearch", "sqlite"),
    ("pagefind", "flexsearch", "orama", "lunr", "fuse"),
)
RANKED = ("scifact", "nfcorpus", "cranfield", "manual_concept")
"""Collections with an aim for words alone; `make eval` measures every method on all collections."""
# Times first, while nobody has touched the machine; then sizes and relevance, which do not depend on it.
BENCHES: dict[str, Bench] = {
    "startup": Bench(["bench/startup.py"], quick=["--rounds", "1"], seconds=150, quick_seconds=32),
    "roundtrip": Bench(["bench/roundtrip.py"], quick=[], seconds=9, quick_seconds=9),
    "pipeline": Bench(["bench/pipeline_browser.py"], quick=[], seconds=8, quick_seconds=8),
    "models": Bench(["bench/models.py"], seconds=32),
    "vectors-browser": Bench(["-m", "bench.vectors_browser"], seconds=40),
    "vectors": Bench(["bench/vector_rivals.py"], seconds=86),
    "embed": Bench(["bench/embed_rivals.py"], seconds=30),
    "scifact": _rivals("scifact", seconds=335, quick=True),
    "typing": _rivals("typing", seconds=190),
    "manual": _rivals("manual", seconds=100),
    "words": Bench(["bench/lexical_cpython.py"], data=True, seconds=25),
    "cpython": Bench(["bench/cpython_rivals.py"], quick=["--quick"], seconds=40, quick_seconds=20),
    "build": Bench(["bench/build_manual.py"], quick=[], seconds=19, quick_seconds=19),
    "profile": Bench(["bench/profile_query.py"], seconds=32),
    "sections-1000": _scaling(1_000, 65, *ENGINES[0], *ENGINES[1]),
    "sections-10000": _scaling(10_000, 190, *ENGINES[0], *ENGINES[1]),
    "sections-100000": _scaling(100_000, 230, *ENGINES[0]),
    "first-answer": Bench(["bench/first_answer.py"], quick=[], seconds=27, quick_seconds=27),
    "words-size": Bench(
        ["bench/lexical_size.py", "--minisearch", str(MODULES)],
        data=True,
        quick=[],
        seconds=35,
        quick_seconds=35,
    ),
    "relevance": Bench(["bench/lexical_eval.py", *RANKED], data=True, seconds=12),
    "relevance-vectors": Bench(["-m", "bench.vectors", *RANKED[:2]], data=True, seconds=60),
    "book-index": _rivals("book_index", seconds=75),
    "passages": _rivals("belebele_en", "xquad_en", "belebele_zh", "xquad_zh", seconds=115),
    "collections": _rivals("nfcorpus", "cranfield", "mdn_js", "tldr", seconds=330),
    # Its rival brings PyTorch, which has to be installed by hand.
    "late": Bench(["bench/late_rivals.py"], seconds=120, by_name=True),
    # Some of these take minutes over so many sections.
    "sections-100000-more": _scaling(100_000, 360, *ENGINES[1], by_name=True),
}
