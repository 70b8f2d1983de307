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
    named: bool = False
    """Whether it runs only when it is named: it would make a whole run too long."""
    timed: bool = True
    """Whether its figures are times: those go first, while nobody has touched the machine."""


def _rivals(*parts: str, seconds: float, quick: bool = False, timed: bool = True) -> Bench:
    arguments = ["bench/lexical_rivals.py", "--parts", *parts]
    return Bench(
        arguments, quick=["--quick"] if quick else None, seconds=seconds, quick_seconds=80, timed=timed
    )


def _scaling(size: int, seconds: float, *only: str) -> Bench:
    return Bench(["bench/scaling.py", "--sizes", str(size), "--only", *only], seconds=seconds)


ENGINES = (
    ("hinny", "minisearch", "zbsearch", "sqlite"),
    ("orama", "flexsearch", "lunr", "pagefind", "fuse"),
)
RANKED = ("scifact", "nfcorpus", "cranfield", "manual_concept")
"""Collections with an aim for words alone; `make eval` measures every method on all collections."""
BENCHES: dict[str, Bench] = {
    "startup": Bench(["bench/startup.py"], quick=["--rounds", "1"], seconds=195, quick_seconds=30),
    "roundtrip": Bench(["bench/roundtrip.py"], quick=[], seconds=10, quick_seconds=10),
    "pipeline": Bench(["bench/pipeline_browser.py"], quick=[], seconds=10, quick_seconds=15),
    "models": Bench(["bench/models.py"], seconds=30),
    "vectors-browser": Bench(["-m", "bench.vectors_browser"], seconds=35),
    "vectors": Bench(["bench/vector_rivals.py"], seconds=70),
    "embed": Bench(["bench/embed_rivals.py"], seconds=35),
    "scifact": _rivals("scifact", seconds=480, quick=True),
    "typing": _rivals("typing", seconds=200),
    "manual": _rivals("manual", seconds=160),
    "words": Bench(["bench/lexical_cpython.py"], data=True, seconds=30),
    "cpython": Bench(["bench/cpython_rivals.py"], quick=["--quick"], seconds=40, quick_seconds=20),
    "build": Bench(["bench/build_manual.py"], quick=[], seconds=20, quick_seconds=25),
    "profile": Bench(["bench/profile_query.py"], seconds=45),
    "sections-1000": _scaling(1_000, 80, *ENGINES[0], *ENGINES[1]),
    "sections-10000": _scaling(10_000, 200, *ENGINES[0], *ENGINES[1]),
    "sections-100000": _scaling(100_000, 270, *ENGINES[0]),
    "sections-100000-more": _scaling(100_000, 320, *ENGINES[1])._replace(named=True),
    "first-answer": Bench(["bench/first_answer.py"], quick=[], seconds=20, quick_seconds=25, timed=False),
    "words-size": Bench(
        ["bench/lexical_size.py", "--minisearch", str(MODULES)],
        data=True,
        quick=[],
        seconds=35,
        quick_seconds=40,
        timed=False,
    ),
    "chinese": _rivals("belebele_zh", "xquad_zh", seconds=60, timed=False),
    "collections": _rivals(
        "nfcorpus", "cranfield", "manual_concept", "manual_sentences", "mdn_js", seconds=140, timed=False
    ),
    "collections-more": _rivals("tldr", "belebele_en", "xquad_en", seconds=100, timed=False),
    "relevance": Bench(["bench/lexical_eval.py", *RANKED], data=True, seconds=60, timed=False),
    "relevance-vectors": Bench(["-m", "bench.vectors"], data=True, seconds=60, timed=False),
}
