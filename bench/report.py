"""docs/benchmarks.md and its plots, made from bench/results: `python bench/report.py`.

What Hinny is behind in comes first, then aims and ratios, then absolute figures, set-ups and the machine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.aims import judged  # noqa: E402

RESULTS = ROOT / "bench" / "results"
DOCS = ROOT / "docs"
OURS = "hinny"
LABELS = {
    "hinny": "Hinny",
    "minisearch": "MiniSearch",
    "orama": "Orama",
    "zbsearch": "ZBSearch",
    "lunr": "Lunr",
    "flexsearch": "FlexSearch",
    "fuse": "Fuse",
    "sqlite": "SQLite FTS5",
    "pagefind": "Pagefind",
}
_INTRODUCTION = """\
# Benchmarks

Made by `make bench` ([bench/](../bench)) from one run; every figure is in
[bench/results](../bench/results). Relevance by method and collection is in [evaluation.md](evaluation.md).
Ratios come first: both sides of each were measured in turns, in the same process or browser, so that a busy
machine slows both. Absolute figures hold for the machine named at the end.
"""
_METHOD = """\
Every engine sits in a worker of its own, in one Chromium, over the same documents. Each question goes to all
engines in turn, the order changing with every question; the time is what passes inside the worker from the
text to the ids of the ten best. Other questions warm everything up first. A figure is the median (or 95th
percentile) over the questions of each question's median over the rounds; "first" is the first time a question
was asked. An engine that fails is shown as failed; one that is too slow to be asked them all says how
many it was asked.
"""


def number(value: Any) -> str:
    """Three significant figures, thousands set off."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    digits = 2 if abs(value) >= 1 else 3
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A Markdown table; the first column is text, the others numbers."""
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    lines += [f"| {' | '.join(number(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def kilobytes(size: float | None) -> str:
    """Bytes as KB of 1,000, or MB."""
    if size is None:
        return ""
    return f"{size / 1e6:.2f} MB" if size >= 1e6 else f"{size / 1e3:.0f} KB"


def _order(rows: Mapping[str, Any]) -> list[str]:
    return sorted(rows, key=lambda name: (name != OURS, name))


def behind(summary: Mapping[str, float], rivals: Mapping[str, Any]) -> str:
    """Where Hinny is behind, bytes before the first answer first."""
    out = ["## Where Hinny is behind\n"]
    ours = summary.get("first_answer_bytes")
    manual = rivals.get("results", {}).get("manual", {})
    if not manual and "minisearch_gz_manual" in summary and rivals.get("engine_gz"):
        manual = {"minisearch": {"index": {"gz": summary["minisearch_gz_manual"]}}}
    if ours:
        out.append(
            f"**Bytes before the first answer.** A first visit to the PostgreSQL manual fetches "
            f"{kilobytes(ours)} in {number(summary['first_answer_requests'])} requests before it answers "
            f"({kilobytes(summary['first_answer_index_bytes'])} of them belong to the site, the rest is "
            "Python, numpy and scripts, kept by the browser afterwards). The others fetch their script and "
            "their whole index:\n"
        )
        rows = []
        for name in _order(manual):
            size = manual[name]["index"].get("gz")
            code = rivals["engine_gz"].get(name)
            if size is not None and code is not None:
                rows.append((LABELS.get(name, name), kilobytes(code), kilobytes(size), ours / (code + size)))
        out.append(table(("engine", "its code", "its index", "Hinny fetches so many times that"), rows))
    losses = [
        f"- {aim.meaning}: `{aim.name}` is {number(value)}, the aim was {_bound(aim)}"
        for aim, value in judged(summary)
        if value is not None and not aim.met(value)
    ]
    if losses:
        out.append("**Aims that were missed:**\n\n" + "\n".join(losses) + "\n")
    slower = [
        f"- {LABELS.get(name, name)} answers {what} in {number(value)} of Hinny's time"
        + (f", with nDCG@10 {number(rivals_ndcg)} beside {number(our_ndcg)}" if rivals_ndcg else "")
        for what, name, value, rivals_ndcg, our_ndcg in _faster(rivals.get("results", {}))
    ]
    if slower:
        out.append("**Engines that answer sooner:**\n\n" + "\n".join(slower) + "\n")
    return "\n".join(out)


def _faster(results: Mapping[str, Any]) -> list[tuple[str, str, float, float | None, float | None]]:
    found = []
    parts = (
        ("scifact", "plain", "plain questions"),
        ("scifact", "fuzzy", "questions with typos allowed"),
        ("typing", "typing", "keys"),
    )
    for group, part, what in parts:
        rows = {name: row[part] for name, row in results.get(group, {}).items() if part in row}
        ours = rows.get(OURS, {})
        for name in _order(rows):
            theirs = rows[name]
            if "median" in ours and theirs.get("median", float("inf")) < ours["median"]:
                share = theirs["median"] / ours["median"]
                found.append((what, name, share, theirs.get("ndcg10"), ours.get("ndcg10")))
    return found


def _bound(aim: Any) -> str:
    return f"{'at most' if aim.at_most else 'at least'} {number(aim.bound)}"


def aims(summary: Mapping[str, float]) -> str:
    """Every aim, met or missed."""
    rows = [
        (
            f"{aim.meaning} (`{aim.name}`)",
            _bound(aim),
            number(value) if value is not None else "not measured",
            "" if value is None else "met" if aim.met(value) else "**missed**",
        )
        for aim, value in judged(summary)
    ]
    return "## Aims\n\n" + table(("aim", "bound", "measured", ""), rows)


def _cells(part: Mapping[str, Any], names: Sequence[str]) -> list[Any]:
    if "failed" in part:
        return [f"failed: {part['failed']}", *[""] * (len(names) - 1)]
    return [part.get(name) for name in names]


def ratios(results: Mapping[str, Any]) -> str:
    """Ours by theirs, engine by engine."""
    out = ["## Ratios: Hinny's figure by the other's\n"]
    rows = []
    scifact, manual, typing = (results.get(name, {}) for name in ("scifact", "manual", "typing"))
    groups = {
        "plain, median": (scifact, "plain", "median"),
        "plain, first time": (scifact, "plain", "first"),
        "with typos, median": (scifact, "fuzzy", "median"),
        "a key typed, 95th percentile": (typing, "typing", "p95"),
        "index of SciFact, gzipped": (scifact, "index", "gz"),
        "index of the manual, gzipped": (manual, "index", "gz"),
    }
    for name in _order(scifact or manual):
        if name == OURS:
            continue
        row: list[Any] = [LABELS.get(name, name)]
        for group, part, key in groups.values():
            ours = group.get(OURS, {}).get(part, {}).get(key)
            theirs = group.get(name, {}).get(part, {})
            if "failed" in theirs:
                row.append("failed")
            elif ours is None or not theirs.get(key):
                row.append("")
            else:
                row.append(ours / theirs[key])
        rows.append(row)
    out.append("Below 1, Hinny takes less time or space. An empty cell: the engine has no such search.\n")
    out.append(table(("engine", *groups), rows))
    return "\n".join(out)


def absolute(results: Mapping[str, Any]) -> str:
    """The figures behind the ratios."""
    out = ["## Engines in Chromium: figures\n", _METHOD]
    scifact, manual, typing = (results.get(name, {}) for name in ("scifact", "manual", "typing"))
    for part, title in (("plain", "Plain questions"), ("fuzzy", "Questions with typos allowed")):
        keys = ("median", "p95", "first", "ndcg10", "mrr10", "questions")
        rows = [
            (LABELS.get(name, name), *_cells(scifact[name][part], keys))
            for name in _order(scifact)
            if part in scifact[name]
        ]
        if rows:
            out.append(f"### {title}: SciFact, 5,183 abstracts, milliseconds\n")
            head = ("engine", "median", "95th percentile", "first time", "nDCG@10", "MRR@10", "questions")
            out.append(table(head, rows))
    if typing:
        out.append("### As one types: 10,000 sections, every beginning of a phrase, milliseconds\n")
        out.append(
            "The sections are the manual's 5,000 and copies of them in which every fifth word is another of "
            "its words.\n"
        )
        keys = ("median", "p95", "first", "questions")
        rows = [(LABELS.get(n, n), *_cells(typing[n]["typing"], keys)) for n in _order(typing)]
        out.append(table(("engine", "median", "95th percentile", "first time", "keys"), rows))
    if manual:
        out.append("### Typos: words of the manual's headings with one edit\n")
        out.append(
            "Share of typos for which one of the first five hits has the word that was meant. Hinny is asked "
            "as by default, the others with their typo search where they have one.\n"
        )
        keys = ("found5", "insertion", "deletion", "substitution", "transposition", "questions")
        rows = [(LABELS.get(n, n), *_cells(manual[n]["typos"], keys)) for n in _order(manual)]
        out.append(table(("engine", "found", *keys[1:-1], "typos"), rows))
    for group, title in ((scifact, "SciFact"), (manual, "The manual's sections")):
        if not group:
            continue
        rows = []
        for name in _order(group):
            index = group[name]["index"]
            if "failed" in index:
                rows.append((LABELS.get(name, name), f"failed: {index['failed']}", "", "", "", ""))
                continue
            rows.append(
                (
                    LABELS.get(name, name),
                    kilobytes(index.get("gz")),
                    kilobytes(index.get("raw")),
                    index.get("build_ms"),
                    index.get("load_ms"),
                    kilobytes(index.get("memory")),
                )
            )
        out.append(f"### Index: {title}\n")
        out.append(
            "Memory is what the browser counts for the worker after loading, Hinny's with Python and numpy; "
            "Hinny's index is built on CPython, the others in the worker. SQLite and Orama's family keep the "
            "documents in the index; Hinny's texts, MiniSearch's, Lunr's and FlexSearch's are apart.\n"
        )
        head = ("engine", "gzipped", "as it is", "build, ms", "load, ms", "memory")
        out.append(table(head, rows))
    return "\n".join(out)


def setups(rivals: Mapping[str, Any]) -> str:
    """How each engine was set up."""
    versions = {OURS: "0.1.0", **rivals.get("versions", {})}
    rows = [
        f"| {LABELS.get(name, name)} | {versions.get(name, '')} | {text} |"
        for name, text in rivals.get("setups", {}).items()
    ]
    head = "## Set-ups\n\n| engine | version | as its documentation recommends |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def profile(found: Mapping[str, Any]) -> str:
    """Where the time goes."""
    if not found:
        return ""
    out = ["## Where the time goes (`make profile`)\n"]
    out.append("A question to the manual, page to worker and back, medians in milliseconds:\n")
    out.append(table(("stage", "ms"), found.get("question_ms", {}).items()))
    out.append("Python functions with the most time of their own over 200 searches inside Pyodide:\n")
    rows = [(f"`{row['function']}`", row["calls"], row["ms"]) for row in found.get("functions", [])]
    out.append(table(("function", "calls", "ms"), rows))
    return "\n".join(out)


def rest(summary: Mapping[str, float]) -> str:
    """What no other table shows."""
    prefixes = ("startup_", "first_answer_", "next_sentence_", "roundtrip_", "build_manual_")
    prefixes += ("pipeline_", "session_", "query_", "passage_", "models_", "dense_", "maxsim_", "qps_")
    rows = [(f"`{name}`", value) for name, value in summary.items() if name.startswith(prefixes)]
    return "## Start, questions, pipeline, models, vectors\n\n" + table(("figure", "value"), rows)


def failed_rows(failed: Mapping[str, str]) -> str:
    """Benchmarks that failed in this run."""
    if not failed:
        return ""
    rows = [f"- {name}: {reason}" for name, reason in failed.items()]
    return "## Benchmarks that failed\n\n" + "\n".join(rows) + "\n"


def busy(rivals: Mapping[str, Any], machine: Mapping[str, str]) -> str:
    """Says so when the machine had more to do than these benchmarks."""
    load = max(rivals.get("load", {}).values(), default=0.0)
    processors = int(machine.get("processors", "0") or 0)
    if not processors or load <= processors + 1:
        return ""
    return (
        f"**The machine was busy with other work** while the engines were asked (load average {number(load)} "
        f"on {processors} processors): absolute times are several times what they are on a quiet one, and "
        "longer ones suffer more than short ones.\n"
    )


def left_out(rivals: Mapping[str, Any]) -> str:
    """Names the engines that a shortened run did not ask."""
    lines = [
        f"- {group}: {', '.join(LABELS.get(name, name) for name in names)}"
        for group, names in rivals.get("not_asked", {}).items()
        if names
    ]
    return "**Not asked in this run, which was shortened:**\n\n" + "\n".join(lines) + "\n" if lines else ""


def plots(rivals: Mapping[str, Any], folder: Path) -> list[tuple[str, str]]:
    """SVG plots as (file name, what it shows); drawn the same from the same figures."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "hinny", "svg.fonttype": "none", "font.family": "sans-serif"}
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    made = []
    results = rivals.get("results", {})
    scifact = {n: r for n, r in results.get("scifact", {}).items() if "median" in r.get("plain", {})}

    def keep(figure: Any, name: str, shows: str) -> None:
        figure.tight_layout()
        figure.savefig(folder / name, metadata={"Date": None})
        pyplot.close(figure)
        # matplotlib ends lines with blanks.
        text = (folder / name).read_text()
        (folder / name).write_text("\n".join(line.rstrip() for line in text.splitlines()) + "\n")
        made.append((name, shows))

    if scifact:
        figure, axes = pyplot.subplots(figsize=(7, 4))
        for name, row in scifact.items():
            x, y = row["plain"]["median"], row["plain"]["ndcg10"]
            axes.scatter(x, y, s=50, color="#b3411f" if name == OURS else "#4a6fa5")
            axes.annotate(LABELS.get(name, name), (x, y), xytext=(6, 4), textcoords="offset points")
        axes.set_xscale("log")
        axes.set_xlabel("median of a question, ms (further left is faster)")
        axes.set_ylabel("nDCG@10 (higher is better)")
        axes.set_title("SciFact in Chromium: speed and relevance")
        axes.margins(0.15)
        keep(figure, "benchmarks-speed-relevance.svg", "Speed and relevance on SciFact, engine by engine")
    bars = (
        (
            "typing",
            "typing",
            "p95",
            "a key over 10,000 sections, 95th percentile, ms",
            "benchmarks-typing.svg",
        ),
        ("manual", "index", "gz", "index of the manual, bytes gzipped", "benchmarks-index.svg"),
        ("manual", "typos", "found5", "typos answered with the word that was meant", "benchmarks-typos.svg"),
    )
    for group, part, key, label, file in bars:
        values = {n: r[part][key] for n, r in results.get(group, {}).items() if key in r.get(part, {})}
        if not values:
            continue
        names = sorted(values, key=lambda name: values[name], reverse=key != "found5")
        figure, axes = pyplot.subplots(figsize=(7, 0.4 * len(names) + 1.2))
        colors = ["#b3411f" if name == OURS else "#4a6fa5" for name in names]
        axes.barh([LABELS.get(name, name) for name in names], [values[name] for name in names], color=colors)
        if key != "found5":
            axes.set_xscale("log")
        axes.set_xlabel(label)
        keep(figure, file, label.capitalize())
    return made


