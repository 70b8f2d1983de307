"""nDCG@10 of the lexical search on the collections that the project keeps beside the repository.

    python bench/lexical_eval.py [--data DIR] [SET ...]

Every set is searched with the shipped defaults, which were chosen on the train split of SciFact, the dev
split of NFCorpus and the PostgreSQL manual only. Prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from hinny.lexical.index import LexicalIndex

if str(Path(__file__).parents[1]) not in sys.path:
    sys.path.insert(0, str(Path(__file__).parents[1]))
from bench.eval.corpora import COLLECTIONS, TUNING, Gains, read_gains, rows
from bench.eval.corpora import read_documents as documents
from bench.eval.metrics import ndcg

# Name in the results -> folder, queries, judgements, language.
SETS: dict[str, tuple[str, str, str, str]] = {
    **{
        name: (each.folder, each.queries, each.qrels, each.language)
        for name, each in {**COLLECTIONS, **TUNING}.items()
        if not each.asked_in
    },
    "manual": ("docs-postgresql15", "queries", "qrels", "en"),
    "cmrc": ("cmrc2018-dev/zh", "queries", "qrels", "zh"),
}


def questions(data: Path, name: str) -> tuple[list[tuple[str, str]], dict[str, Gains]]:
    """The judged queries of a set as (id, text), and its judgements."""
    folder, queries, qrels, _ = SETS[name]
    judged = read_gains(data / folder / f"{qrels}.tsv")
    asked = [(r["_id"], r["text"]) for r in rows(data / folder / f"{queries}.jsonl") if r["_id"] in judged]
    return asked, judged


def evaluate(data: Path, name: str, index: LexicalIndex | None = None, **options: Any) -> float:
    """Mean nDCG@10 of one set over its judged queries."""
    folder, _, _, language = SETS[name]
    index = index or LexicalIndex.build(documents(data / folder, language))
    asked, judged = questions(data, name)
    total = 0.0
    for id, text in asked:
        hits = index.search(text, limit=10, **options).hits
        total += ndcg([hit.id for hit in hits], judged[id])
    return total / len(asked)


def run(data: Path, names: list[str] | None = None) -> dict[str, float]:
    """`lexical_ndcg_SET` for each set."""
    return {f"lexical_ndcg_{name}": round(evaluate(data, name), 4) for name in names or SETS}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("sets", nargs="*")
    arguments = parser.parse_args()
    print(json.dumps(run(arguments.data, arguments.sets or None), indent=2))
