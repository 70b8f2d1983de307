"""What a first visit fetches until the first answer, and what each further question fetches, in Chromium.

    python bench/first_answer.py [--site demo]

Hinny over the built site, and Pagefind, the other engine whose index is split into files, over one page a
section of the same manual; both show ten hits with excerpts, with an empty cache. Bytes as any web server
sends them: text, scripts and wasm gzipped, what is packed already as it is. `first_answer_index_*` is the
part of it that belongs to the site rather than to the runtime and the scripts, which all sites of one version
share. Then a sentence, then twenty questions in the same visit: what each adds, as the median. Details for
the report go to bench/results/requests.json; prints one flat JSON object.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean, median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402
from bench.rivals_npm import prepared  # noqa: E402
from harness import HERE, Chromium, Folders, served  # noqa: E402

import rival_pagefind  # noqa: E402
from roundtrip import QUESTIONS  # noqa: E402
from site_arguments import site_arguments  # noqa: E402

KEPT = RESULTS / "requests.json"
SENTENCE = "How do I keep the server from running out of transaction ids?"
OURS = "async (text) => (await session.search({ text, limit: 10 })).results.length"
THEIRS = "(text) => ask(text)"


class _Counting(Folders):
    """Remembers which files it was asked for, in order."""

    asked: list[Path]

    def do_GET(self) -> None:  # noqa: N802
        path = Path(self.translate_path(self.path))
        if path.is_file():
            self.asked.append(path)
        super().do_GET()


def sent(path: Path) -> int:
    """Bytes of a file as a web server with gzip sends it."""
    data = path.read_bytes()
    return min(len(data), len(gzip.compress(data, 6, mtime=0)))


def visit(folders: Mapping[str, Path], page_name: str, ask: str, below: Path) -> list[list[Path]]:
    """Files below a folder that a page fetches: until its first answer, then for each further question."""
    asked: list[Path] = []
    handler = type("_Handler", (_Counting,), {"asked": asked})
    steps: list[list[Path]] = []
    seen: set[Path] = set()

    def step() -> None:
        fresh = [path for path in dict.fromkeys(asked) if path.is_relative_to(below) and path not in seen]
        seen.update(fresh)
        steps.append(fresh)

    with (
        served({"": HERE, **folders}, handler) as address,
        Chromium() as chromium,
        chromium.profile() as context,
    ):
        page = context.new_page()
        page.goto(f"{address}/{page_name}")
        page.wait_for_function("globalThis.finished")
        if not page.evaluate("finished.then(({ hits }) => hits)"):
            raise RuntimeError(f"{page_name}: the first question found nothing")
        step()
        for text in (SENTENCE, *QUESTIONS):
            page.evaluate(ask, text)
            step()
    return steps


def counted(steps: list[list[Path]], of_index: Callable[[Path], bool]) -> dict[str, float]:
    """Bytes and requests of the first answer, the sentence after it, and the twenty questions."""
    first, sentence, *rest = steps
    index = [path for path in first if of_index(path)]
    return {
        "first_answer_bytes": float(sum(map(sent, first))),
        "first_answer_requests": float(len(first)),
        "first_answer_index_bytes": float(sum(map(sent, index))),
        "first_answer_index_requests": float(len(index)),
        "next_sentence_bytes": float(sum(map(sent, sentence))),
        "next_sentence_requests": float(len(sentence)),
        "question_bytes": median(float(sum(map(sent, files))) for files in rest),
        "question_requests": median(float(len(files)) for files in rest),
        "question_bytes_mean": round(mean(sum(map(sent, files)) for files in rest)),
    }


def ours(site: Path) -> dict[str, float]:
    """Hinny over a built site."""
    steps = visit({"site": site}, "hinny.html", OURS, site)
    return counted(steps, lambda path: path.relative_to(site).parts[0] not in ("app", "runtime"))


def pagefind() -> dict[str, float]:
    """Pagefind over the manual's sections."""
    from lexical_cpython import manual_documents
    from rival_work import Work

    prepared()
    work = Work("manual", manual_documents(), ("title", "headings", "text"))
    with tempfile.TemporaryDirectory(prefix="hinny-pagefind-") as name:
        folder = Path(name)
        rival_pagefind.build(work.plain(), folder, "/pagefind/")
        steps = visit({"pagefind": folder}, "pagefind.html", THEIRS, folder)
        shared = (".js", ".pagefind")
        return counted(steps, lambda path: path.suffix not in shared)


def run(site: Path) -> dict[str, Any]:
    """Engine to its counts, or to why it failed."""
    found: dict[str, Any] = {"hinny": ours(site)}
    try:
        found["pagefind"] = pagefind()
    except (OSError, RuntimeError, subprocess.SubprocessError) as problem:
        found["pagefind"] = {"failed": str(problem)}
    return found


def flat(found: Mapping[str, Any]) -> dict[str, float]:
    """Ours under their names, the other's with its name behind them."""
    return found["hinny"] | {
        f"{key}_{name}": value
        for name, row in found.items()
        if name != "hinny" and "failed" not in row
        for key, value in row.items()
    }


def main() -> None:
    """Measure, keep, print."""
    found = run(site_arguments(__doc__).site)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(flat(found), indent=1))


if __name__ == "__main__":
    main()
