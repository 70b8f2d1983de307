"""Hinny's words beside the search engines of npm: one Chromium, the same documents and questions, in turns.

    python bench/lexical_rivals.py [--quick] [--only NAME ...] [--parts PART ...] [--keep FILE]

Each rival shares a page with Hinny and nobody else; both have workers of their own and are asked each
question in turn, the order changing with every question; a time is what passes inside the worker between a
text and its ids. Questions of another set warm both up, then each is asked in every round: an engine's
figure for a question is the median of its rounds, `first` is the first round alone. The set-up of each engine
is what its own documentation recommends (bench/rivals/engines). An engine that fails, or whose page dies, is
written down as failed. Details go to bench/results/rivals.json, part by part; prints one flat JSON object.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402
from bench.rivals_npm import DIST, prepared  # noqa: E402
from lexical_page import engine_pages, runtime_folder  # noqa: E402

import rival_pagefind  # noqa: E402
from rival_figures import failures, flat  # noqa: E402
from rival_keeping import Keeping, keeping_parser  # noqa: E402
from rival_parts import PARTS, ROUNDS  # noqa: E402
from rival_run import PAGEFIND, Run  # noqa: E402

KEPT = RESULTS / "rivals.json"
SETUP = (
    "LexicalIndex with its defaults (stemming, typos for words that it lacks); with typos: every word as a "
    "prefix and with typos; typing: as_you_type; phrases in quotation marks. Built on CPython, positions "
    "apart"
)


def every_rival() -> dict[str, dict[str, Any]]:
    """What is known of each rival, by name."""
    words = {name: about for name, about in prepared().items() if "modes" in about}
    pagefind = rival_pagefind.ABOUT | {"version": rival_pagefind.version()}
    return dict(sorted({**words, PAGEFIND: pagefind}.items()))


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], Any]]:
    """A bar on a terminal that hears of engines opened and questions asked."""
    from tqdm import tqdm

    with tqdm(total=total, unit="step", desc="rivals", disable=None, file=sys.stderr) as bar:
        yield bar.update


def main() -> None:
    """Measure, keep the details, print the figures."""
    parser = keeping_parser(__doc__, KEPT)
    parser.add_argument("--only", nargs="*", help="these rivals only, beside those kept")
    parser.add_argument("--parts", nargs="*", choices=list(PARTS), help="these parts only, beside those kept")
    parser.add_argument("--rounds", type=int, help=f"of plain questions (default: {ROUNDS}, quick: 1)")
    arguments = parser.parse_args()
    rounds = arguments.rounds or (1 if arguments.quick else ROUNDS)
    known = every_rival()
    rivals = {name: about for name, about in known.items() if not arguments.only or name in arguments.only}
    keeping = Keeping(arguments.keep, known, SETUP, fresh=not arguments.parts and not arguments.only)
    steps = 4000 if arguments.quick else 20_000
    with (
        progress(steps) as advance,
        tempfile.TemporaryDirectory(prefix="hinny-rivals-") as name,
        runtime_folder() as runtime,
    ):
        folders = {"runtime": runtime, "data": Path(name), "rivals": DIST}
        with engine_pages(folders, advance=advance) as opened:
            whole = Run(opened, rivals, Path(name))
            for part in arguments.parts or list(PARTS):
                for group, rows in PARTS[part](whole, arguments.quick, rounds):
                    keeping.add(group, rows, quick=arguments.quick)
    for what, reason in failures(keeping.results).items():
        print(f"failed: {what}: {reason}", file=sys.stderr)
    print(json.dumps(flat(keeping.results), indent=1))


if __name__ == "__main__":
    main()
