"""Hinny's words beside the search engines of npm: one Chromium, the same documents and questions, in turns.

    python bench/lexical_rivals.py [--quick] [--only NAME ...] [--parts PART ...] [--keep FILE]

Every engine has a worker of its own and is asked each question in its turn, the order changing with every
question; a time is what passes inside the worker between a text and its ids. Questions of another set warm
everything up, then each is asked in every round: an engine's figure for a question is the median of its
rounds, `first` is the first round alone. The set-up of each engine is what its own documentation recommends
(bench/rivals/engines). An engine that fails is written down as failed. Details go to
bench/results/rivals.json; prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.eval.metrics import ndcg, reciprocal_rank  # noqa: E402
from bench.rivals_npm import DIST, prepared  # noqa: E402
from lexical_page import Engines, engines_page, runtime_folder  # noqa: E402

import rival_pagefind  # noqa: E402
from hinny.lexical.index import LexicalIndex  # noqa: E402
from hinny.records import Document  # noqa: E402
from lexical_cpython import EDITS, manual_documents  # noqa: E402
from rival_work import Typo, Work, holds, scifact, typing, typos  # noqa: E402

RESULTS = ROOT / "bench" / "results" / "rivals.json"
OURS, PAGEFIND = "hinny", "pagefind"
SETUP = (
    "LexicalIndex with its defaults (stemming, typos for words that it lacks); with typos: every word as a "
    "prefix and with typos; typing: as_you_type. Built on CPython, positions apart"
)
MODES = ("plain", "fuzzy", "typing")
ROUNDS = 3


def every_rival() -> dict[str, dict[str, Any]]:
    """What is known of each rival, by name."""
    found = prepared()
    return dict(
        sorted({**found, PAGEFIND: rival_pagefind.ABOUT | {"version": rival_pagefind.version()}}.items())
    )


def gz(data: bytes) -> int:
    """Bytes after gzip at its best."""
    return len(gzip.compress(data, 9, mtime=0))


class Ours:
    """Our index of some documents as the browser gets it, built here."""

    def __init__(self, work: Work) -> None:
        began = perf_counter()
        parts = LexicalIndex.build(work.documents, work.fields, exact=()).to_parts()
        self.build_ms = (perf_counter() - began) * 1000
        # Positions serve phrases only, which no rival of the table has; they are a file of their own.
        self.parts = {name: data for name, data in parts.items() if "positions" not in name}
        self.size = sum(map(len, self.parts.values()))

    def archive(self) -> bytes:
        """The parts in one file, stored as they are."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as packed:
            for name, data in sorted(self.parts.items()):
                packed.writestr(zipfile.ZipInfo(name), data)
        return out.getvalue()


