"""How the three-source factory's fusion was chosen: `python -m bench.eval.tune`.

Each source's first 100 are taken once for the train split of SciFact, the dev split of NFCorpus and the
PostgreSQL manual, and every fusion of a grid is tried on them, with weights as given and fitted to each
query (hinny/ranking/adapt.py). Chosen is what is best on average among those that are above words alone on
each.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from bench.eval.corpora import ROOT, Gains, data_folder, load
from bench.eval.encoding import Encoders
from bench.eval.metrics import DEPTH, ndcg
from bench.eval.results import ALL
from bench.eval.sources import neural_sources
from tqdm import tqdm

from hinny.lexical.index import LexicalIndex
from hinny.lexical.retriever import LexicalRetriever
from hinny.protocols import Retriever, resolve
from hinny.ranking.adapt import adapted, factor
from hinny.ranking.fusion import FusionMethod, fuse
from hinny.records import Candidate, Query

SETS = ("manual_concept", "scifact_train", "nfcorpus_dev")
TWO = [(1, 1, 0), (2, 1, 0), (3, 1, 0), (1, 2, 0), (1, 0, 1), (2, 0, 1), (3, 0, 1)]
THREE = [
    *((1, 1, 1), (1, 1, 0.5), (1.5, 1, 0.5), (2, 1, 0.5), (2, 1, 1), (2, 1, 2), (3, 1, 0.5), (3, 1, 1)),
    *((3, 1, 2), (4, 1, 1), (4, 1, 2), (5, 1, 1), (5, 2, 1)),
]
FUSIONS: tuple[tuple[FusionMethod, float], ...] = (
    ("rrf", 1.0),
    ("rrf", 3.0),
    ("rrf", 10.0),
    ("rrf", 60.0),
    ("linear", 60.0),
)

ADAPTED = (None, 0.1, 0.2, 0.3)

Lists = Mapping[str, Sequence[Candidate]]


class Asked(NamedTuple):
    """One question: its judgements, each source's candidates, and how much of it the first words match."""

    gains: Gains
    lists: Lists
    share: float | None


class Tried(NamedTuple):
    """One fusion and its nDCG@10 on each set."""

    method: FusionMethod
    k: float
    weights: Mapping[str, float]
    adapt: float | None
    values: list[float]

    @property
    def mean(self) -> float:
        """Over the sets."""
        return sum(self.values) / len(self.values)


async def record(work: Path, name: str) -> list[Asked]:
    """All questions of a collection."""
    loaded, encoders = load(data_folder(), ALL[name]), Encoders(work)
    documents = await encoders.documents(list(loaded.texts.values()))
    questions = await encoders.queries(list(loaded.questions.values()))
    await encoders.close()
    words = LexicalRetriever(LexicalIndex.build(loaded.documents))
    sources: dict[str, Retriever] = {"lexical": words}
    sources |= neural_sources(loaded, documents, questions, quantised=False, pooled=False)
    found: list[Asked] = []
    for id, text in tqdm(loaded.questions.items(), desc=name):
        query = Query(text)
        lists = {key: await resolve(one.retrieve(query, limit=DEPTH)) for key, one in sources.items()}
        first = lists["lexical"][0].id if lists["lexical"] else None
        share = None if first is None else await words.match_share(query, first)
        found.append(Asked(loaded.judged[id], lists, share))
    return found


def value(
    asked: Sequence[Asked], method: FusionMethod, k: float, weights: Mapping[str, float], floor: float | None
) -> float:
    """Mean nDCG@10 of one fusion."""
    total = 0.0
    for gains, lists, share in asked:
        chosen = {name: lists[name] for name in weights}
        fitted = weights
        if floor is not None and share is not None:
            fitted = adapted(weights, factor(share, floor))
        total += ndcg(fuse(chosen, method=method, k=k, weights=fitted).order, gains)
    return total / len(asked)


def tried(sets: Sequence[Sequence[Asked]]) -> list[Tried]:
    """The whole grid."""
    found = []
    for shares in (*TWO, *THREE):
        weights = {n: float(w) for n, w in zip(("lexical", "dense", "maxsim"), shares, strict=True) if w}
        for (method, k), floor in product(FUSIONS, ADAPTED):
            values = [value(asked, method, k, weights, floor) for asked in sets]
            found.append(Tried(method, k, weights, floor, values))
    return found


def main() -> None:
    """Print words alone, then the grid, the best first, with the smallest gain over words."""
    parser = argparse.ArgumentParser(prog="python -m bench.eval.tune", description=__doc__)
    parser.add_argument("--work", type=Path, default=ROOT / "bench" / "work")
    work = parser.parse_args().work
    sets = [asyncio.run(record(work, name)) for name in SETS]
    words = [value(asked, "rrf", 60.0, {"lexical": 1.0}, None) for asked in sets]
    print("words", *SETS, *(f"{one:.4f}" for one in words))
    for row in sorted(tried(sets), key=lambda row: -row.mean):
        least = min(ours - base for ours, base in zip(row.values, words, strict=True))
        shown = " ".join(f"{one:.4f}" for one in row.values)
        print(
            f"{row.mean:.4f} {row.method} k={row.k:g} {dict(row.weights)} adapt={row.adapt}: {shown}, "
            f"least gain {least:+.4f}"
        )


if __name__ == "__main__":
    main()
