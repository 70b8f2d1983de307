"""Start-up in Chromium: from navigation to the first hit, against plain Pyodide with numpy in the same run.

    python bench/startup.py [--site demo] [--rounds 3]

A round is a new profile for each of the two, one cold visit and two warm ones, in turns, so that a busy
machine slows both. The plain page is what one would write without Hinny: `loadPyodide`, then
`loadPackage("numpy")` and one numpy result; it has no index to open and no question to answer. Ratios are
medians of the rounds' own.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench" / "browser"))

from harness import HERE, Chromium, plain_runtime, served  # noqa: E402

# Long enough for the browser to write its caches.
SETTLE_MS = 3000


def _visits(context: Any, url: str) -> list[dict[str, Any]]:
    """One cold visit and two warm ones, each in a page of its own."""
    found = []
    for _ in range(3):
        page = context.new_page()
        page.goto(url)
        found.append(page.evaluate("finished"))
        page.wait_for_timeout(SETTLE_MS)
        page.close()
    return found


def run(site: Path, rounds: int = 3) -> dict[str, float]:
    """`startup_ratio_cold`, `startup_ratio_warm` and the milliseconds behind them."""
    cold: dict[str, list[float]] = {"plain": [], "hinny": []}
    warm: dict[str, list[float]] = {"plain": [], "hinny": []}
    with plain_runtime() as runtime, Chromium() as chromium:
        folders = {"": HERE, "runtime": runtime, "site": site}
        for turn in range(rounds):
            for name in sorted(cold, reverse=bool(turn % 2)):
                with served(folders) as address, chromium.profile() as context:
                    visits = _visits(context, f"{address}/{name}.html")
                if name == "hinny" and not all(visit["hits"] for visit in visits):
                    raise RuntimeError("a first question found nothing")
                cold[name].append(visits[0]["first"])
                warm[name].append(median(visit["first"] for visit in visits[1:]))
    ratios = {
        f"startup_ratio_{what}": median(h / p for h, p in zip(times["hinny"], times["plain"], strict=True))
        for what, times in (("cold", cold), ("warm", warm))
    }
    milliseconds = {
        f"startup_{what}_{name}_ms": median(times[name])
        for what, times in (("cold", cold), ("warm", warm))
        for name in ("hinny", "plain")
    }
    return {name: round(value, 3) for name, value in (ratios | milliseconds).items()}


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--site", type=Path, default=ROOT / "demo", help="a folder built with --offline")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.site, arguments.rounds), indent=1))


if __name__ == "__main__":
    main()
