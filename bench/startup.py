"""Start-up in Chromium: from navigation to the first hit, against plain Pyodide with numpy in the same run.

    python bench/startup.py [--site demo] [--rounds 5]

A round gives each of the two a new profile and then visits them in turns, once cold and twice warm, the order
changing with every visit and round, so that a busy machine slows both. The plain page is what one would write
without Hinny: `loadPyodide`, then `loadPackage("numpy")` and one numpy result; it has no index to open and no
question to answer. A round has a ratio of its own, warm from the two visits' medians; what counts is the
median of the rounds' ratios, with the least and the largest beside it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from harness import HERE, Chromium, plain_runtime, served  # noqa: E402

from site_arguments import site_arguments  # noqa: E402

NAMES = ("hinny", "plain")
WARM = 2
# Long enough for the browser to write its caches.
SETTLE_MS = 3000
Times = Mapping[str, Sequence[float]]


def visit(context: Any, url: str, *, last: bool) -> dict[str, Any]:
    """One visit in a page of its own: what it says once it is done; the caches serve a visit that follows."""
    page = context.new_page()
    page.goto(url)
    found: dict[str, Any] = page.evaluate("finished")
    if not last:
        page.wait_for_timeout(SETTLE_MS)
    page.close()
    return found


def one_round(chromium: Chromium, folders: Mapping[str, Path], turn: int) -> dict[str, list[float]]:
    """Milliseconds of each one's visits, the cold one first."""
    times: dict[str, list[float]] = {name: [] for name in NAMES}
    with ExitStack() as stack:
        opened = {
            name: (stack.enter_context(served(folders)), stack.enter_context(chromium.profile()))
            for name in NAMES
        }
        for at in range(1 + WARM):
            for name in sorted(NAMES, reverse=bool((turn + at) % 2)):
                address, context = opened[name]
                found = visit(context, f"{address}/{name}.html", last=at == WARM)
                if name == "hinny" and not found["hits"]:
                    raise RuntimeError("a first question found nothing")
                times[name].append(found["first"])
    return times


def figures(rounds: Sequence[Times]) -> dict[str, float]:
    """Ratios (median, least, largest of the rounds) and both sides' medians, cold and warm."""
    found: dict[str, float] = {}
    for what, typical in (("cold", lambda visits: visits[0]), ("warm", lambda visits: median(visits[1:]))):
        sides = {name: [typical(each[name]) for each in rounds] for name in NAMES}
        ratios = [ours / theirs for ours, theirs in zip(sides["hinny"], sides["plain"], strict=True)]
        found[f"startup_ratio_{what}"] = median(ratios)
        found[f"startup_ratio_{what}_least"] = min(ratios)
        found[f"startup_ratio_{what}_largest"] = max(ratios)
        found |= {f"startup_{what}_{name}_ms": median(values) for name, values in sides.items()}
    return {name: round(value, 3) for name, value in found.items()} | {"startup_rounds": float(len(rounds))}


def run(site: Path, rounds: int) -> dict[str, float]:
    """All rounds in one Chromium program after another."""
    with plain_runtime() as runtime, Chromium() as chromium:
        folders = {"": HERE, "runtime": runtime, "site": site}
        return figures([one_round(chromium, folders, turn) for turn in range(rounds)])


if __name__ == "__main__":
    given = site_arguments(__doc__, rounds=5)
    print(json.dumps(run(given.site, given.rounds), indent=1))
