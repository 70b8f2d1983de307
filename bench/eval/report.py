"""docs/evaluation.md and its pictures, from what was measured: tables are made, never typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.eval import plots
from bench.eval.corpora import COLLECTIONS, TUNING
from bench.eval.methods import SOURCES, methods
from bench.eval.notes import AIMS, ENDING, LANGUAGES, OPENING, POLICIES, QUANTISING, REASONS, Aim
from bench.eval.results import ALL

Tables = Mapping[str, Mapping[str, Any]]
"""Collection to method to its row."""
SAYS = {**SOURCES, **{method.name: method.says for method in methods()}}
GROUPS = {method.name: method.group for method in methods()}
PICTURES = "images/evaluation"
METRIC_NAMES = {"ndcg10": "nDCG@10", "mrr10": "MRR@10", "r1": "R@1", "r5": "R@5", "r100": "R@100"}


def write_report(report: Mapping[str, Any], docs: Path) -> None:
    """Write the page and its pictures below `docs`."""
    collections = report["collections"]
    tables: Tables = {name: found["methods"] for name, found in collections.items()}
    neural = [name for name in tables if "dense" in tables[name]]
    own = [name for name in neural if not ALL[name].asked_in]
    words = [name for name in COLLECTIONS if name in tables and not COLLECTIONS[name].asked_in]
    across = [name for name in neural if ALL[name].asked_in]
    pictures = docs / PICTURES
    parts = [OPENING.format(machine=report["machine"], versions=_versions(report["versions"]))]
    parts += ["## Aims", _aims(tables), REASONS]
    parts += ["## The collections", _facts(collections)]
    if words:
        plots.dots(
            pictures / "sources.svg",
            "Words, vectors, tokens, and all three",
            {name: tables[name] for name in words},
            {
                "bm25s": "bm25s",
                "lexical": "words",
                "dense": "vectors",
                "maxsim": "tokens",
                "three_source": "three-source factory",
            },
        )
        parts += [f"![nDCG@10 of each source on each set]({PICTURES}/sources.svg)"]
        plots.intervals(
            pictures / "words.svg",
            "Words: Hinny minus bm25s",
            [(name, _against(tables[name], "lexical", "vs_bm25s")) for name in words],
        )
        parts += [
            "## Words",
            _matrix(tables, words, ("bm25s", "lexical", "lexical_sum", "bm25f_plain", "bm25_sum_plain")),
            f"![Words beside bm25s]({PICTURES}/words.svg)",
            LANGUAGES,
        ]
    if own:
        names = [name for name in SOURCES if any(name in tables[each] for each in own)]
        joined = [
            name for name, group in GROUPS.items() if group in ("fusion", "cascade", "preset", "rerank")
        ]
        parts += ["## Sources alone", _matrix(tables, own, names)]
        parts += ["## Fusion, cascades, presets and reranking", _differences(tables, own, joined)]
        for name in own:
            if COLLECTIONS.get(name):
                plots.intervals(
                    pictures / f"joined-{name}.svg",
                    f"{name}: minus words alone",
                    [
                        (method, tables[name][method]["vs_lexical"])
                        for method in joined
                        if method in tables[name]
                    ],
                )
        shown = [name for name in ("scifact", "cranfield", "nfcorpus", "manual_concept") if name in own]
        parts += [f"![{name}: each method minus words alone]({PICTURES}/joined-{name}.svg)" for name in shown]
        parts += ["## Policies on and off", POLICIES, _policies(tables, own + across)]
        parts += ["## What quantising and pooling cost", QUANTISING, _costs(collections)]
    if across:
        parts += ["## Questions in another language", ENDING["across"], _matrix(tables, across, ACROSS)]
    parts += ["## Every number", ENDING["numbers"], *(_full(name, tables[name]) for name in tables)]
    (docs / "evaluation.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


ACROSS = (
    "bm25s",
    "lexical",
    "dense",
    "maxsim",
    "rrf_dense",
    "efficient",
    "efficient_no_weak",
    "tiny",
    "three_source",
)


def _versions(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _label(method: str) -> str:
    return f"`{method}` {SAYS[method]}"


def _matrix(tables: Tables, sets: Sequence[str], names: Iterable[str]) -> str:
    """nDCG@10: methods down, sets across; the best of a set in bold, † as the report explains it."""
    names = [name for name in names if any(name in tables[each] for each in sets)]
    best = {each: max(tables[each][n]["ndcg10"] for n in names if n in tables[each]) for each in sets}
    if len(sets) > 6:  # wide: sets down
        head = ["nDCG@10", *(f"`{name}`" for name in names)]
        return _table(head, ([each, *(_cell(tables[each], n, best[each]) for n in names)] for each in sets))
    rows = ([_label(name), *(_cell(tables[each], name, best[each]) for each in sets)] for name in names)
    return _table(["nDCG@10", *sets], rows)


def _cell(table: Mapping[str, Any], method: str, best: float) -> str:
    if method not in table:
        return ""
    row = table[method]
    value = f"{row['ndcg10']:.3f}"
    clear = "†" if row.get("vs_lexical", {"p": 1})["p"] < 0.05 else ""
    return (f"**{value}**" if row["ndcg10"] == best else value) + clear


def _signed(found: Mapping[str, float]) -> str:
    clear = "†" if found["p"] < 0.05 else ""
    return f"{found['difference']:+.3f}{clear}"


def _differences(tables: Tables, sets: Sequence[str], names: Iterable[str]) -> str:
    """Each method's nDCG@10 and its difference to words."""
    rows = []
    for name in names:
        cells = [
            f"{tables[s][name]['ndcg10']:.3f} ({_signed(tables[s][name]['vs_lexical'])})"
            if name in tables[s]
            else ""
            for s in sets
        ]
        if any(cells):
            rows.append([_label(name), *cells])
    return _table(["nDCG@10 (minus words)", *sets], rows)


