"""The ranking pipeline alone: sources that answer at once, so that only fusion, policies and hits are timed.

`run()` gives medians in milliseconds; it works on CPython and inside Pyodide, where each search is driven
to its end without an event loop.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from statistics import median
from time import perf_counter
from typing import Any

from hinny.ranking.presets import search_preset
from hinny.ranking.search import HybridSearch
from hinny.records import Candidate, Query

SEARCHES = 300


class _Ready:
    """Rows at hand; half of them are shared with the other source."""

    def __init__(self, name: str, first: int, count: int) -> None:
        self.name = name
        self._rows = [Candidate(f"doc-{first + n:05}", 20.0 - n / 10) for n in range(count)]
        self._row = {row.id: row for row in self._rows}

    def retrieve(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> list[Candidate]:
        return self._rows[:limit]

    def rescore(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        return [self._row[id] for id in ids if id in self._row]

    def match_share(self, query: Query, id: str) -> float:
        return 0.1

    def exact(self, query: Query, *, limit: int, ids: Collection[str] | None = None) -> list[str]:
        return [self._rows[-1].id]


def run() -> dict[str, float]:
    """`pipeline_ms_N`: the efficient preset over N + N candidates; `pipeline_all_ms_N`: every policy too."""
    results: dict[str, float] = {}
    everything: dict[str, Any] = {"exact": "promote", "balance": {"window": 5, "lexical": 1, "vector": 1}}
    for count in (25, 100):
        search = HybridSearch(
            lexical=_Ready("lexical", 0, count),
            vector=_Ready("vector", count // 2, count),
            defaults={
                **search_preset("efficient"),
                "lexical_candidates": count,
                "vector_candidates": count,
            },
        )
        results[f"pipeline_ms_{count}"] = _median(search, {})
        results[f"pipeline_all_ms_{count}"] = _median(search, everything)
    return results


def _median(search: HybridSearch, options: dict[str, Any]) -> float:
    times = []
    for _ in range(SEARCHES):
        started = perf_counter()
        coroutine = search.search_with_stats("a query of some words", **options)
        try:
            coroutine.send(None)
        except StopIteration as done:
            hits = done.value.hits
        times.append((perf_counter() - started) * 1000)
        assert len(hits) == 10
    return round(median(times[SEARCHES // 10 :]), 4)


if __name__ == "__main__":
    for name, value in run().items():
        print(f"{name} {value}")
