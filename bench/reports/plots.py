"""SVG plots, drawn the same from the same figures: no background, legible on white and on black."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.reports.tables import OURS, PARTS, WORKS, label, order, part_label

Results = Mapping[str, Any]
Shown = tuple[str, str]
"""File name, and what it shows."""
Line = tuple[str, dict[str, Sequence[float]]]
"""What was asked, and the figure with its interval by engine."""
_OUR, _OTHER, _TEXT = "#d1592f", "#5b83bd", "#767676"
"""Each at least 3:1 against white and against GitHub's dark background (the text 4:1)."""
_COLORS = ("#5b83bd", "#2f9165", "#a5688f", "#9a7a2e", "#7b72c9", "#2b8fa3", "#7f8a3a", "#b35f7a")
_MARKERS = "osD^vP*X"
_ACROSS = 3
"""Panels in a row."""


class Plots:
    """Draws into one folder."""

    def __init__(self, folder: Path) -> None:
        import matplotlib

        matplotlib.use("svg")
        matplotlib.rcParams |= {"svg.hashsalt": "hinny", "svg.fonttype": "none", "font.family": "sans-serif"}
        colored = ("text.color", "axes.labelcolor", "axes.titlecolor", "axes.edgecolor", "xtick.color")
        colored += ("ytick.color", "legend.labelcolor")
        matplotlib.rcParams |= dict.fromkeys(colored, _TEXT)
        matplotlib.rcParams |= {"legend.framealpha": 0.0, "axes.facecolor": "none"}
        from matplotlib import pyplot

        self._pyplot = pyplot
        self._folder = folder
        self.made: list[Shown] = []
        folder.mkdir(parents=True, exist_ok=True)

    def _keep(self, figure: Any, name: str, shows: str) -> None:
        figure.tight_layout()
        figure.savefig(self._folder / name, metadata={"Date": None}, transparent=True)
        self._pyplot.close(figure)
        # matplotlib ends lines with blanks.
        text = (self._folder / name).read_text()
        (self._folder / name).write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
        self.made.append((name, shows))

    def speed(self, results: Results) -> None:
        """Median against nDCG@10 on SciFact."""
        rows = {n: r for n, r in results.get("scifact", {}).items() if "ndcg10" in r.get("plain", {})}
        if not rows:
            return
        figure, axes = self._pyplot.subplots(figsize=(7, 4))
        for name, row in rows.items():
            x, y = row["plain"]["median"], row["plain"]["ndcg10"]
            axes.scatter(x, y, s=50, color=_OUR if name == OURS else _OTHER)
            axes.annotate(label(name), (x, y), xytext=(6, 4), textcoords="offset points")
        axes.set_xscale("log")
        axes.set_xlabel("median of a question, ms (further left is faster)")
        axes.set_ylabel("nDCG@10 (higher is better)")
        axes.set_title("SciFact in Chromium: speed and relevance")
        axes.margins(0.15)
        shows = "Speed and relevance on SciFact, engine by engine"
        self._keep(figure, "benchmarks-speed-relevance.svg", shows)

    def ratios(self, results: Results) -> None:
        """Hinny's time by each rival's, with intervals."""
        groups = [key for key in PARTS if key[0] in results]
        groups += [(group, "plain") for group in results if (group, "plain") not in groups]
        lines = [(part_label(*key), _besides(results, *key, "ratio")) for key in groups]
        self._intervals(
            [line for line in lines if line[1]],
            "Hinny's time by the other's, 95% interval (left of 1: Hinny is faster)",
            ("benchmarks-ratios.svg", "Hinny's time by each engine's, with 95% intervals"),
            log=True,
        )

    def gains(self, results: Results) -> None:
        """Hinny's nDCG@10 above each rival's, with intervals."""
        lines = [
            (WORKS.get(group, group), _besides(results, group, "plain", "ndcg10_gain")) for group in results
        ]
        self._intervals(
            [line for line in lines if line[1]],
            "Hinny's nDCG@10 above the other's, 95% interval (right of 0: Hinny ranks better)",
            ("benchmarks-gains.svg", "Hinny's nDCG@10 above each engine's, with 95% intervals"),
        )

    def _intervals(self, lines: list[Line], axis: str, shown: Shown, *, log: bool = False) -> None:
        """A panel for each line, the engines in all of them in the same order."""
        if not lines:
            return
        names = sorted({name for _, values in lines for name in values})
        down = -(-len(lines) // _ACROSS)
        figure, panels = self._pyplot.subplots(
            down,
            _ACROSS,
            figsize=(9.5, 0.6 + down * (0.75 + 0.2 * len(names))),
            sharex=True,
            sharey=True,
            squeeze=False,
        )
        for panel, (title, values) in zip(panels.flat, lines, strict=False):
            places = [names.index(name) for name in values]
            middle = [value[0] for value in values.values()]
            below = [max(0.0, value[0] - value[1]) for value in values.values()]
            above = [max(0.0, value[2] - value[0]) for value in values.values()]
            panel.errorbar(middle, places, xerr=[below, above], fmt="o", markersize=4, color=_OTHER)
            panel.axvline(1 if log else 0, color=_OUR, linewidth=1)
            panel.set_title(title, fontsize=8)
            panel.tick_params(labelsize=8, labelbottom=True)
            panel.minorticks_off()
        for panel in list(panels.flat)[len(lines) :]:
            panel.set_visible(False)
        first = panels.flat[0]
        if log:
            first.set_xscale("log")
            first.minorticks_off()
        first.set_yticks(range(len(names)), [label(name) for name in names])
        first.set_ylim(len(names) - 0.5, -0.5)
        figure.supxlabel(axis, fontsize=9)
        self._keep(figure, *shown)

    def bars(self, results: Results, group: str, part: str, key: str, text: str, file: str) -> None:
        """One figure, engine by engine."""
        values = {n: r[part][key] for n, r in results.get(group, {}).items() if key in r.get(part, {})}
        if not values:
            return
        share = key in ("found5", "phrase_first")
        names = sorted(values, key=lambda name: values[name], reverse=not share)
        figure, axes = self._pyplot.subplots(figsize=(7, 0.4 * len(names) + 1.2))
        colors = [_OUR if name == OURS else _OTHER for name in names]
        axes.barh([label(name) for name in names], [values[name] for name in names], color=colors)
        if not share:
            axes.set_xscale("log")
        axes.set_xlabel(text)
        self._keep(figure, file, text[0].upper() + text[1:])

    def scaling(self, results: Results) -> None:
        """Questions, memory and bytes as the sections grow."""
        sizes = sorted(results, key=lambda group: int(group.rpartition("_")[2]))
        if len(sizes) < 2:
            return
        panels = (("questions", "median", "question, ms"), ("index", "page_mb", "page memory, MB"))
        panels += (("index", "gz", "index, bytes gzipped"), ("index", "build_ms", "build, ms"))
        figure, axes = self._pyplot.subplots(2, 2, figsize=(9, 7))
        names = order({name: None for group in sizes for name in results[group]})
        for panel, (part, key, text) in zip(axes.flat, panels, strict=True):
            for at, name in enumerate(names):
                rows = [(int(g.rpartition("_")[2]), results[g].get(name, {}).get(part, {})) for g in sizes]
                points = [(size, row[key]) for size, row in rows if key in row]
                ours = name == OURS
                style = {"color": _OUR if ours else _COLORS[at % len(_COLORS)], "marker": _MARKERS[at % 8]}
                if points:
                    style |= {"linewidth": 2.5 if ours else 1, "markersize": 5, "label": label(name)}
                    panel.plot(*zip(*points, strict=True), **style)
            panel.set_xscale("log")
            panel.set_yscale("log")
            panel.set_xlabel("sections")
            panel.set_ylabel(text)
        axes.flat[0].legend(fontsize=7)
        self._keep(figure, "benchmarks-scaling.svg", "Cost as a corpus grows from 1,000 to 100,000 sections")


def _besides(results: Results, group: str, part: str, key: str) -> dict[str, Sequence[float]]:
    rows = results.get(group, {})
    found = {name: rows[name].get(part, {}).get("beside", {}).get(key) for name in order(rows)}
    return {name: value for name, value in found.items() if value}


def draw(rivals: Results, scaling: Results, folder: Path) -> list[Shown]:
    """All plots that the results are enough for."""
    plots = Plots(folder)
    results = rivals.get("results", {})
    plots.ratios(results)
    plots.gains(results)
    plots.speed(results)
    key_text = "a key over 10,000 sections, 95th percentile, ms"
    plots.bars(results, "typing", "typing", "p95", key_text, "benchmarks-typing.svg")
    plots.bars(results, "manual", "index", "gz", "index of the manual, bytes gzipped", "benchmarks-index.svg")
    typo_text = "typos answered with the word that was meant"
    plots.bars(results, "manual", "typos", "found5", typo_text, "benchmarks-typos.svg")
    plots.scaling(scaling.get("results", {}))
    return plots.made
