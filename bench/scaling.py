"""How cost grows from 1,000 to 100,000 sections: build, peak memory, bytes, load, questions, in Chromium.

    python bench/scaling.py [--sizes N ...] [--only NAME ...] [--keep FILE]

The sections are the manual's 5,386; beyond those, copies in which every fifth word is another of its words.
Each engine has a browser of its own for building and another for asking, so that the highest memory of the
renderer's process is that engine's; Hinny is built on CPython by a process of its own. 26 keyword questions
and 12 sentences are asked twice. Whatever takes more than the time given to it (two minutes to build,
one to load), or whose page dies, is shown as failed with the reason; after half a minute no more is asked.
Details go to bench/results/scaling.json; prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from bench.places import RESULTS  # noqa: E402
from bench.rivals_npm import DIST  # noqa: E402
from lexical_page import engine_pages, highest_memory, renderer_memory, runtime_folder  # noqa: E402

import rival_pagefind  # noqa: E402
import rival_work  # noqa: E402
from hinny.lexical.index import LexicalIndex  # noqa: E402
from hinny.records import Document  # noqa: E402
from lexical_cpython import MANUAL, manual_documents  # noqa: E402
from lexical_rivals import SETUP, every_rival  # noqa: E402
from rival_figures import times  # noqa: E402
from rival_keeping import Keeping  # noqa: E402
from rival_phrases import PHRASES  # noqa: E402
from rival_run import OURS, PAGEFIND, Ask, gz  # noqa: E402
from rival_work import Work, grown, sentences  # noqa: E402

KEPT = RESULTS / "scaling.json"
SIZES = (1_000, 10_000, 100_000)
FIELDS = ("title", "headings", "text")
CORPORA = ROOT / "bench" / "work"
BUILD_S = 120.0
PATIENCE_MS = 60_000
"""For loading, and for any one answer."""
ASKING_MS = 30_000
MAKING_S = 30.0
"""For reading the documents, which our own build does in the process that is watched."""


def corpus(size: int, folder: Path = CORPORA) -> list[Document]:
    """The sections, kept in bench/work by the manual and by what grows it: making many takes a minute."""
    source = "".join(map(inspect.getsource, (rival_work.grown, rival_work._altered)))
    made_of = hashlib.sha256(MANUAL.read_bytes() + f"{source}{rival_work.SEED}".encode())
    file = folder / f"sections-{size}-{made_of.hexdigest()[:16]}.json"
    if not file.exists():
        rows = [[each.id, dict(each.fields), each.language] for each in grown(manual_documents(), size)]
        folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(rows), encoding="utf-8")
        part.replace(file)
    rows = json.loads(file.read_text("utf-8"))
    return [Document(id, fields, {}, language) for id, fields, language in rows]


def work_of(size: int) -> Work:
    """The sections and what they are asked."""
    texts = [*PHRASES[4:], *sentences()]
    return Work(f"sections_{size}", corpus(size), FIELDS, texts, list(PHRASES[:4]))


def build_ours(size: int, out: Path) -> dict[str, float]:
    """Build our index into an archive, in this process; seconds, and the process's highest memory."""
    work = work_of(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = perf_counter()
    parts = LexicalIndex.build(work.documents, work.fields, exact=()).to_parts()
    took = 1000 * (perf_counter() - began)
    kept = {name: data for name, data in parts.items() if "positions" not in name}
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in sorted(kept.items()):
            packed.writestr(zipfile.ZipInfo(name), data)
    size_gz = sum(map(len, kept.values()))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "build_ms": took,
        "build_mb": round(peak, 1),
        "documents_mb": round(before / 1024, 1),
        "raw": size_gz,
        "gz": size_gz,
    }


