"""Hinny beside the engines that rank words in the browser: ratios first, then figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.reports.tables import (
    OURS,
    PARTS,
    WORKS,
    cells,
    interval,
    kilobytes,
    label,
    order,
    part_label,
    reason,
    table,
)

Results = Mapping[str, Any]
_METHOD = """\
Each rival and Hinny sit in workers of their own over the same documents, in one page of Chromium: over
SciFact and 10,000 sections each rival with Hinny alone, over what is smaller all together. Each question
goes to each in turn, the order changing with every question; the time is what passes inside the worker from
the text to the ids of the ten best, without fetching or showing texts. Other questions warm all up first. A
figure is the median (or 95th percentile) over the questions of each question's median over the rounds;
"first" is the first time a question was asked, where there is more than one round. A ratio is over the
questions that both were asked, in that page; in brackets is its 95% interval (paired bootstrap over the
questions): it tells how much the choice of questions matters, not how much one run of the machine differs
from the next. Hinny's own figures are over all its pages. An engine that fails is shown as failed; a slow
one (Fuse) is asked a fixed sample of the questions, as many as its column says, once and without warming
up, and compared over these. R@k is recall: the share of a question's relevant documents among the first k.
"""
_INDEX_NOTE = """\
Memory is what the browser counts for the worker after loading, which leaves out much of WebAssembly's (the
process's own is in the table of growing corpora); empty where the browser did not count within five seconds.
Hinny's index is built on CPython, the others in the worker, Pagefind's by its own program. Gzipped is gzip at
its best (9), of more than 8 MB at 6; Hinny's files and Pagefind's are packed as they are. SQLite and Orama's
family keep the documents in the index; the texts of Hinny, MiniSearch, Lunr and FlexSearch are apart, and so
are Hinny's positions, which only phrases need.
"""


def ratios(results: Results) -> str:
    """Ours by theirs: what was asked down, engines across."""
    asked = [(group, part) for group, part in PARTS if part in results.get(group, {}).get(OURS, {})]
    asked += [(group, "plain") for group in _judged(results) if (group, "plain") not in asked]
    names = sorted({name for group, _ in asked for name in results[group] if name != OURS})
    rows = []
    for group, part in asked:
        row: list[Any] = [part_label(group, part)]
        for name in names:
            value = results[group].get(name, {}).get(part, {})
            row.append("failed" if "failed" in value else interval(value.get("beside", {}).get("ratio")))
        rows.append(row)
    out = [
        "## Ratios: Hinny's time by the other's\n",
        "Below 1, Hinny takes less time. In brackets the 95% interval. An empty cell: the engine has no such "
        "search, or was not asked.\n",
        table(("asked", *(label(name) for name in names)), rows),
        _sizes(results),
    ]
    return "\n".join(out)


def _judged(results: Results) -> list[str]:
    return [group for group, rows in results.items() if "ndcg10" in rows.get(OURS, {}).get("plain", {})]


def _sizes(results: Results) -> str:
    groups = [group for group, rows in results.items() if "gz" in rows.get(OURS, {}).get("index", {})]
    names = sorted({name for group in groups for name in results[group] if name != OURS})
    rows = []
    for group in groups:
        ours = results[group][OURS]["index"]["gz"]
        theirs = [results[group].get(name, {}).get("index", {}).get("gz") for name in names]
        rows.append((WORKS.get(group, group), *(ours / size if size else "" for size in theirs)))
    if not rows:
        return ""
    head = ("Hinny's index by the other's, both gzipped", *(label(name) for name in names))
    return table(head, rows)


def gains(results: Results) -> str:
    """nDCG@10, ours above theirs: collections down, engines across."""
    judged = _judged(results)
    if not judged:
        return ""
    names = sorted({name for group in judged for name in results[group] if name != OURS})
    rows = []
    for group in judged:
        row: list[Any] = [WORKS.get(group, group), results[group][OURS]["plain"]["ndcg10"]]
        for name in names:
            value = results[group].get(name, {}).get("plain", {})
            gain = value.get("beside", {}).get("ndcg10_gain")
            row.append("failed" if "failed" in value else interval(gain, sign=True))
        rows.append(tuple(row))
    head = ("collection", "Hinny's own", *(label(name) for name in names))
    return (
        "## Relevance: Hinny's nDCG@10 above the other's\n\n"
        "Words alone, plain questions, over the questions that both were asked, with the 95% interval of the "
        "paired bootstrap (bench/eval/significance.py). Above 0, Hinny ranks better; an interval that holds "
        "0 tells no difference. Fuse is asked so few questions that its intervals are wide. Pagefind wants "
        "all words of a question, of which whole sentences have too many.\n\n" + table(head, rows)
    )


def absolute(results: Results) -> str:
    """The figures behind the ratios."""
    out = ["## Engines in Chromium: figures\n", _METHOD]
    for group, rows in results.items():
        parts = dict.fromkeys(part for row in rows.values() for part in row if part != "index")
        out += [_part(group, part, rows) for part in parts]
    for group in ("scifact", "manual", "typing"):
        if group in results:
            out.append(f"### Index: {WORKS[group]}\n")
            if group == "scifact" or "scifact" not in results:
                out.append(_INDEX_NOTE)
            out.append(_index(results[group]))
    return "\n".join(out)


_COLUMNS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "phrases": (("phrase_first", "phrase_hits"), ("first hit has it", "of all hits")),
    "typos": (
        ("found5", "insertion", "deletion", "substitution", "transposition"),
        ("found", "insertion", "deletion", "substitution", "transposition"),
    ),
}
_NOTES = {
    "phrases": "Three words in a row from the manual's text, in quotation marks where the engine has a "
    "phrase search (Hinny, SQLite FTS5, Pagefind), plain elsewhere: whether the first hit has them so.\n",
    "typos": "Words of the manual's headings with one edit: share for which one of the first five hits has "
    "the word that was meant. Hinny is asked as by default, the others with their typo search where they "
    "have one.\n",
    "typing": "The sections are the manual's 5,386 and copies of them in which every fifth word is another "
    "of its words; asked is every beginning of a phrase.\n",
}


def _part(group: str, part: str, rows: Results) -> str:
    keys: Sequence[str] = ("median", "p95", "questions")
    names: Sequence[str] = ("median", "95th percentile", "questions")
    if any(row.get(part, {}).get("first") != row.get(part, {}).get("median") for row in rows.values()):
        keys, names = ("median", "p95", "first", "questions"), (*names[:2], "first time", names[2])
    if part in _COLUMNS:
        more, shown = _COLUMNS[part]
        keys, names = (*keys, *more), (*names, *shown)
    elif any("ndcg10" in row.get(part, {}) for row in rows.values()):
        keys = (*keys, "ndcg10", "mrr10", "r1", "r10")
        names = (*names, "nDCG@10", "MRR@10", "R@1", "R@10")
    lines = [(label(name), *cells(rows[name][part], keys)) for name in order(rows) if part in rows[name]]
    title = part_label(group, part)
    out = [f"### {title[0].upper()}{title[1:]}, milliseconds\n"]
    if part in _NOTES:
        out.append(_NOTES[part])
    return "\n".join([*out, table(("engine", *names), lines)])


def _index(rows: Results) -> str:
    lines = []
    for name in order(rows):
        index = rows[name]["index"]
        if "failed" in index:
            lines.append((label(name), f"failed: {reason(index)}", "", "", "", ""))
            continue
        sizes = [kilobytes(index.get(key)) for key in ("gz", "raw")]
        times = [index.get(key) for key in ("build_ms", "load_ms")]
        lines.append((label(name), *sizes, *times, kilobytes(index.get("memory"))))
    return table(("engine", "gzipped", "as it is", "build, ms", "load, ms", "memory"), lines)
