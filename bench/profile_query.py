"""Where the time of a question and of a start goes: `make profile`, into bench/results/profile.json.

    python bench/profile_query.py [--site demo] [--rounds 5]

Start: how long each stage takes of what the client marks, in Chromium with an empty cache and again from it.
Question: the trip from page to worker and back; inside it the worker and the crossing of both boundaries, and
what Python spends on words, ranking, texts and excerpts. Words: cProfile's account of 200 searches inside
Pyodide, by who has the time of its own (numpy, Python's own functions, our packages) and by function. What
onnxruntime takes for a question's vector is measured in embed_rivals.py. Prints one flat JSON object.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402
from harness import HERE, Chromium, run_python, served  # noqa: E402
from lexical_page import runtime_folder  # noqa: E402

from lexical_cpython import manual_documents  # noqa: E402
from rival_run import Ours  # noqa: E402
from rival_work import Work  # noqa: E402
from roundtrip import QUESTIONS  # noqa: E402
from site_arguments import site_arguments  # noqa: E402

KEPT = RESULTS / "profile.json"
SETTLE_MS = 3000
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
    return json.dumps(
        [[file, name, calls, own * 1000] for (file, _, name), (_, calls, own, _, _) in stats.items()]
    )

await profile()
"""
Row = tuple[str, str, int, float]
"""File, function, calls, milliseconds of its own."""


def stages(marks: Mapping[str, float]) -> dict[str, float]:
    """From moments to what lies between each and the one before, in their order."""
    found: dict[str, float] = {}
    before = 0.0
    for name, at in sorted(marks.items(), key=lambda item: item[1]):
        found[name] = round(at - before, 1)
        before = at
    return found


def owner(file: str, name: str) -> str:
    """Who a function belongs to."""
    if "numpy" in file or "numpy" in name:
        return "numpy"
    if "hinny/" in file:
        return f"hinny.{file.rpartition('hinny/')[2].split('/')[0].removesuffix('.py')}"
    return "Python's own functions" if file == "~" else "Python's library"


def shares(rows: Iterable[Row]) -> dict[str, float]:
    """Each owner's share of all own time, the largest first."""
    totals: dict[str, float] = {}
    for file, name, _, own in rows:
        totals[owner(file, name)] = totals.get(owner(file, name), 0.0) + own
    whole = sum(totals.values()) or 1.0
    return {who: round(own / whole, 3) for who, own in sorted(totals.items(), key=lambda item: -item[1])}


def largest(rows: Iterable[Row], count: int = 15) -> list[dict[str, Any]]:
    """The functions with the most time of their own."""
    chosen = sorted(rows, key=lambda row: -row[3])[:count]
    return [
        {"function": f"{file.rpartition('hinny/')[2]} {name}", "calls": calls, "ms": round(own, 3)}
        for file, name, calls, own in chosen
    ]


def moments(visit: Mapping[str, Any]) -> dict[str, float]:
    """All numbers that a visit says, its marks among them."""
    marks = visit.get("marks") or {}
    found = {str(name): float(at) for name, at in marks.items() if isinstance(at, int | float)}
    return found | {name: visit[name] for name in ("opened", "first") if name in visit}


def question_stages(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Medians by stage; `worker and crossing` is the trip without Python."""
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    found = {name: round(median(row.get(name, 0.0) for row in rows), 3) for name in names}
    crossing = median(row["trip"] - row["python"] for row in rows)
    return {"trip": found.pop("trip"), "worker and crossing": round(crossing, 3), **found}


def run(site: Path, rounds: int) -> dict[str, Any]:
    """Stages of a start (cold and warm), stages of a question, and the functions behind its words."""
    found: dict[str, Any] = {}
    with served({"": HERE, "site": site}) as address, Chromium() as chromium, chromium.profile() as context:
        for state in ("cold", "warm"):
            page = context.new_page()
            page.goto(f"{address}/hinny.html")
            found[f"boot_{state}"] = stages(moments(page.evaluate("finished")))
            if state == "warm":
                found["question_ms"] = question_stages(page.evaluate(ASK, [QUESTIONS, rounds]))
            else:
                page.wait_for_timeout(SETTLE_MS)
            page.close()
    rows = functions()
    return found | {"shares": shares(rows), "functions": largest(rows)}


def functions() -> list[Row]:
    """cProfile inside Pyodide over the manual's words."""
    work = Work("manual", manual_documents(), ("title", "headings", "text"))
    with tempfile.TemporaryDirectory(prefix="hinny-profile-") as name, runtime_folder() as runtime:
        (Path(name) / "manual.zip").write_bytes(Ours(work).archive())
        with (
            served({"": HERE, "runtime": runtime, "data": Path(name)}) as address,
            Chromium() as chromium,
            chromium.profile() as context,
        ):
            shown = run_python(context, address, PROFILE.replace("QUESTIONS", repr(QUESTIONS)))
    return [(file, name, calls, own) for file, name, calls, own in json.loads(shown)]


def main() -> None:
    """Measure, keep, print."""
    given = site_arguments(__doc__, rounds=5)
    found = run(given.site, given.rounds)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(found, indent=1) + "\n")
    flat = {f"profile_{name.replace(' ', '_')}_ms": value for name, value in found["question_ms"].items()}
    print(json.dumps(flat, indent=1))


if __name__ == "__main__":
    main()