class Run:
    """One run of everything, in one browser."""

    def __init__(self, engines: Engines, rivals: Mapping[str, Mapping[str, Any]], data: Path) -> None:
        self._engines = engines
        self._rivals = rivals
        self._data = data
        self._unable: dict[str, Any] = {}
        self._began = perf_counter()

    def _say(self, done: str) -> None:
        print(f"{perf_counter() - self._began:.0f} s: {done}", file=sys.stderr, flush=True)

    def open(self, work: Work) -> dict[str, Any]:
        """Open every engine over the documents; what each took, and its bytes."""
        ours = Ours(work)
        (self._data / f"{work.name}.json").write_text(json.dumps(work.plain()), encoding="utf-8")
        (self._data / f"{work.name}.zip").write_bytes(ours.archive())
        known: dict[str, dict[str, Any]] = {
            OURS: {"build_ms": ours.build_ms, "raw": ours.size, "gz": ours.size}
        }
        given = [{"name": OURS, "module": "/lexical-hinny.js", "prebuilt": f"/data/{work.name}.zip"}]
        self._unable = {}
        for name, about in self._rivals.items():
            engine = {"name": name, "module": about.get("module", f"/rivals/{name}.js")}
            if name == PAGEFIND:
                try:
                    known[name] = self._pagefind(work)
                except (OSError, RuntimeError, subprocess.SubprocessError) as problem:
                    self._unable[name] = {"failed": str(problem)}
                    continue
                engine["prebuilt"] = f"/data/{work.name}-pagefind.json"
            given.append(engine)
        found = self._engines.open(given, f"/data/{work.name}.json", work.fields) | self._unable
        for name, data in self._engines.kept.items():
            known[name] = {"raw": len(data), "gz": gz(data)}
        for name, facts in known.items():
            if "failed" not in found[name]:
                found[name] |= facts
        try:
            memory = self._engines.memory()
        except Exception:  # an older browser cannot count; nothing else depends on it
            memory = {}
        for name, size in memory.items():
            found[name]["memory"] = size
        self._say(f"{work.name}: engines are open")
        return found

    def _pagefind(self, work: Work) -> dict[str, Any]:
        built = rival_pagefind.build(
            work.plain(), self._data / f"{work.name}-pagefind", f"/data/{work.name}-pagefind/"
        )
        (self._data / f"{work.name}-pagefind.json").write_text(built.pop("data"), encoding="utf-8")
        return built

    def ask(self, work: Work, mode: str, rounds: int, *, sparse: int = 1) -> dict[str, Any]:
        """Ask every engine that has the mode; typos are asked in the mode that corrects them.

        `sparse` makes engines that are asked only every so-manieth text rarer still.
        """
        plan = {}
        for name in (OURS, *self._rivals):
            about = self._rivals.get(name, {})
            chosen = mode
            if mode == "typos":
                chosen = "fuzzy" if name != OURS and "fuzzy" in about["modes"] else "plain"
            if chosen in about.get("modes", MODES):
                every = about.get("every", 1)
                plan[name] = {
                    "mode": chosen,
                    "every": every * sparse if every > 1 else 1,
                    "rounds": min(rounds, about.get("rounds", rounds)),
                }
        found = self._engines.compare(plan, work.texts, rounds=rounds, warm=work.warm)
        self._say(f"{work.name}: asked, {mode}")
        return found | {name: row for name, row in self._unable.items() if name in plan}


def times(found: Mapping[str, Any]) -> dict[str, Any]:
    """Over the questions: median and 95th percentile of their medians over rounds, and of the first round."""
    if "failed" in found:
        return {"failed": found["failed"]}
    asked = [
        [ms for ms in column if ms is not None]
        for column in zip(*found["ms"], strict=True)
        if column[0] is not None
    ]
    typical = sorted(median(column) for column in asked)
    return {
        "median": round(median(typical), 4),
        "p95": round(typical[min(len(typical) - 1, int(0.95 * len(typical)))], 4),
        "first": round(median(column[0] for column in asked), 4),
        "questions": len(asked),
        "unstable": found["unstable"],
        "rankings": hashlib.sha256(json.dumps(found["ids"]).encode()).hexdigest()[:16],
    }


def relevance(found: Mapping[str, Any], work: Work) -> dict[str, float]:
    """nDCG@10 and MRR@10 over the questions that were asked."""
    if "failed" in found or not work.judged:
        return {}
    pairs = [(ids, work.judged[at]) for at, ids in enumerate(found["ids"]) if ids is not None]
    return {
        "ndcg10": round(mean(ndcg(ids, gains) for ids, gains in pairs), 4),
        "mrr10": round(mean(reciprocal_rank(ids, gains) for ids, gains in pairs), 4),
    }


def corrected(
    found: Mapping[str, Any], asked: Sequence[Typo], documents: Sequence[Document]
) -> dict[str, float]:
    """Share of typos for which one of the first five hits has the word that was meant; by kind of edit."""
    if "failed" in found:
        return {}
    by_id = {each.id: each for each in documents}
    kinds: dict[str, list[bool]] = {edit: [] for edit in EDITS}
    for typo, ids in zip(asked, found["ids"], strict=False):
        if ids is not None:
            kinds[typo.edit].append(any(holds(by_id[id], typo.word) for id in ids[:5]))
    every = [good for kind in kinds.values() for good in kind]
    return {"found5": round(mean(every), 4)} | {
        edit: round(mean(kind), 4) for edit, kind in kinds.items() if kind
    }


