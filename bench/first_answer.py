"""What a first visit fetches until the first answer: requests and bytes, in Chromium with an empty cache.

    python bench/first_answer.py [--site demo]

Bytes as any web server sends them: text, scripts and wasm gzipped, what is packed already as it is. A
keyword question and a sentence are asked in visits of their own. `first_answer_index_*` is the part of it
that belongs to the site rather than to the runtime and the scripts, which all sites of one version share.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench" / "browser"))

from harness import HERE, Chromium, Folders, served  # noqa: E402

SENTENCE = "How do I keep the server from running out of transaction ids?"
ASK = "async (text) => (await session.search({ text, limit: 10 })).results.length"


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


def run(site: Path) -> dict[str, float]:
    """`first_answer_bytes`, `first_answer_requests` and their parts."""
    asked: list[Path] = []
    handler = type("_Handler", (_Counting,), {"asked": asked})
    with (
        served({"": HERE, "site": site}, handler) as address,
        Chromium() as chromium,
        chromium.profile() as context,
    ):
        page = context.new_page()
        page.goto(f"{address}/hinny.html")
        if not page.evaluate("finished.then(({ hits }) => hits)"):
            raise RuntimeError("the first question found nothing")
        first = dict.fromkeys(path for path in asked if path.is_relative_to(site))
        before = len(asked)
        page.evaluate(ASK, SENTENCE)
        sentence = dict.fromkeys(path for path in asked[before:] if path.is_relative_to(site))
    index = [path for path in first if _of_site(path, site)]
    found: dict[str, Any] = {
        "first_answer_bytes": sum(map(sent, first)),
        "first_answer_requests": len(first),
        "first_answer_index_bytes": sum(map(sent, index)),
        "first_answer_index_requests": len(index),
        "next_sentence_bytes": sum(map(sent, sentence)),
        "next_sentence_requests": len(sentence),
    }
    return {name: float(value) for name, value in found.items()}


def _of_site(path: Path, site: Path) -> bool:
    return path.relative_to(site).parts[0] not in ("app", "runtime")


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--site", type=Path, default=ROOT / "demo", help="a folder built with --offline")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.site.resolve()), indent=1))


if __name__ == "__main__":
    main()
