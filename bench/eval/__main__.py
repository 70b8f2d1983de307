"""`make eval`, or `python -m bench.eval [SET ...]`: measure, write the report, print a flat JSON object.

Sets that are named are measured and join the numbers of the last run; without names all are. The rest of the
work is kept between runs: see encoding.py and results.py.
"""

from __future__ import annotations

import os

# Before numpy is loaded: for products as small as these a second thread only waits, and busily.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import asyncio
import json
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.eval.corpora import ROOT, Loaded, NoCollections, data_folder, load
from bench.eval.encoding import Encoders
from bench.eval.evaluate import Scores, evaluate
from bench.eval.report import write_report
from bench.eval.results import ALL, flat, kept_file, read, save, source_hash, summarise
from bench.machine import commit
from bench.places import DOCS, RESULTS
from bench.run import merge
from tqdm import tqdm

from hinny.errors import HinnyError

KEPT = RESULTS / "eval.json"
PACKAGES = ("numpy", "bm25s", "PyStemmer", "onnxruntime", "tokenizers")


def main() -> int:
    """Measure and write; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.eval", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the collections (default: HINNY_DATA)")
    parser.add_argument("--work", type=Path, default=ROOT / "bench" / "work", help="where encodings are kept")
    parser.add_argument("--models", type=Path, help="folder of the models (default: the user's)")
    parser.add_argument("--threads", type=int, help="of the models (default: onnxruntime's choice)")
    parser.add_argument("--words", action="store_true", help="leave the models out")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(ALL)}")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.sets if name not in ALL]
    if unknown:
        parser.error(f"no collection {unknown[0]}: expected {', '.join(ALL)}")
    try:
        data = chosen.data or data_folder()
        measured, models = asyncio.run(run(data, chosen))
    except (NoCollections, FileNotFoundError, HinnyError) as problem:
        print(f"eval: {problem}", file=sys.stderr)
        return 2
    report: dict[str, Any] = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "versions": {name: version(name) for name in PACKAGES},
        "models": models,
        "commit": commit(),
        "ended": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "collections": {},
    }
    if chosen.sets and KEPT.exists():
        report["collections"] = json.loads(KEPT.read_text(encoding="utf-8"))["collections"]
    report["collections"].update(summarise(measured))
    report["collections"] = {
        name: report["collections"][name] for name in ALL if name in report["collections"]
    }
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    write_report(report, DOCS)
    numbers = flat(report["collections"])
    merge(numbers)
    print(json.dumps(numbers, indent=1))
    return 0


async def run(data: Path, chosen: Any) -> tuple[dict[str, Scores], list[str]]:
    """Scores by collection, and the models' fingerprints."""
    encoders = None if chosen.words else Encoders(chosen.work, chosen.models, chosen.threads)
    models = [] if encoders is None else list(encoders.fingerprints)
    source = source_hash()
    names = chosen.sets or list(ALL)
    files = {
        name: kept_file(chosen.work, data, ALL[name], source, models if ALL[name].neural else [])
        for name in names
    }
    measured = {name: read(file) for name, file in files.items() if file.exists()}
    for name in names:
        if name not in measured:
            measured[name] = await _one(name, load(data, ALL[name]), encoders)
            save(files[name], measured[name])
    if encoders is not None:
        await encoders.close()
    return measured, models


async def _one(name: str, loaded: Loaded, encoders: Encoders | None) -> Scores:
    if encoders is not None and loaded.about.neural:
        with tqdm(
            total=len(loaded.texts) + len(loaded.questions), desc=f"{name}, encode", unit="text"
        ) as bar:
            await encoders.documents(list(loaded.texts.values()), bar.update)
            await encoders.queries(list(loaded.questions.values()), bar.update)
    with tqdm(total=len(loaded.questions), desc=f"{name}, ask", unit="question") as bar:
        return await evaluate(loaded, encoders, bar.update)


if __name__ == "__main__":
    sys.exit(main())