Part = Callable[[Run, bool, int], Iterator[dict[str, Any]]]


def over_scifact(whole: Run, quick: bool, rounds: int) -> Iterator[dict[str, Any]]:
    """SciFact's questions, plain and with typos; nothing where SciFact is not here."""
    work = scifact(60 if quick else None)
    if work is None:
        return
    rows = {name: {"index": index} for name, index in whole.open(work).items()}
    for mode in ("plain", "fuzzy"):
        for name, found in whole.ask(work, mode, rounds).items():
            rows[name][mode] = times(found) | relevance(found, work)
        yield rows


def over_manual(whole: Run, quick: bool, rounds: int) -> Iterator[dict[str, Any]]:
    """Typos of words of the manual's headings."""
    manual = manual_documents()
    asked = typos(manual, 40 if quick else 250)
    work = Work("manual", manual, ("title", "headings", "text"), [typo.text for typo in asked])
    rows = {name: {"index": index} for name, index in whole.open(work).items()}
    for name, found in whole.ask(work, "typos", 1).items():
        rows[name]["typos"] = times(found) | corrected(found, asked, manual)
    yield rows


def over_typing(whole: Run, quick: bool, rounds: int) -> Iterator[dict[str, Any]]:
    """A phrase key by key over 10,000 sections."""
    work = typing(manual_documents(), phrases=6 if quick else 20)
    rows = {name: {"index": index} for name, index in whole.open(work).items()}
    for name, found in whole.ask(work, "typing", 1, sparse=2).items():
        rows[name]["typing"] = times(found)
    yield rows


PARTS: dict[str, Part] = {"scifact": over_scifact, "manual": over_manual, "typing": over_typing}


def run(
    rivals: Mapping[str, Mapping[str, Any]],
    parts: Sequence[str],
    *,
    quick: bool,
    rounds: int,
    advance: Callable[[int], Any],
    done: Callable[[str, dict[str, Any]], Any],
) -> None:
    """Each part in turn; `done` hears of it and what it found."""
    with tempfile.TemporaryDirectory(prefix="hinny-rivals-") as name, runtime_folder() as runtime:
        folders = {"runtime": runtime, "data": Path(name), "rivals": DIST}
        with engines_page(folders, advance=advance) as engines:
            whole = Run(engines, rivals, Path(name))
            for part in parts:
                for found in PARTS[part](whole, quick, rounds):
                    done(part, found)


def engine_bytes(rivals: Mapping[str, Mapping[str, Any]], results: Mapping[str, Any]) -> dict[str, int]:
    """gzipped bytes of each engine's own code."""
    found = {}
    for name, about in rivals.items():
        if "module" in about:  # not one of our bundles: what built the index has counted its code
            sizes = [row[name]["index"].get("engine_gz", 0) for row in results.values() if name in row]
            found[name] = max(sizes, default=0)
        else:
            files = [f"{name}.js", *about.get("files", ())]
            found[name] = sum(gz((DIST / file).read_bytes()) for file in files)
    return found


