"""From what pages answered to figures: times, relevance, corrections, and Hinny beside each rival.

A ratio or a gain is over the questions that both sides of a pair were asked. Its 95% interval is the paired
bootstrap's (bench/eval/significance.py): questions are drawn again with replacement, both sides together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from statistics import mean, median
from typing import Any

import numpy as np
from bench.eval.metrics import ndcg, recall, reciprocal_rank
from bench.eval.significance import SEED, compare
from numpy.typing import NDArray

from hinny.records import Document
from lexical_cpython import EDITS
from rival_run import OURS, Pair
from rival_work import Typo, Work, has_phrase, holds

DRAWS = 2000
RELEVANCE = ("ndcg10", "mrr10", "r1", "r10")
Found = Mapping[str, Any]


def typical(found: Found) -> dict[int, float]:
    """Question to the median of its rounds, for those that were asked."""
    columns = zip(*found["ms"], strict=True)
    asked = {at: [ms for ms in column if ms is not None] for at, column in enumerate(columns)}
    return {at: median(column) for at, column in asked.items() if column}


def first(found: Found) -> dict[int, float]:
    """Question to its time in the first round."""
    return {at: ms for at, ms in enumerate(found["ms"][0]) if ms is not None}


def times(found: Found) -> dict[str, Any]:
    """Over the questions: median and 95th percentile of their medians over rounds, and of the first round."""
    if "failed" in found:
        return {"failed": found["failed"]}
    values = sorted(typical(found).values())
    if not values:
        return {"failed": "no question was answered"}
    return {
        "median": round(median(values), 4),
        "p95": round(values[min(len(values) - 1, int(0.95 * len(values)))], 4),
        "first": round(median(first(found).values()), 4),
        "questions": len(values),
        "unstable": found["unstable"],
        "rankings": hashlib.sha256(json.dumps(found["ids"]).encode()).hexdigest()[:16],
    }


def judgements(found: Found, work: Work) -> dict[int, tuple[float, ...]]:
    """Question to its `RELEVANCE`, for those that were asked."""
    if "failed" in found or not work.judged:
        return {}
    return {at: _judged(ids, work.judged[at]) for at, ids in enumerate(found["ids"]) if ids is not None}


def _judged(ids: Sequence[str], gains: Mapping[str, int]) -> tuple[float, ...]:
    ids = list(dict.fromkeys(ids))  # a document that is named twice counts once
    return ndcg(ids, gains), reciprocal_rank(ids, gains), recall(ids, gains, 1), recall(ids, gains, 10)


def relevance(found: Found, work: Work) -> dict[str, float]:
    """Means of `RELEVANCE` over the questions that were asked."""
    values = list(judgements(found, work).values())
    if not values:
        return {}
    return {
        name: round(mean(column), 4)
        for name, column in zip(RELEVANCE, zip(*values, strict=True), strict=True)
    }


def corrected(found: Found, asked: Sequence[Typo], documents: Sequence[Document]) -> dict[str, float]:
    """Share of typos for which one of the first five hits has the word that was meant; by kind of edit."""
    if "failed" in found:
        return {}
    by_id = {each.id: each for each in documents}
    kinds: dict[str, list[bool]] = {edit: [] for edit in EDITS}
    for typo, ids in zip(asked, found["ids"], strict=False):
        if ids is not None:
            kinds[typo.edit].append(any(holds(by_id[id], typo.word) for id in ids[:5]))
    every = [good for kind in kinds.values() for good in kind]
    return {"found5": round(mean(every), 4)} | {
        edit: round(mean(kind), 4) for edit, kind in kinds.items() if kind
    }


def phrased(found: Found, asked: Sequence[str], documents: Sequence[Document]) -> dict[str, float]:
    """Shares of phrases that the first hit has in a row, and of all hits that have theirs."""
    if "failed" in found:
        return {}
    by_id = {each.id: each for each in documents}
    firsts, hits = [], []
    for phrase, ids in zip(asked, found["ids"], strict=False):
        if ids is not None:
            good = [has_phrase(by_id[id], phrase) for id in ids]
            firsts.append(bool(good) and good[0])
            hits += good
    return {"phrase_first": round(mean(firsts), 4), "phrase_hits": round(mean(hits), 4) if hits else 0.0}


def interval(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> list[float]:
    """The ratio of the medians, ours by theirs, and its 95% interval."""
    random = np.random.default_rng(SEED)
    drawn = random.integers(len(ours), size=(DRAWS, len(ours)))
    ratios = np.median(ours[drawn], axis=1) / np.maximum(np.median(theirs[drawn], axis=1), 1e-6)
    low, high = np.percentile(ratios, [2.5, 97.5])
    ratio = float(np.median(ours)) / max(float(np.median(theirs)), 1e-6)
    return [round(float(value), 4) for value in (ratio, low, high)]


def beside(ours: Found, theirs: Found, work: Work) -> dict[str, Any]:
    """Hinny beside the rival of one page: ratios of times, gains in relevance, each with its interval."""
    if "failed" in ours or "failed" in theirs:
        return {}
    found: dict[str, Any] = {}
    for name, values in (("ratio", typical), ("first_ratio", first)):
        left, right = values(ours), values(theirs)
        both = sorted(left.keys() & right.keys())
        if not both:
            return {}
        pair = [np.array([side[at] for at in both], np.float64) for side in (left, right)]
        found[name] = interval(*pair)
        if name == "ratio":
            found["ours_median"] = round(float(np.median(pair[0])), 4)
    left_judged, right_judged = judgements(ours, work), judgements(theirs, work)
    both = sorted(left_judged.keys() & right_judged.keys())
    if both:
        for at, name in enumerate(RELEVANCE):
            sides = [np.array([side[q][at] for q in both]) for side in (left_judged, right_judged)]
            gain = compare(*sides)
            values = (gain.difference, gain.low, gain.high, gain.p)
            found[f"{name}_gain"] = [round(value, 4) for value in values]
    return found


def pooled(pairs: Sequence[Found]) -> Found:
    """Our answers beside several rivals as if in one page: rounds in a row, differing ids counted.

    Rivals that shared a page share our answers, which count once.
    """
    good = list({id(pair): pair for pair in pairs if "failed" not in pair}.values())
    if not good:
        return pairs[0]
    differing = sum(
        1
        for pair in good[1:]
        for one, other in zip(good[0]["ids"], pair["ids"], strict=True)
        if one is not None and other is not None and one != other
    )
    return {
        "ms": [row for pair in good for row in pair["ms"]],
        "ids": good[0]["ids"],
        "unstable": differing + sum(pair["unstable"] for pair in good),
    }


def rows(pairs: Mapping[str, Pair], works: Mapping[str, Work]) -> dict[str, dict[str, Any]]:
    """Engine to its index, and to each part's times, relevance and (`beside`) Hinny's ratio to it."""
    found: dict[str, dict[str, Any]] = {OURS: {"index": _our_index([each.index for each in pairs.values()])}}
    for part, work in works.items():
        ours = [pair.parts[part][OURS] for pair in pairs.values() if OURS in pair.parts.get(part, {})]
        if ours:
            together = pooled(ours)
            found[OURS][part] = times(together) | relevance(together, work)
        for name, pair in pairs.items():
            row = found.setdefault(name, {"index": pair.index[name]})
            answers = pair.parts.get(part, {})
            if name in answers:
                row[part] = times(answers[name]) | relevance(answers[name], work)
                if OURS in answers and "failed" not in row[part]:
                    row[part]["beside"] = beside(answers[OURS], answers[name], work)
    return found


def _our_index(indexes: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    ours = [index[OURS] for index in indexes]
    good = [index for index in ours if "failed" not in index] or ours
    merged = dict(good[0])
    for key in ("load_ms", "memory"):
        values = [index[key] for index in good if key in index]
        if values:
            merged[key] = median(values)
    return merged


def failures(results: Mapping[str, Any]) -> dict[str, str]:
    """What failed, and why: `GROUP NAME PART` to the reason."""
    return {
        f"{group} {name} {part}": value["failed"]
        for group, rows in results.items()
        for name, row in rows.items()
        for part, value in row.items()
        if "failed" in value
    }


def flat(results: Mapping[str, Any]) -> dict[str, float]:
    """The flat figures of the summary."""
    found: dict[str, float] = {}
    for group, engines in results.items():
        for name, row in engines.items():
            for part, value in row.items():
                found.update(_flat_part(group, name, part, value))
    found["rivals_failed"] = float(len(failures(results)))
    found["rivals_unstable"] = float(
        sum(
            part.get("unstable", 0)
            for group in results.values()
            for row in group.values()
            for part in row.values()
        )
    )
    return found


_LABELS = {
    ("scifact", "plain"): "lexical",
    ("scifact", "fuzzy"): "lexical_fuzzy",
    ("typing", "typing"): "typing",
    ("manual", "typos"): "typo",
}


def _flat_part(group: str, name: str, part: str, value: Mapping[str, Any]) -> dict[str, float]:
    if "failed" in value:
        return {}
    if part == "index":
        return {f"rival_gz_{group}_{name}": value["gz"]} if "gz" in value else {}
    label = _LABELS.get((group, part), f"{group}_{part}")
    found = {f"{label}_ms_{name}": value["median"], f"{label}_p95_ms_{name}": value["p95"]}
    for key, short in (("ndcg10", "ndcg10"), ("found5", "found5"), ("phrase_first", "first")):
        if key in value:
            found[f"{label}_{short}_{name}"] = value[key]
    for key, short in (("ratio", "vs"), ("first_ratio", "first_vs"), ("ndcg10_gain", "gain_over")):
        if key in value.get("beside", {}):
            found[f"{label}_{short}_{name}"] = value["beside"][key][0]
    if label == "typing" and name == OURS:
        found |= {"typing_p95_ms": value["p95"], "typing_median_ms": value["median"]}
    return found
