"""The three largest costs before and after: `python bench/profile_compare.py [--before REV] [--after REV]`.

Both commits are checked out and built (bench/checkouts.py), then measured in turns by the same code, each
in a Chromium of its own: words with typos and beginnings (over the manual's sections, inside Pyodide),
excerpts (their share of a question to the built manual), and a search over 10,000 vectors (each commit's
own bench/vectors_browser.py, whose way into the kernel is what changed). Medians of the rounds go to
bench/results/costs.json; prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402

from checkouts import Tree, tree  # noqa: E402
from rival_work import PHRASES  # noqa: E402

KEPT = RESULTS / "costs.json"
BEFORE = "db48148"
"""The last commit before words with typos, excerpts and the vectors' boundary were made cheaper."""
COSTS = {
    "fuzzy_ms": "words with typos and beginnings, one question",
    "typing_ms": "a key as one types",
    "excerpts_ms": "excerpts of ten hits",
    "vectors_ms": "a search over 10,000 vectors",
}


def words(site: Path) -> dict[str, float]:
    """Run inside a tree's own package: fuzzy and typed searches in Pyodide, and a question's excerpts."""
    from harness import HERE, Chromium, served
    from lexical_page import engines_page, runtime_folder

    from lexical_cpython import manual_documents
    from profile_query import ASK, question_stages
    from rival_figures import times
    from rival_run import OURS, Ours
    from rival_work import Work
    from roundtrip import QUESTIONS

    work = Work("manual", manual_documents(), ("title", "headings", "text"))
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="hinny-costs-") as name, runtime_folder() as runtime:
        (Path(name) / "manual.zip").write_bytes(Ours(work).archive())
        (Path(name) / "manual.json").write_text("[]")
        given = [{"name": OURS, "module": "/lexical-hinny.js", "prebuilt": "/data/manual.zip"}]
        with engines_page({"runtime": runtime, "data": Path(name)}) as engines:
            opened = engines.open(given, "/data/manual.json", work.fields)[OURS]
            if "failed" in opened:
                raise RuntimeError(opened["failed"])
            for mode in ("fuzzy", "typing"):
                texts = [*PHRASES[4:]]
                if mode == "typing":
                    texts = [text[: len(text) * part // 4] for text in texts for part in (1, 2, 3)]
                plan = {OURS: {"mode": mode, "every": 1, "rounds": 2}}
                answers = engines.compare(plan, texts, rounds=2, warm=PHRASES[:4])
                found[f"{mode}_ms"] = times(answers[OURS])["median"]
    with served({"": HERE, "site": site}) as address, Chromium() as chromium, chromium.profile() as context:
        page = context.new_page()
        page.goto(f"{address}/hinny.html")
        stages = question_stages(page.evaluate(ASK, [QUESTIONS, 3]))
    return found | {"excerpts_ms": stages["excerpts"], "question_ms": stages["trip"]}


def measured(at: Tree) -> dict[str, float]:
    """One round over one tree."""
    script = str(Path(__file__).resolve())
    found: dict[str, float] = json.loads(at.run(sys.executable, script, "--words", str(at.site)))
    command = (sys.executable, "-m", "bench.vectors_browser", "--rounds", "20")
    shown = at.run(*command)
    figures = json.loads(shown[shown.index("{") :])
    return found | {"vectors_ms": figures["dense_search_ms"]}


def costs(before: Tree, after: Tree, rounds: int) -> dict[str, Any]:
    """Both sides in turns; medians of the rounds."""
    sides: dict[str, list[dict[str, float]]] = {"before": [], "after": []}
    trees = {"before": before, "after": after}
    for turn in range(rounds):
        for side in sorted(trees, reverse=bool(turn % 2)):
            sides[side].append(measured(trees[side]))
    rows = []
    for key, cost in {**COSTS, "question_ms": "a whole question to the manual, page to page"}.items():
        values = {side: median(row[key] for row in found) for side, found in sides.items()}
        rows.append({"cost": cost, "key": key, **{side: round(value, 3) for side, value in values.items()}})
    return {"before": before.commit[:7], "after": after.commit[:7], "rounds": rounds, "costs": rows}


def main() -> None:
    """Build, measure, keep, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--before", default=BEFORE)
    parser.add_argument("--after", default="HEAD")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--build", action="store_true", help="only check out and build both")
    parser.add_argument("--words", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.words:
        print(json.dumps(words(arguments.words)))
        return
    trees = tree(arguments.before), tree(arguments.after)
    if arguments.build:
        return
    found = costs(*trees, arguments.rounds)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(found, indent=1) + "\n")
    flat = {f"cost_{row['key']}_{side}": row[side] for row in found["costs"] for side in ("before", "after")}
    print(json.dumps(flat, indent=1))


if __name__ == "__main__":
    main()