def figures(results: Mapping[str, Any]) -> dict[str, float]:
    """The flat figures of the summary."""
    flat: dict[str, float] = {}
    for group, mode, label in (("scifact", "plain", "lexical"), ("scifact", "fuzzy", "lexical_fuzzy")):
        rows = {name: row[mode] for name, row in results.get(group, {}).items() if mode in row}
        ours = rows.get(OURS, {})
        for name, row in rows.items():
            if "median" not in row:
                continue
            flat[f"{label}_ms_{name}"] = row["median"]
            flat[f"{label}_ndcg10_{name}"] = row["ndcg10"]
            if name != OURS and "median" in ours:
                flat[f"{label}_vs_{name}"] = round(ours["median"] / max(row["median"], 1e-6), 4)
                flat[f"{label}_first_vs_{name}"] = round(ours["first"] / max(row["first"], 1e-6), 4)
    for name, row in results.get("manual", {}).items():
        if "found5" in row["typos"]:
            flat[f"typo_found5_{name}"] = row["typos"]["found5"]
    for name, row in results.get("typing", {}).items():
        if "p95" in row["typing"]:
            suffix = "" if name == OURS else f"_{name}"
            flat[f"typing_p95_ms{suffix}"] = row["typing"]["p95"]
            flat[f"typing_median_ms{suffix}"] = row["typing"]["median"]
    for group in ("scifact", "manual"):
        for name, row in results.get(group, {}).items():
            if "gz" in row["index"]:
                flat[f"rival_gz_{group}_{name}"] = row["index"]["gz"]
    flat["rivals_failed"] = float(len(failures(results)))
    flat["rivals_unstable"] = float(
        sum(
            part.get("unstable", 0)
            for group in results.values()
            for row in group.values()
            for part in row.values()
        )
    )
    return flat


def failures(results: Mapping[str, Any]) -> dict[str, str]:
    """What failed, and why: `GROUP NAME PART` to the reason."""
    return {
        f"{group} {name} {part}": value["failed"]
        for group, rows in results.items()
        for name, row in rows.items()
        for part, value in row.items()
        if "failed" in value
    }


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], Any]]:
    """A bar on a terminal that hears of engines opened and questions asked."""
    from tqdm import tqdm

    with tqdm(total=total, unit="step", desc="rivals", disable=None, file=sys.stderr) as bar:
        yield bar.update


def main() -> None:
    """Measure, keep the details, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer questions, one round")
    parser.add_argument("--only", nargs="*", help="these rivals only")
    parser.add_argument("--parts", nargs="*", choices=list(PARTS), help="these parts only, beside those kept")
    parser.add_argument("--rounds", type=int, help=f"of SciFact's questions (default: {ROUNDS}, quick: 1)")
    parser.add_argument("--keep", type=Path, default=RESULTS, help="where the details go")
    arguments = parser.parse_args()
    rounds = arguments.rounds or (1 if arguments.quick else ROUNDS)
    known = every_rival()
    rivals = {name: about for name, about in known.items() if not arguments.only or name in arguments.only}
    results: dict[str, Any] = {}
    load: dict[str, float] = {}
    if arguments.parts and arguments.keep.exists():
        kept = json.loads(arguments.keep.read_text())
        results, load = kept["results"], kept.get("load", {})

    def done(part: str, found: dict[str, Any]) -> None:
        results[part] = found
        load[part] = round(max(os.getloadavg()), 1) if hasattr(os, "getloadavg") else 0.0
        detail = {
            "quick": arguments.quick,
            "rounds": rounds,
            "setups": {OURS: SETUP} | {name: about["setup"] for name, about in known.items()},
            "versions": {name: about["version"] for name, about in known.items()},
            "engine_gz": engine_bytes(known, results),
            "not_asked": {
                group: [name for name in known if name not in rows] for group, rows in results.items()
            },
            "load": load,
            "results": results,
        }
        arguments.keep.parent.mkdir(parents=True, exist_ok=True)
        arguments.keep.write_text(json.dumps(detail, indent=1) + "\n")

    total = 3 * (len(rivals) + 1) + (400 if arguments.quick else 2800)
    with progress(total) as advance:
        run(
            rivals,
            arguments.parts or list(PARTS),
            quick=arguments.quick,
            rounds=rounds,
            advance=advance,
            done=done,
        )
    for what, reason in failures(results).items():
        print(f"failed: {what}: {reason}", file=sys.stderr)
    print(json.dumps(figures(results), indent=1))


if __name__ == "__main__":
    main()
