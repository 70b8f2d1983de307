"""What was measured, kept so that nothing is measured twice, and put together for the report.

A collection's numbers are kept under a hash of its files, of this package's and the library's source, and
of the models' fingerprints: a run that was broken off goes on, and a change anywhere measures again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bench.eval.corpora import COLLECTIONS, ROOT, TUNING, Collection
from bench.eval.evaluate import Scores, means
from bench.eval.metrics import METRICS
from bench.eval.significance import compare_many

LIBRARY = ("text", "lexical", "quant", "dense", "late", "kernels", "ranking", "models")
SOURCE = ("bench/eval", *(f"pysrc/hinny/{name}" for name in LIBRARY), "pysrc/hinny/factories.py")
SHOWING = ("__main__.py", "results.py", "significance.py", "report.py", "plots.py", "notes.py", "tune.py")
"""Files of this package that only show what was measured."""
ALL = {**COLLECTIONS, **TUNING}
BASELINES = ("lexical", "bm25s")


def source_hash() -> str:
    """Of all Python and data files that a ranking depends on."""
    total = hashlib.sha256()
    for place in SOURCE:
        whole = ROOT / place
        for path in sorted(whole.rglob("*")) if whole.is_dir() else [whole]:
            if path.suffix in (".py", ".json") and path.name not in SHOWING:
                total.update(f"{path.relative_to(ROOT)}\0".encode())
                total.update(path.read_bytes())
    return total.hexdigest()


def kept_file(work: Path, data: Path, about: Collection, source: str, models: Iterable[str]) -> Path:
    """Where this collection's numbers lie."""
    total = hashlib.sha256("\0".join([source, *models, repr(about)]).encode())
    asked = data / (about.asked_in or about.folder)
    for path in (
        data / about.folder / "corpus.jsonl",
        asked / f"{about.queries}.jsonl",
        data / about.folder / f"{about.qrels}.tsv",
    ):
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return work / f"scores-{about.name}-{total.hexdigest()[:16]}.npz"


def save(file: Path, scores: Scores) -> None:
    """Write one collection's numbers."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part.npz")
    arrays: dict[str, Any] = {f"m_{name}": rows for name, rows in scores.values.items()}
    np.savez(part, facts=np.array(json.dumps(scores.facts)), **arrays)
    part.replace(file)


def read(file: Path) -> Scores:
    """What `save` wrote."""
    with np.load(file) as stored:
        values = {name[2:]: stored[name] for name in stored.files if name.startswith("m_")}
        return Scores(values, json.loads(str(stored["facts"])))


def summarise(measured: Mapping[str, Scores]) -> dict[str, Any]:
    """Means and comparisons of every collection, as JSON data."""
    found: dict[str, Any] = {}
    for name, scores in measured.items():
        table: dict[str, dict[str, Any]] = {
            method: {metric: round(value, 5) for metric, value in means(rows).items()}
            for method, rows in scores.values.items()
        }
        ndcg = {method: rows[:, METRICS.index("ndcg10")] for method, rows in scores.values.items()}
        better = [base for base in ("lexical", "bm25s", "dense") if base in ndcg]
        best = max(better, key=lambda base: float(ndcg[base].mean()))
        for label, base in (*((f"vs_{base}", base) for base in BASELINES), ("vs_better", best)):
            others = [method for method in ndcg if method != base]
            compared = compare_many(np.stack([ndcg[m] for m in others], axis=1), ndcg[base])
            for method, result in zip(others, compared, strict=True):
                table[method][label] = {
                    "difference": round(result.difference, 5),
                    "low": round(result.low, 5),
                    "high": round(result.high, 5),
                    "p": round(result.p, 5),
                }
        found[name] = {
            "facts": {fact: round(value, 5) for fact, value in scores.facts.items()},
            "better": best,
            "methods": table,
        }
    return found


def flat(collections: Mapping[str, Any]) -> dict[str, float]:
    """The names that the summary of all benchmarks has."""
    found: dict[str, float] = {}
    overlaps = []
    for name, collection in collections.items():
        table = collection["methods"]
        for method, row in table.items():
            found[f"ndcg_{name}_{method}"] = row["ndcg10"]
        found[f"lexical_ndcg_{name}"] = table["lexical"]["ndcg10"]
        if "dense_tq4" in table:
            exact = table["dense"]["ndcg10"]
            found[f"tq4_ndcg_loss_{name}"] = round(exact - table["dense_tq4"]["ndcg10"], 5)
            found[f"tq4_refined_ndcg_loss_{name}"] = round(exact - table["dense_tq4_refined"]["ndcg10"], 5)
            overlaps.append(collection["facts"]["overlap10_dense_tq4"])
            found[f"tq4_overlap10_{name}"] = overlaps[-1]
    if overlaps:
        found["tq4_overlap10"] = min(overlaps)
    return found
