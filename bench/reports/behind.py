"""What Hinny is behind in, which stands first: bytes, aims, times, relevance, sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.aims import Aim, judged
from bench.reports.tables import OURS, interval, kilobytes, label, number, order, part_label, table

Results = Mapping[str, Any]


def behind(summary: Mapping[str, float], results: Mapping[str, Results]) -> str:
    """The section; `results` holds rivals, cpython, vectors, embed and requests by those names."""
    out = ["## Where Hinny is behind\n"]
    found = (
        _first_bytes(summary, results.get("rivals", {}), results.get("requests", {})),
        _listed("Aims that were missed", _missed(summary)),
        _sooner(results),
        _listed("Engines that rank better", _better(results.get("rivals", {}))),
        _listed("Engines that find more of what was meant", _finds(results.get("rivals", {}))),
        _listed("Engines with a smaller index", _smaller(results)),
    )
    return "\n".join([*out, *(text for text in found if text)])


def _listed(title: str, lines: Iterator[str]) -> str:
    found = list(lines)
    return f"**{title}:**\n\n" + "\n".join(found) + "\n" if found else ""


def _first_bytes(summary: Mapping[str, float], rivals: Results, requests: Results) -> str:
    ours = summary.get("first_answer_bytes")
    if not ours:
        return ""
    text = (
        f"**Bytes before the first answer.** A first visit to the PostgreSQL manual fetches "
        f"{kilobytes(ours)} in {number(summary['first_answer_requests'])} requests before it answers "
        f"({kilobytes(summary['first_answer_index_bytes'])} of them belong to the site, the rest is "
        "Python, numpy and scripts, kept by the browser afterwards). Pagefind fetches parts of its index as "
        "they are needed, the others their script and their whole index:\n\n"
    )
    rows: list[tuple[Any, ...]] = []
    split = requests.get("pagefind", {})
    if "first_answer_bytes" in split:
        index = split["first_answer_index_bytes"]
        code = split["first_answer_bytes"] - index
        rows.append(("Pagefind", kilobytes(code), kilobytes(index), ours / (code + index)))
    manual = rivals.get("results", {}).get("manual", {})
    for name in order(manual):
        size = manual[name]["index"].get("gz")
        code = rivals.get("engine_gz", {}).get(name)
        if size is not None and code and name not in (OURS, "pagefind"):
            rows.append((label(name), kilobytes(code), kilobytes(size), ours / (code + size)))
    head = ("engine", "its code", "its index", "Hinny fetches so many times that")
    return text + table(head, rows) if rows else text


def _missed(summary: Mapping[str, float]) -> Iterator[str]:
    for aim, value in judged(summary):
        if value is not None and not aim.met(value):
            yield f"- {aim.meaning}: `{aim.name}` is {number(value)}, the aim was {bound(aim)}"


def bound(aim: Aim) -> str:
    """At most or at least what."""
    return f"{'at most' if aim.at_most else 'at least'} {number(aim.bound)}"


def compared(results: Mapping[str, Results]) -> Iterator[tuple[str, str, str, str, Mapping[str, Any]]]:
    """File, group, part, engine and its row, for every engine that was measured beside Hinny."""
    for file, found in results.items():
        for group, engines in found.get("results", {}).items():
            for name in order(engines):
                for part, value in engines[name].items():
                    if "beside" in value:
                        yield file, group, part, name, value


_WHERE = {"vectors": "vectors of SciFact", "embed": "a question's vector"}


def _sooner(results: Mapping[str, Results]) -> str:
    """Where another engine takes less time, the largest ratio first, and what its answers are worth."""
    rows = []
    for file, group, part, name, value in compared(results):
        ratio = value["beside"].get("ratio", [0.0])
        if ratio[0] > 1:
            where = _WHERE.get(file, part_label(group, part))
            where = f"on CPython, {where}" if file == "cpython" else where
            rows.append((ratio[0], (where, label(name), interval(ratio), *_worth(value))))
    if not rows:
        return ""
    rows.sort(key=lambda row: -row[0])
    head = ("asked", "engine", "Hinny's time by its", "what its answers are worth", "Hinny's")
    return "**Engines that answer sooner**, the largest ratio first:\n\n" + table(
        head, [row for _, row in rows]
    )


def _worth(value: Mapping[str, Any]) -> tuple[str, str]:
    """The relevance of a quicker engine's answers, and of ours to the same questions."""
    if "ndcg10" in value:
        ours = value["ndcg10"] + value["beside"].get("ndcg10_gain", [0.0])[0]
        return f"nDCG@10 {number(value['ndcg10'])}", number(ours)
    for key, what in (("found5", "finds what was meant:"), ("phrase_first", "finds the phrase first:")):
        if key in value:
            return f"{what} {100 * value[key]:.0f}%", ""
    return "not judged", ""


def _better(rivals: Results) -> Iterator[str]:
    for _, group, part, name, value in compared({"rivals": rivals}):
        gain = value["beside"].get("ndcg10_gain")
        if gain and gain[0] < 0:
            chance = "" if gain[2] < 0 else "; the interval holds 0, so it may be chance"
            yield (
                f"- {part_label(group, part)}: {label(name)}, by "
                f"{number(-gain[0])} of nDCG@10 ({-gain[2]:+.3f} to {-gain[1]:+.3f}{chance})"
            )


def _finds(rivals: Results) -> Iterator[str]:
    manual = rivals.get("results", {}).get("manual", {})
    counted = (("typos", "found5", "words with a typo"), ("phrases", "phrase_first", "phrases"))
    for part, key, what in counted:
        ours = manual.get(OURS, {}).get(part, {}).get(key)
        for name in order(manual):
            theirs = manual[name].get(part, {}).get(key)
            if ours is not None and theirs is not None and theirs > ours:
                yield f"- {what}: {label(name)} {number(theirs)}, Hinny {number(ours)}"


def _smaller(results: Mapping[str, Results]) -> Iterator[str]:
    for group, engines in results.get("rivals", {}).get("results", {}).items():
        ours = engines.get(OURS, {}).get("index", {}).get("gz")
        for name in order(engines):
            theirs = engines[name]["index"].get("gz")
            if ours and theirs and theirs < ours:
                yield (
                    f"- {part_label(group, '')}: {label(name)} "
                    f"{kilobytes(theirs)}, Hinny {kilobytes(ours)}, gzipped"
                )


def aims(summary: Mapping[str, float]) -> str:
    """Every aim, met or missed."""
    rows = [
        (
            f"{aim.meaning} (`{aim.name}`)",
            bound(aim),
            number(value) if value is not None else "not measured",
            "" if value is None else "met" if aim.met(value) else "**missed**",
        )
        for aim, value in judged(summary)
    ]
    return "## Aims\n\n" + table(("aim", "bound", "measured", ""), rows)
