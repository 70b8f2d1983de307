"""The command line of benchmarks over a built site."""

from __future__ import annotations

import argparse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def site_arguments(doc: str | None, rounds: int | None = None) -> argparse.Namespace:
    """`--site`, made absolute, and `--rounds` where there are any."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--site", type=Path, default=ROOT / "demo", help="a folder built with --offline")
    if rounds is not None:
        parser.add_argument("--rounds", type=int, default=rounds)
    found = parser.parse_args()
    found.site = found.site.resolve()
    return found