class Scaling:
    """Engines over one size, each alone."""

    def __init__(self, work: Work, data: Path, runtime: Path) -> None:
        self._work = work
        self._data = data
        self._folders = {"runtime": runtime, "data": data, "rivals": DIST}
        (data / f"{work.name}.json").write_text(json.dumps(work.plain()), encoding="utf-8")

    def measure(self, name: str, about: Mapping[str, Any]) -> dict[str, Any]:
        """`index` and `questions` of one engine; `failed` in whatever it did not come to the end of."""
        row: dict[str, Any] = {"index": {}}
        try:
            self._built(name, about, row)
            self._asked(name, about, row)
        except (OSError, RuntimeError, subprocess.SubprocessError) as problem:
            reason = (str(problem) or type(problem).__name__).replace(str(self._data), "")
            if isinstance(problem, subprocess.TimeoutExpired):
                reason = f"not built within {BUILD_S:.0f} s"
            row["questions"] = {"failed": reason}
            if "gz" not in row["index"]:
                row["index"]["failed"] = reason
        return row

    def _built(self, name: str, about: Mapping[str, Any], row: dict[str, Any]) -> None:
        work = self._work
        if name == OURS:
            command = [sys.executable, __file__, "--build", str(len(work.documents))]
            done = subprocess.run(
                [*command, str(self._data / "ours.zip")],
                capture_output=True,
                text=True,
                timeout=BUILD_S + MAKING_S,
                check=False,
            )
            if done.returncode:
                raise RuntimeError(done.stderr.strip()[-300:])
            row["index"] = json.loads(done.stdout)
            return
        if name == PAGEFIND:
            built = rival_pagefind.build(
                work.plain(), self._data / "pagefind", "/data/pagefind/", timeout_s=BUILD_S
            )
            (self._data / "pagefind.json").write_text(built.pop("data"), encoding="utf-8")
            row["index"] = built
            return
        with engine_pages(self._folders, patience_ms=1000 * BUILD_S) as opened, opened() as engines:
            module = about.get("module", f"/rivals/{name}.js")
            with highest_memory("build") as memory:
                took = engines.build(name, module, f"/data/{work.name}.json", work.fields)
            row["index"] = memory
            if "failed" in took:
                raise RuntimeError(took["failed"])
            kept = engines.kept[name]
            row["index"] |= {**took, "raw": len(kept), "gz": gz(kept)}
            (self._data / "theirs").write_bytes(kept)
            row["index"]["text"] = engines.is_text(name)

    def _asked(self, name: str, about: Mapping[str, Any], row: dict[str, Any]) -> None:
        work = self._work
        module = about.get("module", f"/rivals/{name}.js") if name != OURS else "/lexical-hinny.js"
        prebuilt = {OURS: "/data/ours.zip", PAGEFIND: "/data/pagefind.json"}.get(name, f"/keep/{name}")
        with engine_pages(self._folders, patience_ms=PATIENCE_MS) as opened, opened() as engines:
            if name not in (OURS, PAGEFIND):
                engines.keep(name, (self._data / "theirs").read_bytes(), text=row["index"].pop("text"))
            given = [{"name": name, "module": module, "prebuilt": prebuilt}]
            took = engines.open(given, f"/data/{work.name}.json", work.fields, kept=True)[name]
            if "failed" in took:
                raise RuntimeError(took["failed"])
            row["index"] |= took
            plan = {name: Ask("questions", "plain", work, 2).plan(name, about)}
            found = engines.compare(plan, work.texts, rounds=2, warm=work.warm, budget_ms=ASKING_MS)
            row["questions"] = times(found[name])
            row["index"] |= renderer_memory("page")


def flat(results: Mapping[str, Any]) -> dict[str, float]:
    """The flat figures of the summary."""
    found: dict[str, float] = {}
    for group, engines in results.items():
        for name, row in engines.items():
            values = {**row["index"], **row.get("questions", {})}
            for key in ("build_ms", "gz", "load_ms", "page_mb", "median"):
                if key in values:
                    found[f"{group}_{key}_{name}"] = values[key]
    return found


def main() -> None:
    """Measure, keep, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--only", nargs="*", help="these engines only, beside those kept")
    parser.add_argument("--keep", type=Path, default=KEPT, help="where the details go")
    parser.add_argument("--prepare", action="store_true", help="only make the sections")
    parser.add_argument("--build", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.build:
        print(json.dumps(build_ours(int(arguments.build[0]), Path(arguments.build[1]))))
        return
    if arguments.prepare:
        for size in arguments.sizes:
            corpus(size)
        return
    known = every_rival()
    chosen = {OURS: {}, **known}
    if arguments.only:
        chosen = {name: about for name, about in chosen.items() if name in arguments.only}
    fresh = not arguments.only and tuple(arguments.sizes) == SIZES
    keeping = Keeping(arguments.keep, known, SETUP, fresh=fresh)
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory(prefix="hinny-scaling-") as name, runtime_folder() as runtime:
            scaling = Scaling(work_of(size), Path(name), runtime)
            for engine, about in chosen.items():
                began = perf_counter()
                row = scaling.measure(engine, about)
                keeping.add(f"sections_{size}", {engine: row}, quick=False)
                print(f"{size} {engine}: {perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    print(json.dumps(flat(keeping.results), indent=1))


if __name__ == "__main__":
    main()
