"""Numbers, tables and names as the report shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
    "bm25s": "bm25s",
    "rank_bm25": "rank_bm25",
    "tantivy": "tantivy",
    "pylate": "PyLate",
    "fast-plaid": "fast-plaid",
    "vector-voy": "Voy",
    "vector-edgevec": "EdgeVec",
    "vector-orama": "Orama, vectors",
    "vector-javascript": "plain JavaScript",
    "transformers": "transformers.js",
}
WORKS = {
    "scifact": "SciFact",
    "manual": "the manual's sections",
    "typing": "10,000 sections",
    "manual_concept": "the manual's pages, terms of its book index",
    "manual_sentences": "the manual's pages, sentences about those terms",
    "nfcorpus": "NFCorpus",
    "cranfield": "Cranfield",
    "tldr": "tldr pages",
    "mdn_js": "MDN JavaScript, asked in German",
    "belebele_en": "Belebele, English",
    "xquad_en": "XQuAD, English",
    "belebele_zh": "Belebele, Chinese",
    "xquad_zh": "XQuAD, Chinese",
}
PARTS = {
    ("scifact", "plain"): "questions of SciFact",
    ("scifact", "fuzzy"): "questions of SciFact, typos allowed",
    ("manual", "keywords"): "keywords, the manual",
    ("manual", "sentences"): "sentences, the manual",
    ("manual", "phrases"): "phrases, the manual",
    ("manual", "typos"): "words with a typo, the manual",
    ("typing", "typing"): "keys, 10,000 sections",
}


def label(name: str) -> str:
    """An engine's own spelling."""
    return LABELS.get(name, name)


def work_label(group: str) -> str:
    """The documents of a group of results."""
    head, _, size = group.rpartition("_")
    if head == "sections" and size.isdigit():
        return f"growing corpora, {int(size):,} sections"
    return WORKS.get(group, group)


def part_label(group: str, part: str) -> str:
    """What was asked of what."""
    return PARTS.get((group, part), WORKS.get(group, group))


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
    if abs(value) < 0.001:
        return f"{value:.1g}"
    digits = 2 if abs(value) >= 1 else 3
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def interval(values: Sequence[float] | None, *, sign: bool = False) -> str:
    """A figure with its 95% interval."""
    if not values:
        return ""
    shown = [f"{value:+.3f}".replace("-0.000", "+0.000") if sign else number(value) for value in values[:3]]
    return f"{shown[0]} ({shown[1]} to {shown[2]})"


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


def order(rows: Mapping[str, Any]) -> list[str]:
    """Hinny, then the others by name."""
    return sorted(rows, key=lambda name: (name != OURS, name))


def in_order(groups: Mapping[str, Any]) -> dict[str, Any]:
    """Groups of results as `WORKS` has them, others behind."""
    known = list(WORKS)
    return dict(sorted(groups.items(), key=lambda item: known.index(item[0]) if item[0] in known else 99))


def cells(part: Mapping[str, Any], names: Sequence[str]) -> list[Any]:
    """Some values of a row; the reason in the first cell where there are none."""
    if "failed" in part:
        return [f"failed: {reason(part)}", *[""] * (len(names) - 1)]
    return [part.get(name) for name in names]


def reason(part: Mapping[str, Any]) -> str:
    """Why something failed, in one line."""
    return " ".join(str(part["failed"]).split())[:160]
