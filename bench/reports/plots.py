"""SVG plots, drawn the same from the same figures."""

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
_OUR, _OTHER = "#b3411f", "#4a6fa5"


class Plots:
    """Draws into one folder."""

    def __init__(self, folder: Path) -> None:
        import matplotlib

        matplotlib.use("svg")
        matplotlib.rcParams |= {"svg.hashsalt": "hinny", "svg.fonttype": "none", "font.family": "sans-serif"}
        from matplotlib import pyplot

        self._pyplot = pyplot
        self._folder = folder
        self.made: list[Shown] = []
        folder.mkdir(parents=True, exist_ok=True)

    def _keep(self, figure: Any, name: str, shows: str) -> None:
        figure.tight_layout()
        figure.savefig(self._folder / name, metadata={"Date": None})
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

    def _intervals(
        self,
        lines: list[tuple[str, dict[str, Sequence[float]]]],
        axis: str,
        shown: Shown,
        *,
        log: bool = False,
    ) -> None:
        if not lines:
            return
        names = sorted({name for _, values in lines for name in values})
        figure, axes = self._pyplot.subplots(figsize=(8, 1 + 0.19 * len(lines) * len(names)))
        colors = self._pyplot.get_cmap("tab10")
        step = 0.8 / len(lines)
        for at, (title, values) in enumerate(lines):
            places = [names.index(name) - 0.4 + step * (at + 0.5) for name in values]
            middle = [value[0] for value in values.values()]
            below = [max(0.0, value[0] - value[1]) for value in values.values()]
            above = [max(0.0, value[2] - value[0]) for value in values.values()]
            axes.errorbar(
                middle, places, xerr=[below, above], fmt="o", markersize=4, color=colors(at % 10), label=title
            )
        axes.axvline(1 if log else 0, color="#888888", linewidth=1)
        if log:
            axes.set_xscale("log")
        axes.set_yticks(range(len(names)), [label(name) for name in names])
        axes.invert_yaxis()
        axes.set_xlabel(axis)
        axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
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
            for name in names:
                rows = [(int(g.rpartition("_")[2]), results[g].get(name, {}).get(part, {})) for g in sizes]
                points = [(size, row[key]) for size, row in rows if key in row]
                style = {"color": _OUR, "linewidth": 2.5} if name == OURS else {"linewidth": 1}
                panel.plot(
                    *zip(*points, strict=True), "o-", label=label(name), markersize=4, **style
                ) if points else None
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
