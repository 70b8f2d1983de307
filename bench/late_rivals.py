"""Late interaction on CPython beside fast-plaid: the same token matrices, question by question, in turns.

    python bench/late_rivals.py [--data DIR] [--work DIR] [--models DIR] [SET]

Cranfield's abstracts and questions through the project's own late-interaction model. Hinny scans every token
(4 bits, all of MaxSim); fast-plaid, which PyLate searches with too, scores what its centroids let through, in
the set-up of its README, on the processor. Times are of the search alone, from a question's token vectors to
ids. fast-plaid brings PyTorch (gigabytes) and so is no dependency of ours: `pip install fast-plaid` where it
is to be measured; without it that is said. Details go to bench/results/late.json; prints a flat JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "bench")) if path not in sys.path]

from bench.eval.corpora import data_folder  # noqa: E402
from bench.lexical_eval import questions  # noqa: E402
from bench.machine import commit  # noqa: E402
from bench.places import RESULTS  # noqa: E402
from bench.vectors import Matrix, mean_ndcg, overlap, texts, token_matrices  # noqa: E402

from hinny.late.retriever import create_colbert_retriever  # noqa: E402
from hinny.records import Query  # noqa: E402

KEPT = RESULTS / "late.json"
ROUNDS = 3
LIMIT = 10
Search = Callable[[int], Awaitable[list[str]]]
"""From a question's number to the ids of the ten best."""


def ours(ids: list[str], matrices: list[Matrix], queries: list[Matrix]) -> tuple[Search, int]:
    """Hinny over all tokens at 4 bits, and the bytes of its parts."""
    retriever = create_colbert_retriever(
        ids=ids, matrices=matrices, encode_query=lambda text: queries[int(text)], quantization="turboquant"
    )
    size = sum(map(len, retriever.to_parts().values()))

    async def search(number: int) -> list[str]:
        return [each.id for each in await retriever.retrieve(Query(str(number)), limit=LIMIT)]

    return search, size


def theirs(ids: list[str], matrices: list[Matrix], queries: list[Matrix], folder: Path) -> tuple[Search, int]:
    """fast-plaid, and the bytes of the files it keeps. Raises ImportError where it is not installed."""
    import torch
    from fast_plaid import search as package

    index = package.FastPlaid(index=str(folder / "index"), device="cpu")
    index.create(documents_embeddings=[torch.from_numpy(matrix.copy()) for matrix in matrices])
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    tokens = [torch.from_numpy(matrix.copy()).unsqueeze(0) for matrix in queries]

    async def search(number: int) -> list[str]:
        (found,) = index.search(queries_embeddings=tokens[number], top_k=LIMIT, show_progress=False)
        return [ids[row] for row, _ in found]

    return search, size


async def ask(engines: dict[str, Search], count: int) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Median milliseconds of each question, and its ids, by engine; the order changes with every question."""
    names = list(engines)
    took: dict[str, list[list[float]]] = {name: [[] for _ in range(count)] for name in names}
    ids: dict[str, list[list[str]]] = {name: [[] for _ in range(count)] for name in names}
    for name in names:
        await engines[name](0)
    for turn in range(ROUNDS):
        for number in range(count):
            for step in range(len(names)):
                name = names[(number + turn + step) % len(names)]
                began = perf_counter()
                ids[name][number] = await engines[name](number)
                took[name][number].append(1000 * (perf_counter() - began))
    return {name: [median(each) for each in took[name]] for name in names}, ids


async def measure(data: Path, work: Path, models: Path | None, name: str) -> dict[str, Any]:
    """What each engine takes and finds; `failed` for one that does not run."""
    ids, passages = texts(data, name)
    asked, judged = questions(data, name)
    matrices, queries = await token_matrices(work, models, passages, [text for _, text in asked])
    rows: dict[str, Any] = {}
    engines: dict[str, Search] = {}
    with tempfile.TemporaryDirectory() as folder:
        makers: Sequence[tuple[str, Callable[[], tuple[Search, int]]]] = (
            ("hinny", lambda: ours(ids, matrices, queries)),
            ("fast-plaid", lambda: theirs(ids, matrices, queries, Path(folder))),
        )
        for engine, make in makers:
            began = perf_counter()
            try:
                engines[engine], size = make()
            except Exception as problem:  # whatever a rival raises is its result
                rows[engine] = {"failed": str(problem) or type(problem).__name__}
                continue
            rows[engine] = {"build_ms": round(1000 * (perf_counter() - began), 1), "bytes": size}
        times, found = await ask(engines, len(asked))
    for engine in engines:
        rows[engine] |= {
            "median": round(median(times[engine]), 3),
            "ndcg10": round(mean_ndcg(found[engine], asked, judged), 4),
            "overlap10": round(overlap(found["hinny"], found[engine]), 4),
            "ratio": round(median(a / b for a, b in zip(times["hinny"], times[engine], strict=True)), 3),
        }
    return {
        "set": name,
        "documents": len(ids),
        "tokens": sum(map(len, matrices)),
        "dimensions": matrices[0].shape[1],
        "questions": len(asked),
        "rows": rows,
    }


def flat(found: dict[str, Any]) -> dict[str, float]:
    """The flat figures of the summary."""
    return {
        f"late_{engine.replace('-', '_')}_{key}": float(row[key])
        for engine, row in found["rows"].items()
        for key in ("median", "ndcg10", "bytes", "build_ms", "ratio")
        if key in row
    }


def main() -> None:
    """Measure, keep, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder of the collections (default: HINNY_DATA)")
    parser.add_argument("--work", type=Path, default=ROOT / "bench" / "work", help="kept embeddings")
    parser.add_argument("--models", type=Path, help="the cache of models")
    parser.add_argument("set", nargs="?", default="cranfield")
    arguments = parser.parse_args()
    data = arguments.data or data_folder()
    found = asyncio.run(measure(data, arguments.work, arguments.models, arguments.set))
    if "failed" not in found["rows"]["fast-plaid"]:
        found["versions"] = {"fast-plaid": version("fast-plaid"), "torch": version("torch")}
    found |= {"commit": commit(), "ended": datetime.now(UTC).strftime("%Y-%m-%d %H:%M")}
    KEPT.write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(flat(found), indent=1))


if __name__ == "__main__":
    main()
