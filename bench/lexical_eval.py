"""nDCG@10 of the lexical search on the collections that the project keeps beside the repository.

    python bench/lexical_eval.py [--data DIR] [SET ...]

Every set is searched with the shipped defaults, which were chosen on the train split of SciFact, the dev
split of NFCorpus and the PostgreSQL manual only. Prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hinny.lexical.index import LexicalIndex
from hinny.records import Document

BELEBELE = {
    "eng_Latn": "en",
    "deu_Latn": "de",
    "fra_Latn": "fr",
    "ita_Latn": "it",
    "spa_Latn": "es",
    "zho_Hans": "zh",
    "zsm_Latn": "ms",
}
XQUAD = ("en", "de", "es", "ar", "zh")
# Name in the results -> folder, queries, judgements, language.
SETS: dict[str, tuple[str, str, str, str]] = {
    "scifact": ("scifact", "queries", "qrels", "en"),
    "scifact_train": ("scifact", "queries_train", "qrels_train", "en"),
    "nfcorpus": ("nfcorpus", "queries", "qrels", "en"),
    "nfcorpus_dev": ("nfcorpus", "queries_dev", "qrels_dev", "en"),
    "cranfield": ("cranfield", "queries", "qrels", "en"),
    "manual_concept": ("docs-postgresql15", "queries_concept", "qrels_concept", "en"),
    "manual": ("docs-postgresql15", "queries", "qrels", "en"),
    "cmrc": ("cmrc2018-dev/zh", "queries", "qrels", "zh"),
    **{f"belebele_{name}": (f"belebele/{name}", "queries", "qrels", tag) for name, tag in BELEBELE.items()},
    **{f"xquad_{tag}": (f"xquad/{tag}", "queries", "qrels", tag) for tag in XQUAD},
}


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def documents(folder: Path, language: str) -> list[Document]:
    """A collection's documents, with a title where it has one."""
    result = []
    for row in rows(folder / "corpus.jsonl"):
        texts = {"title": row.get("title", ""), "text": row["text"]}
        result.append(Document(row["_id"], {k: v for k, v in texts.items() if v}, {}, language))
    return result


def judgements(path: Path) -> dict[str, dict[str, int]]:
    """Query id to document id to gain."""
    result: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, gain = line.split("\t")
        result.setdefault(query, {})[document] = int(gain)
    return result


def ndcg(ranked: list[str], gains: Mapping[str, int], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with linear gains, as trec_eval counts it."""
    discounts = [1 / math.log2(rank + 2) for rank in range(depth)]
    found = sum(max(gains.get(id, 0), 0) * d for id, d in zip(ranked, discounts, strict=False))
    best = sorted((g for g in gains.values() if g > 0), reverse=True)
    ideal = sum(g * d for g, d in zip(best, discounts, strict=False))
    return found / ideal if ideal else 0.0


def questions(data: Path, name: str) -> tuple[list[tuple[str, str]], dict[str, dict[str, int]]]:
    """The judged queries of a set as (id, text), and its judgements."""
    folder, queries, qrels, _ = SETS[name]
    judged = judgements(data / folder / f"{qrels}.tsv")
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
