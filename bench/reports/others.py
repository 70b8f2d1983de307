"""Vectors, embedding, CPython, growing corpora, requests, and where the time goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.reports.tables import OURS, cells, interval, kilobytes, label, number, order, reason, table

Results = Mapping[str, Any]


def vectors(found: Results, embed: Results) -> str:
    """Vector engines, and transformers.js."""
    out = []
    rows = found.get("results", {}).get("vectors", {})
    if rows:
        out.append("## Vectors in Chromium\n")
        out.append(
            "SciFact's 5,183 abstracts as our MiniLM encodes them, 384 numbers each, its questions' vectors "
            "asked in turns beside Hinny: ten best, milliseconds in the worker. The overlap is with the ten "
            "that exact float32 products give. Hinny's index has 4 bits a coordinate.\n"
        )
        lines = []
        for name in order(rows):
            value = rows[name]["vectors"]
            index = rows[name]["index"]
            size = [kilobytes(index.get("gz")), index.get("build_ms"), index.get("load_ms")]
            shown = cells(value, ("median", "p95", "overlap10", "ndcg10"))
            lines.append(
                (label(name), interval(value.get("beside", {}).get("ratio")), *shown, *size)
                if "failed" not in value
                else (label(name), *shown, *[""] * 4)
            )
        head = ("engine", "Hinny's time by it", "median", "95th percentile", "overlap", "nDCG@10")
        out.append(table((*head, "index, gzipped", "build, ms", "load, ms"), lines))
    rows = embed.get("results", {}).get("embed", {})
    if rows:
        out.append("### A question's vector: Hinny's worker beside transformers.js, milliseconds\n")
        lines = []
        for name in order(rows):
            value = rows[name]["embed"]
            ratio = interval(value.get("beside", {}).get("ratio"))
            lines.append((label(name), *cells(value, ("median", "p95", "questions")), ratio))
        out.append(table(("engine", "median", "95th percentile", "questions", "Hinny's time by it"), lines))
    return "\n".join(out)


def cpython(found: Results) -> str:
    """Engines on CPython."""
    out = []
    for group, rows in found.get("results", {}).items():
        out.append(f"## On CPython: {'SciFact' if group == 'scifact' else group}\n")
        out.append(
            "One process, processor time, one question at a time and in turns, texts and questions analysed "
            "within it. (The aim about bm25s is measured with all questions at once, its fastest way.)\n"
        )
        lines = []
        for name in order(rows):
            value = rows[name]["plain"]
            if "failed" in value:
                lines.append((label(name), f"failed: {reason(value)}", *[""] * 6))
                continue
            ratio, gain = (value.get("beside", {}).get(key) for key in ("ratio", "ndcg10_gain"))
            shown = cells(value, ("median", "p95", "ndcg10", "r1"))
            build = rows[name]["index"]["build_ms"]
            lines.append((label(name), interval(ratio), *shown, interval(gain, sign=True), build))
        head = ("engine", "Hinny's time by it", "median, ms", "95th percentile", "nDCG@10", "R@1")
        out.append(table((*head, "Hinny's nDCG@10 above it", "build, ms"), lines))
    return "\n".join(out)


def late(found: Results) -> str:
    """Late interaction on CPython."""
    if not found:
        return (
            "## Late interaction on CPython\n\nNot measured: `pip install fast-plaid` (it brings PyTorch), "
            "then `python bench/run.py late`.\n"
        )
    lines = []
    for name, row in found["rows"].items():
        if "failed" in row:
            lines.append((label(name), f"failed: {reason(row)}", *[""] * 5))
            continue
        shown = cells(row, ("median", "ndcg10", "overlap10"))
        ratio = "" if name == OURS else number(row["ratio"])
        lines.append((label(name), ratio, *shown, kilobytes(row["bytes"]), row["build_ms"]))
    head = ("engine", "Hinny's time by it", "median, ms", "nDCG@10", "overlap", "index", "build, ms")
    return (
        f"## Late interaction on CPython\n\n{found['questions']} questions of {found['set']} to the "
        f"{found['tokens']:,} token vectors (of {found['dimensions']}) of its {found['documents']:,} "
        "documents, one process, in turns, from a question's vectors to the ten best; the overlap is with "
        "Hinny's ten. Hinny scores every token at 4 bits; fast-plaid (which PyLate searches with) those that "
        "its centroids let through, at the defaults of its README.\n\n" + table(head, lines)
    )


def scaling(found: Results) -> str:
    """How cost grows with the sections."""
    groups = sorted(found.get("results", {}), key=lambda group: int(group.rpartition("_")[2]))
    if not groups:
        return ""
    out = ["## As a corpus grows\n"]
    out.append(
        "The manual's 5,386 sections (its book index among them), beyond those copies in which every "
        "fifth word is another of its words. Each engine is alone in its browser. Questions are 26 "
        "keyword phrases and 12 sentences, ten best ids each, median of two rounds (Fuse: a sample, "
        "once). Memory is the renderer's whole process, Pyodide and all: after the last question, and the "
        "highest while building (Hinny is built on CPython: that process, with the documents; Pagefind by "
        "its own program, whose memory is not measured). Bounds: two minutes to build, a minute "
        "to load and for any answer; after half a minute no more is asked.\n"
    )
    head = (
        "engine",
        "median, ms",
        "95th percentile, ms",
        "questions",
        "load, ms",
        "page memory, MB",
        "index, gzipped",
        "build, ms",
        "memory to build, MB",
    )
    for group in groups:
        rows = found["results"][group]
        lines = []
        for name in order(rows):
            index, asked = rows[name]["index"], rows[name].get("questions", {})
            build = [index.get(key) for key in ("build_ms", "build_peak_mb")]
            if name == OURS:
                build[1] = index.get("build_mb")
            if "failed" in asked:
                lines.append(
                    (label(name), f"failed: {reason(asked)}", *[""] * 4, kilobytes(index.get("gz")), *build)
                )
                continue
            lines.append(
                (
                    label(name),
                    *cells(asked, ("median", "p95", "questions")),
                    index.get("load_ms"),
                    index.get("page_mb"),
                    kilobytes(index.get("gz")),
                    *build,
                )
            )
        out.append(f"### {int(group.rpartition('_')[2]):,} sections\n")
        out.append(table(head, lines))
    return "\n".join(out)


def requests(found: Results) -> str:
    """Bytes and requests of the engines whose index is split into files."""
    if not found:
        return ""
    out = ["## Bytes and requests\n"]
    out.append(
        "The two engines that fetch parts of their index, over the manual, with excerpts of ten hits: until "
        "the first answer, for a sentence after it, and what each of twenty questions after that adds "
        "(median). Bytes as a web server with gzip sends them.\n"
    )
    keys = ("first_answer", "first_answer_index", "next_sentence", "question")
    lines = []
    for name in order(found):
        row = found[name]
        if "failed" in row:
            lines.append((label(name), f"failed: {reason(row)}", "", "", ""))
            continue
        lines.append(
            (
                label(name),
                *(f"{kilobytes(row[f'{k}_bytes'])} in {number(row[f'{k}_requests'])}" for k in keys),
            )
        )
    head = ("engine", "first answer", "of it the site's", "a sentence", "a further question")
    out.append(table(head, lines))
    return "\n".join(out)


STAGES = {
    "script": "the client's script runs",
    "wasm": "Pyodide's WebAssembly compiled",
    "snapshot fetched": "the started interpreter's memory fetched",
    "snapshot unpacked": "that memory unpacked",
    "restoring": "restoring begins",
    "opened": "the site's index open",
    "first": "the first hit",
    "trip": "page to page",
    "worker and crossing": "worker, and crossing both boundaries",
    "lexical": "of it words",
    "exact": "of it exact matches",
    "fusion": "of it fusion",
    "policies": "of it policies",
    "texts": "of it texts",
    "excerpts": "of it excerpts",
}
"""What the client's marks and the answers' timings are called in the report."""


def _stages(found: Mapping[str, float], python: str) -> list[tuple[str, float]]:
    names = {**STAGES, "python": python}
    return [(names.get(name, name), value) for name, value in found.items()]


def profile(found: Results, costs: Results, embed: Results | None = None) -> str:
    """Where the time goes, and the three largest costs before and after."""
    out = []
    if found or costs:
        out.append("## Where the time goes (`make profile`)\n")
    if costs:
        out.append(
            f"The three largest costs, before (commit {costs['before']}) and after ({costs['after']}): both "
            "built and measured in turns in one run, medians in milliseconds:\n"
        )
        rows = [
            (row["cost"], row["before"], row["after"], row["after"] / row["before"]) for row in costs["costs"]
        ]
        out.append(table(("cost", "before", "after", "after by before"), rows))
    if found:
        for state in ("cold", "warm"):
            stages = found.get(f"boot_{state}", {})
            if stages:
                out.append(f"A start, {state}: milliseconds from one mark to the next, in their order\n")
                out.append(table(("until", "ms"), _stages(stages, "Python runs")))
        out.append("A question to the manual, page to worker and back, medians in milliseconds:\n")
        out.append(table(("stage", "ms"), _stages(found.get("question_ms", {}), "in Python")))
        vector = (embed or {}).get("results", {}).get("embed", {}).get(OURS, {}).get("embed", {})
        if "median" in vector:
            out.append(
                f"A search by meaning needs the question's vector too: {number(vector['median'])} ms for "
                "tokens, onnxruntime and pooling, measured above beside transformers.js.\n"
            )
        if found.get("shares"):
            out.append("Who has the time of 200 searches for words inside Pyodide (cProfile, own time):\n")
            out.append(table(("who", "share"), found["shares"].items()))
        out.append("The functions with the most time of their own:\n")
        rows = [(f"`{row['function']}`", row["calls"], row["ms"]) for row in found.get("functions", [])]
        out.append(table(("function", "calls", "ms"), rows))
    return "\n".join(out)