PAIRS = (
    ("efficient", "efficient_no_weak"),
    ("tiny", "tiny_no_weak"),
    ("three_source", "three_source_fixed"),
    ("adaptive_dense", "linear_dense"),
    ("adaptive_three", "linear_three"),
    ("rrf_weak", "rrf_dense"),
    ("rrf_exact", "rrf_dense"),
    ("rrf_balance", "rrf_dense"),
    ("rrf_short", "rrf_dense"),
    ("rrf_dropoff", "rrf_dense"),
    ("reranked", "reranked_no_margin"),
    ("rrf_reranked", "rrf_dense"),
)


def _policies(tables: Tables, sets: Sequence[str]) -> str:
    rows = []
    for on, off in PAIRS:
        cells = [
            f"{tables[s][on]['ndcg10'] - tables[s][off]['ndcg10']:+.4f}"
            if {on, off} <= set(tables[s])
            else ""
            for s in sets
        ]
        rows.append([f"`{on}` minus `{off}`", *cells])
    return _table(["nDCG@10, on minus off", *sets], rows)


def _costs(collections: Mapping[str, Any]) -> str:
    rows = []
    for name, found in collections.items():
        table, facts = found["methods"], found["facts"]
        for method in SOURCES:
            whole = method.split("_")[0]
            if method in table and method != whole and whole in ("dense", "maxsim"):
                shared = facts.get(f"overlap10_{method}")
                rows.append(
                    [
                        f"{name}: {SAYS[method]}",
                        f"{table[method]['ndcg10']:.4f}",
                        f"{table[whole]['ndcg10'] - table[method]['ndcg10']:+.4f}",
                        "" if shared is None else f"{shared:.3f}",
                    ]
                )
    return _table(["", "nDCG@10", "lost", "overlap@10"], rows)


def _facts(collections: Mapping[str, Any]) -> str:
    rows = []
    for name, found in collections.items():
        about, facts = ALL[name], found["facts"]
        tuned = "defaults were chosen on it" if name in TUNING or not about.held_out else ""
        rows.append([f"`{name}`", f"{facts['documents']:.0f}", f"{facts['questions']:.0f}", tuned])
    return _table(["set", "documents", "judged questions", ""], rows)


def _against(table: Mapping[str, Any], method: str, baseline: str) -> Mapping[str, float]:
    found: Mapping[str, float] = table[method][baseline]
    return found


def _aims(tables: Tables) -> str:
    rows = []
    for aim in AIMS:
        value = aim.measure(tables)
        if value is not None:
            rows.append([aim.says, _number(aim, aim.target), _number(aim, value), _met(aim, value)])
    return _table(["aim", "at least", "measured", ""], rows)


def _number(aim: Aim, value: float) -> str:
    return f"{value:+.4f}" if aim.signed else f"{value:.3f}"


def _met(aim: Aim, value: float) -> str:
    return "met" if value >= aim.target else f"missed by {aim.target - value:.4f}"


def _full(name: str, table: Mapping[str, Any]) -> str:
    rows = [
        [
            _label(method),
            *(f"{row[metric]:.3f}" for metric in METRIC_NAMES),
            _interval(row.get("vs_lexical")),
            _interval(row.get("vs_bm25s")),
        ]
        for method, row in table.items()
    ]
    head = [name, *METRIC_NAMES.values(), "nDCG minus words", "nDCG minus bm25s"]
    return f"<details><summary>{name}</summary>\n\n{_table(head, rows)}\n\n</details>"


def _interval(found: Mapping[str, float] | None) -> str:
    if found is None:
        return ""
    return f"{_signed(found)} [{found['low']:+.3f}, {found['high']:+.3f}]"
