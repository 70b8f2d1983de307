"""One collection: every method asked every question, and what each answer is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench.eval.corpora import Loaded
from bench.eval.encoding import Encoders
from bench.eval.methods import searches
from bench.eval.metrics import DEPTH, METRICS, measure
from bench.eval.rivals import bm25s_rankings
from bench.eval.sources import neural_sources, word_sources
from numpy.typing import NDArray

from hinny.protocols import Retriever, resolve
from hinny.records import Query

QUANTISED = frozenset(("scifact", "nfcorpus", "cranfield"))
POOLED = frozenset(("cranfield",))

Step = Callable[[int], Any]


@dataclass(frozen=True)
class Scores:
    """What was measured on one collection."""

    values: dict[str, NDArray[np.float64]]
    """Method to [questions, metrics]."""
    facts: dict[str, float]
    """Plain numbers: counts, overlaps, how often a policy acted."""


async def evaluate(loaded: Loaded, encoders: Encoders | None, step: Step = lambda done: None) -> Scores:
    """Every method that the collection allows; `step` hears of each question."""
    name = loaded.about.name
    sources = word_sources(loaded)
    if encoders is not None and loaded.about.neural:
        documents = await encoders.documents(list(loaded.texts.values()))
        questions = await encoders.queries(list(loaded.questions.values()))
        sources |= neural_sources(
            loaded, documents, questions, quantised=name in QUANTISED, pooled=name in POOLED
        )
    rankings = {"bm25s": _bm25s(loaded)}
    decided: dict[str, int] = {}
    together = searches(sources)
    for id, text in loaded.questions.items():
        query = Query(text)
        for method, source in sources.items():
            rankings.setdefault(method, {})[id] = await first(source, query)
        for method, search in together.items():
            response = await search.search_with_stats(query, limit=DEPTH)
            rankings.setdefault(method, {})[id] = [hit.id for hit in response.hits]
            _count(decided, method, response)
        step(1)
    values = {
        method: np.array([measure(ranked[id], loaded.judged[id]) for id in loaded.questions])
        for method, ranked in rankings.items()
    }
    facts: dict[str, float] = {
        "documents": float(len(loaded.documents)),
        "questions": float(len(loaded.questions)),
        **{f"acted_{what}": count / len(loaded.questions) for what, count in sorted(decided.items())},
    }
    for method in ("dense_tq4", "dense_tq4_refined", "maxsim_tq4"):
        if method in rankings:
            whole = rankings[method.split("_")[0]]
            facts[f"overlap10_{method}"] = overlap(list(whole.values()), list(rankings[method].values()))
    return Scores(values, facts)


async def first(source: Retriever, query: Query) -> list[str]:
    """The first 100 ids."""
    return [row.id for row in await resolve(source.retrieve(query, limit=DEPTH))]


def overlap(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]], depth: int = 10) -> float:
    """Share of the first's first ten that the second has in its own."""
    shares = [
        len(set(a[:depth]).intersection(b[:depth])) / len(a[:depth])
        for a, b in zip(first, second, strict=True)
        if a
    ]
    return float(np.mean(shares))


def means(values: NDArray[np.float64]) -> dict[str, float]:
    """Metric to its mean over the questions."""
    return dict(zip(METRICS, map(float, values.mean(axis=0)), strict=True))


def _bm25s(loaded: Loaded) -> dict[str, list[str]]:
    ids = [each.id for each in loaded.documents]
    texts = [f"{each.fields.get('title', '')} {each.fields.get('text', '')}" for each in loaded.documents]
    found = bm25s_rankings(ids, texts, list(loaded.questions.values()), loaded.about.language)
    return dict(zip(loaded.questions, found, strict=True))


def _count(decided: dict[str, int], method: str, response: Any) -> None:
    """How often the weak-lexical rule promoted and the neural stage was skipped."""
    for label, decision, action in (
        ("weak", response.weak_lexical, "promoted"),
        ("skipped", response.rerank_decision, "skipped"),
    ):
        known: Mapping[str, Any] = decision or {}
        if known.get("action") == action:
            decided[f"{label}_{method}"] = decided.get(f"{label}_{method}", 0) + 1
