"""Where the time of a question and of a start goes: `make profile`, into bench/results/profile.json.

    python bench/profile_query.py [--site demo]

Start: the marks that the client sets, in Chromium with an empty cache and again from it. Question: the trip
from page to worker and back, and inside it what Python spends on words, ranking, texts and excerpts; then
cProfile's own account of 200 questions inside Pyodide, the functions with the most time of their own.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402
from harness import HERE, Chromium, served  # noqa: E402

from roundtrip import QUESTIONS  # noqa: E402

KEPT = RESULTS / "profile.json"
ASK = """async ([questions, rounds]) => {
  await finished;
  const rows = [];
  for (let round = -1; round < rounds; round++)
    for (const text of questions) {
      const began = performance.now();
      const answer = await session.search({ text, limit: 10 });
      if (round >= 0) rows.push({ trip: performance.now() - began, python: answer.ms, ...answer.timings });
    }
  return rows;
}"""
PROFILE = """
import cProfile, io, json, pstats, sys, zipfile
from js import fetch
from hinny.lexical.index import LexicalIndex

async def opened(url):
    data = await (await fetch(url)).arrayBuffer()
    return zipfile.ZipFile(io.BytesIO(data.to_bytes()))

async def profile():
    (await opened("/runtime/snowballstemmer.zip")).extractall("/lib/stemmer")
    sys.path.append("/lib/stemmer")
    with await opened("/data/manual.zip") as parts:
        index = LexicalIndex.from_parts({name: parts.read(name) for name in parts.namelist()})
    questions = QUESTIONS
    for text in questions:
        index.search(text)
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(10):
        for text in questions:
            index.search(text)
    profiler.disable()
    stats = pstats.Stats(profiler).stats
    rows = sorted(stats.items(), key=lambda item: -item[1][2])[:15]
    return json.dumps([
        {"function": f"{file.rpartition('hinny/')[2]} {name}", "calls": calls, "ms": round(own * 1000, 3)}
        for (file, line, name), (_, calls, own, _, _) in rows
    ])

await profile()
"""


def run(site: Path) -> dict[str, Any]:
    """Stages of a start (cold and warm), stages of a question, and the functions behind its words."""
    found: dict[str, Any] = {}
    with served({"": HERE, "site": site}) as address, Chromium() as chromium, chromium.profile() as context:
        for state in ("cold", "warm"):
            page = context.new_page()
            page.goto(f"{address}/hinny.html")
            found[f"start_{state}"] = page.evaluate("finished")
            if state == "warm":
                rows = page.evaluate(ASK, [QUESTIONS, 5])
            else:
                page.wait_for_timeout(3000)
            page.close()
    names = dict.fromkeys(name for row in rows for name in row)
    found["question_ms"] = {name: round(median(row.get(name, 0.0) for row in rows), 3) for name in names}
    found["functions"] = functions()
    return found


def functions() -> list[dict[str, Any]]:
    """cProfile inside Pyodide over the manual's words."""
    import tempfile

    from harness import run_python
    from lexical_page import runtime_folder

    from lexical_cpython import manual_documents
    from lexical_rivals import Ours
    from rival_work import Work

    work = Work("manual", manual_documents(), ("title", "headings", "text"))
    with tempfile.TemporaryDirectory(prefix="hinny-profile-") as name, runtime_folder() as runtime:
        (Path(name) / "manual.zip").write_bytes(Ours(work).archive())
        with (
            served({"": HERE, "runtime": runtime, "data": Path(name)}) as address,
            Chromium() as chromium,
            chromium.profile() as context,
        ):
            shown = run_python(context, address, PROFILE.replace("QUESTIONS", repr(QUESTIONS)))
    rows: list[dict[str, Any]] = json.loads(shown)
    return rows


def main() -> None:
    """Measure, keep, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--site", type=Path, default=ROOT / "demo", help="a folder built with --offline")
    arguments = parser.parse_args()
    found = run(arguments.site)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