def load(name: str, folder: Path) -> dict[str, Any]:
    """A JSON file of results; empty when it is not there."""
    file = folder / f"{name}.json"
    found: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return found


def write_report(results: Path = RESULTS, docs: Path = DOCS) -> str:
    """Write docs/benchmarks.md and the plots; says what was written."""
    summary, rivals, failed, machine, profiled = (
        load(name, results) for name in ("summary", "rivals", "failed", "machine", "profile")
    )
    found = rivals.get("results", {})
    shown = plots(rivals, docs / "images")
    pictures = "\n".join(f"![{text}](images/{name})\n" for name, text in shown)
    quick = (
        "The engines were asked in a quick run: fewer questions, one round.\n" if rivals.get("quick") else ""
    )
    sections = [
        _INTRODUCTION,
        quick,
        busy(rivals, machine),
        left_out(rivals),
        "\n".join(rivals.get("notes", [])) + "\n" if rivals.get("notes") else "",
        failed_rows(failed),
        behind(summary, rivals),
        aims(summary),
        ratios(found) if found else "",
        pictures,
        absolute(found) if found else "",
        rest(summary),
        profile(profiled),
        setups(rivals) if rivals else "",
        "## Machine and versions\n\n" + table(("", ""), machine.items()),
    ]
    text = "\n".join(section for section in sections if section)
    docs.mkdir(parents=True, exist_ok=True)
    (docs / "benchmarks.md").write_text(text, encoding="utf-8")
    return f"{len(text.splitlines())} lines in {(docs / 'benchmarks.md').name}, {len(shown)} plots"


if __name__ == "__main__":
    print(write_report())
