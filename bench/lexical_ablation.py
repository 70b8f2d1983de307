"""What each part of the lexical score is worth: nDCG@10 with one thing changed at a time.

    python bench/lexical_ablation.py [--data DIR] [--table]

First canonical BM25F (the fields' frequencies summed, saturated once) beside the sum of the fields' own BM25,
both with no further signal; then the shipped defaults, and the defaults without each of their signals. Only
on the sets that the defaults were chosen on. Prints one flat JSON object, or with --table the rows of
docs/lexical.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import PLAIN, Scoring
from lexical_eval import SETS, documents, evaluate

DEFAULT = Scoring()
VARIANTS: Mapping[str, tuple[str, Scoring]] = {
    "plain_bm25f": ("BM25F alone, saturated once", PLAIN),
    "plain_sum": ("BM25 of each field alone, summed", replace(PLAIN, combine="sum")),
    "default": ("the defaults", DEFAULT),
    "default_sum": ("the defaults, each field saturated by itself", replace(DEFAULT, combine="sum")),
    "no_exact": ("the defaults without the word as written", replace(DEFAULT, exact=0.0)),
    "no_title": ("the defaults without title coverage", replace(DEFAULT, title=0.0)),
    "no_exact_title": ("the defaults without a title that is the query", replace(DEFAULT, exact_title=0.0)),
}
ON = {"scifact_train": "SciFact train", "nfcorpus_dev": "NFCorpus dev", "manual_concept": "manual, concepts"}


def run(data: Path) -> dict[str, float]:
    """`lexical_ablation_VARIANT_SET` for each variant and set."""
    found: dict[str, float] = {}
    for name in ON:
        folder, _, _, language = SETS[name]
        corpus = documents(data / folder, language)
        for variant, (_, scoring) in VARIANTS.items():
            index = LexicalIndex.build(corpus, scoring=scoring)
            found[f"lexical_ablation_{variant}_{name}"] = round(evaluate(data, name, index), 4)
    return found


def table(found: Mapping[str, float]) -> str:
    """The figures as rows of Markdown."""
    lines = [f"| | {' | '.join(ON.values())} |", "|---|" + "---:|" * len(ON)]
    for variant, (label, _) in VARIANTS.items():
        cells = [f"{found[f'lexical_ablation_{variant}_{name}']:.3f}" for name in ON]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    results = run(arguments.data)
    print(table(results) if arguments.table else json.dumps(results, indent=2))
