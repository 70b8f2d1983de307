"""Hinny's words on CPython beside bm25s, rank_bm25, tantivy and SQLite FTS5, question by question, in turns.

    python bench/cpython_rivals.py [--quick] [--keep FILE]

SciFact's abstracts and questions (the manual's sections and typed phrases where SciFact is not here, without
relevance), one process, processor time, texts and questions analysed within it. Each engine is built in turn;
then each question goes to every engine, the order changing with every question. An engine that does not
install is shown as failed, with the reason. Details go to bench/results/cpython.json; prints one flat JSON
object.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402

from cpython_engines import ENGINES, Engine, Search, versions  # noqa: E402
from lexical_cpython import manual_documents  # noqa: E402
from rival_figures import rows  # noqa: E402
from rival_keeping import Keeping, keeping_parser  # noqa: E402
from rival_phrases import PHRASES  # noqa: E402
from rival_run import OURS, Pair  # noqa: E402
from rival_work import Work, scifact  # noqa: E402

KEPT = RESULTS / "cpython.json"
LIMIT = 10


def build(engines: Mapping[str, Engine], work: Work) -> tuple[dict[str, Search], dict[str, dict[str, Any]]]:
    """Every engine over the documents, and what each took; or why it failed."""
    made: dict[str, Search] = {}
    facts: dict[str, dict[str, Any]] = {}
    for name, engine in engines.items():
        began = process_time()
        try:
            made[name] = engine.make(work.documents)
        except Exception as problem:  # whatever a rival raises is its result
            facts[name] = {"failed": str(problem) or type(problem).__name__}
        else:
            facts[name] = {"build_ms": round(1000 * (process_time() - began), 1)}
    return made, facts


def ask(made: Mapping[str, Search], work: Work, rounds: int) -> dict[str, dict[str, Any]]:
    """Times [rounds][questions] and ids of every engine; `failed` for one that raises."""
    found: dict[str, dict[str, Any]] = {
        name: {"ms": [[None] * len(work.texts) for _ in range(rounds)], "ids": [], "unstable": 0}
        for name in made
    }
    names = list(made)
    for text in work.warm:
        for name in names:
            _answer(made[name], text, found[name])
    for turn in range(rounds):
        for at, text in enumerate(work.texts):
            for step in range(len(names)):
                name = names[(at + turn + step) % len(names)]
                answer = _answer(made[name], text, found[name])
                if answer is None:
                    continue
                ids, took = answer
                found[name]["ms"][turn][at] = took
                if turn == 0:
                    found[name]["ids"].append(ids)
                elif found[name]["ids"][at] != ids:
                    found[name]["unstable"] += 1
    return {
        name: {"failed": answers["failed"]} if "failed" in answers else answers
        for name, answers in found.items()
    }


def _answer(search: Search, text: str, found: dict[str, Any]) -> tuple[list[str], float] | None:
    if "failed" in found:
        return None
    began = process_time()
    try:
        ids = search(text, LIMIT)
    except Exception as problem:
        found["failed"] = f"{problem} (asked: {text[:80]})"
        return None
    return ids, 1000 * (process_time() - began)


def compare(engines: Mapping[str, Engine], work: Work, rounds: int) -> dict[str, dict[str, Any]]:
    """Rows as beside the rivals of the browser."""
    made, facts = build(engines, work)
    answers = ask(made, work, rounds)
    pairs = {}
    for name in engines:
        if name != OURS:
            theirs = answers.get(name, {"failed": facts[name].get("failed", "")})
            index = {OURS: facts[OURS], name: facts[name]}
            pairs[name] = Pair(index, {"plain": {OURS: answers[OURS], name: theirs}})
    return rows(pairs, {"plain": work})


def flat(group: Mapping[str, Any]) -> dict[str, float]:
    """The flat figures of the summary."""
    found: dict[str, float] = {}
    ours = group[OURS]["index"]["build_ms"]
    for name, row in group.items():
        value = row["plain"]
        if "failed" in value:
            continue
        found[f"cpython_ms_{name}"] = value["median"]
        if "ndcg10" in value:
            found[f"cpython_ndcg10_{name}"] = value["ndcg10"]
        if name != OURS:
            found[f"cpython_vs_{name}"] = value["beside"]["ratio"][0]
            found[f"cpython_build_vs_{name}"] = round(ours / max(row["index"]["build_ms"], 0.1), 3)
    return found


def main() -> None:
    """Measure, keep, print."""
    arguments = keeping_parser(__doc__, KEPT).parse_args()
    work = scifact(60 if arguments.quick else None)
    if work is None:
        work = Work("manual", manual_documents(), ("title", "text"), list(PHRASES))
    group = compare(ENGINES, work, 1 if arguments.quick else 3)
    known = {
        name: {"setup": engine.setup, "version": versions()[name], "module": ""}
        for name, engine in ENGINES.items()
        if name != OURS
    }
    keeping = Keeping(arguments.keep, known, ENGINES[OURS].setup, fresh=True)
    keeping.add(work.name, group, quick=arguments.quick)
    print(json.dumps(flat(group), indent=1))


if __name__ == "__main__":
    main()
