"""The pictures of the report, as SVG that is the same for the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

LINE, QUIET = "#1f5f8b", "#9aa5ad"
COLOURS = {
    "bm25s": "#9aa5ad",
    "lexical": "#1f5f8b",
    "dense": "#c8553d",
    "maxsim": "#e0a03b",
    "three_source": "#3b7d4f",
}
_SETTINGS: Any = {
    "svg.hashsalt": "hinny",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def intervals(path: Path, title: str, rows: Sequence[tuple[str, Mapping[str, float]]]) -> None:
    """Differences with their 95% intervals, one row each, the first at the top."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(7.2, 0.9 + 0.24 * len(rows)), layout="constrained")
        axes = figure.subplots()
        for place, (_, found) in enumerate(reversed(rows)):
            clear = found["p"] < 0.05
            colour = LINE if clear else QUIET
            axes.plot([found["low"], found["high"]], [place, place], color=colour, linewidth=1.6)
            axes.plot(
                [found["difference"]],
                [place],
                marker="o",
                markersize=5,
                color=colour,
                markerfacecolor=colour if clear else "white",
            )
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_yticks(range(len(rows)), [label for label, _ in reversed(rows)])
        axes.set_ylim(-0.7, len(rows) - 0.3)
        axes.set_xlabel("difference of nDCG@10, 95% interval (filled: p < 0.05)")
        axes.set_title(title, fontsize=10)
        _save(figure, path)


def dots(path: Path, title: str, sets: Mapping[str, Mapping[str, Any]], methods: Mapping[str, str]) -> None:
    """nDCG@10 of a few methods on every set."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(7.2, 1.2 + 0.34 * len(sets)), layout="constrained")
        axes = figure.subplots()
        names = list(sets)[::-1]
        for method, label in methods.items():
            found = [
                (sets[name][method]["ndcg10"], y) for y, name in enumerate(names) if method in sets[name]
            ]
            axes.plot(
                [value for value, _ in found],
                [y for _, y in found],
                linestyle="",
                marker="o",
                markersize=6,
                color=COLOURS[method],
                label=label,
            )
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.grid(axis="y", color="#e3e6e8", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.set_xlabel("nDCG@10")
        axes.set_title(title, fontsize=10)
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
        _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "make eval"})
    # matplotlib ends some lines with a space.
    text = path.read_text(encoding="utf-8")
    path.write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n", encoding="utf-8")
