"""A response as text for a terminal: what stood where in which source, what moved it, and why.

The numbers are the response's own. Scores of different kinds may stand in one list, so each is printed
with its kind, and the rank is what counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hinny.records import Hit, SearchResponse

_DECISIONS = (
    ("weights", "weights_decision"),
    ("rerank", "rerank_decision"),
    ("weak-lexical", "weak_lexical"),
)

Title = Callable[[str], str | None] | Mapping[str, str]


def explain_response(response: SearchResponse, titles: Title | None = None) -> str:
    """The whole response; `titles` gives a hit's title by id."""
    lines = [explain_hit(hit, _title(titles, hit.id)) for hit in response.hits] or ["no hits"]
    lines.append(explain_stats(response.to_dict()))
    return "\n".join(lines)


def explain_hit(hit: Hit, title: str | None = None) -> str:
    """One hit in a few lines."""
    heading = f"{hit.rank:>3}. {hit.id}" + (f"  {title}" if title else "")
    lines = [heading, f"     score {_number(hit.score)} ({hit.score_kind})"]
    for name, signal in hit.signals.items():
        added = hit.contributions.get(name)
        lines.append(
            f"     {name}: rank {signal.rank}, score {_number(signal.score)}"
            + (f", tier {signal.tier}" if signal.tier else "")
            + ("" if added is None else f", adds {_number(added)}")
        )
    if hit.rerank_contributions:
        parts = ", ".join(f"{name} {_number(value)}" for name, value in hit.rerank_contributions.items())
        lines.append(f"     rerank: {parts}")
    if hit.reasons:
        lines.append(f"     because: {', '.join(hit.reasons)}")
    return "\n".join(lines)


def explain_stats(stats: Mapping[str, Any]) -> str:
    """All of a response but its hits, as its `to_dict` has it."""
    counts = ", ".join(f"{name} {count}" for name, count in stats["counts"].items())
    lines = [f"strategy {stats['strategy']}: {stats['total_candidates']} candidates ({counts})"]
    if stats["route"]:
        lines.append(f"route: {_fields(stats['route'])}")
    for label, name in _DECISIONS:
        if stats[name].get("action") != "disabled":
            lines.append(f"{label}: {_fields(stats[name])}")
    if stats["kernels"]:
        lines.append(f"kernels: {_fields(stats['kernels'])}")
    if stats["timings"]:
        took = ", ".join(f"{name} {value:.1f}" for name, value in stats["timings"].items())
        lines.append(f"milliseconds: {took}")
    lines.extend(
        f"degraded: {report['source']} ({report['reason']}) {report['message']}".rstrip()
        for report in stats["degraded"]
    )
    return "\n".join(lines)


def _fields(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {_number(value) if isinstance(value, float) else value}" for name, value in values.items()
    )


def _number(value: float) -> str:
    return f"{value:.4g}"


def _title(titles: Title | None, id: str) -> str | None:
    if titles is None:
        return None
    return titles(id) if callable(titles) else titles.get(id)
