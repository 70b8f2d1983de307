"""What the report says of the run itself: when, beside which load, what failed or was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.reports.tables import LABELS, label, number, table, work_label
from bench.run_list import BENCHES

Results = Mapping[str, Any]
INTRODUCTION = """\
# Benchmarks

Made by `make bench` ([bench/](../bench)); every figure is in [bench/results](../bench/results). Relevance by
method and collection is in [evaluation.md](evaluation.md). Ratios come first: both sides of each were
measured in turns, in the same process or page, so that a busy machine slows both. Absolute figures hold for
the machine named at the end, and [When](#when) says when each part was measured, on which commit.
"""


def busy(runs: Mapping[str, Results], machine: Mapping[str, str]) -> str:
    """Says so when the machine had more to do than these benchmarks."""
    processors = int(machine.get("processors", "0") or 0)
    loads = {name: run.get("load", run.get("load_before", 0.0)) for name, run in runs.items()}
    heavy = {name: load for name, load in loads.items() if load > processors + 1}
    if not processors or not heavy:
        return ""
    names = "; ".join(sorted(work_label(name) for name in heavy))
    return (
        f"**The machine was busy with other work** (load average up to {number(max(heavy.values()))} on "
        f"{processors} processors) during: {names}. Their absolute times are longer than on a quiet "
        "machine, and long ones suffer more than short ones.\n"
    )


def left_out(rivals: Results) -> str:
    """Names the engines that a group of this run did not ask."""
    lines = [
        f"- {work_label(group)}: {', '.join(label(name) for name in names)}"
        for group, names in rivals.get("not_asked", {}).items()
        if names
    ]
    return "**Not asked in this run:**\n\n" + "\n".join(lines) + "\n" if lines else ""


def agreement(found: Results) -> str:
    """What two runs of the same comparison agreed in."""
    if not found:
        return ""
    differ = found["differ"]
    text = (
        f"**Two runs** of the shortened comparison (`make bench-agree`, commit {found['commit']}, "
        f"{found['ended']} UTC) were compared in {number(found['compared'])} rankings, relevances and sizes: "
    )
    if not differ:
        return text + "none differs.\n"
    return text + f"{len(differ)} differ:\n\n" + "\n".join(f"- {line}" for line in differ) + "\n"


def failed_rows(failed: Mapping[str, str]) -> str:
    """Benchmarks that failed in this run."""
    if not failed:
        return ""
    rows = [f"- {name}: {reason}" for name, reason in failed.items()]
    return "## Benchmarks that failed\n\n" + "\n".join(rows) + "\n"


def earlier(runs: Mapping[str, Results]) -> list[str]:
    """Benchmarks that are in no run that is known: what the summary has of them is from before."""
    found = []
    for name, bench in BENCHES.items():
        arguments = bench.arguments
        parts = arguments[arguments.index("--parts") + 1 :] if "--parts" in arguments else [name]
        if "--sizes" in arguments:
            parts = [f"sections_{arguments[arguments.index('--sizes') + 1]}"]
        if name not in runs and not all(part in runs for part in parts):
            found.append(name)
    return found


def when(runs: Mapping[str, Results], before: Sequence[str] = ()) -> str:
    """When each part was measured, on which commit, beside how much load."""
    if not runs:
        return ""
    said = f"\nOf an earlier run, or not measured: {', '.join(before)}.\n" if before else ""
    rows = [
        (
            f"{work_label(name)}{' (quick: fewer questions, one round)' if run.get('quick') else ''}",
            run["ended"],
            run.get("commit", ""),
            str(run.get("load", run.get("load_before", ""))),
        )
        for name, run in runs.items()
    ]
    return (
        "## When\n\nTimes in UTC; a + behind the commit: files of the package differed from it; load: the "
        "highest load average, these benchmarks' own work in it.\n\n"
        + table(("part", "ended", "commit", "load"), rows)
        + said
    )


def setups(details: Mapping[str, Results]) -> str:
    """How each engine was set up."""
    lines = []
    for file, found in details.items():
        versions = {"hinny": "0.1.0", **found.get("versions", {})}
        for name, text in found.get("setups", {}).items():
            if text:
                where = f"{LABELS.get(name, name)}{'' if file == 'rivals' else f' ({file})'}"
                lines.append(f"| {where} | {versions.get(name, '')} | {text} |")
    if not lines:
        return ""
    head = "## Set-ups\n\n| engine | version | as its documentation recommends |\n|---|---|---|\n"
    return head + "\n".join(lines) + "\n"
