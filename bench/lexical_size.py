"""How large the lexical index is, and how much of it a first search pulls.

    python bench/lexical_size.py [--data DIR] [--minisearch NODE_MODULES]

Size: dictionary and postings as they travel, without positions, beside MiniSearch's JSON of the same
documents and fields, gzipped (level 9); MiniSearch is run with Node when its folder is named (npm install
minisearch@7). First search: the resident part and the slices that a query needs, over the sections of the
PostgreSQL manual; keyword queries are the manual's own index terms of two or more words, sentences are
questions about them. Prints one flat JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import tempfile
from dataclasses import replace
from math import lgamma, log
from pathlib import Path
from statistics import mean

import numpy as np

from hinny.lexical.builder import Collected, collect
from hinny.lexical.index import LexicalIndex
from hinny.npz import unpack
from hinny.records import Document
from lexical_cpython import manual_documents
from lexical_eval import documents, questions
from rival_phrases import SENTENCES

_SCRIPT = """
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
const [modules, input, output] = process.argv.slice(2);
const MiniSearch = createRequire(modules + "/x.js")("minisearch");
const { fields, documents } = JSON.parse(readFileSync(input, "utf8"));
const index = new MiniSearch({ fields });
index.addAll(documents);
writeFileSync(output, JSON.stringify(index));
"""


def minisearch_bytes(modules: Path, corpus: list[Document], fields: list[str]) -> int:
    """MiniSearch's own JSON of the documents, gzipped."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "run.mjs").write_text(_SCRIPT)
        plain = [{"id": d.id, **{f: d.fields.get(f, "") for f in fields}} for d in corpus]
        (folder / "in.json").write_text(json.dumps({"fields": fields, "documents": plain}))
        run = ["node", "run.mjs", str(modules.resolve()), "in.json", "out.json"]
        subprocess.run(run, cwd=folder, check=True, timeout=300)
        return len(gzip.compress((folder / "out.json").read_bytes(), 9, mtime=0))


def bound(corpus: Collected, resident: int) -> int:
    """Bytes under which no coder comes that knows of each word no more than in how many documents it stands.

    The dictionary as it is; for each word, log2 of the ways to choose its documents; and the entropy of the
    postings' frequencies. A coder that knows which documents are alike, and which words are often repeated,
    can come under it.
    """
    documents = len(corpus.ids)
    choices = [
        lgamma(documents + 1) - lgamma(df + 1) - lgamma(documents - df + 1)
        for df in corpus.dictionary.df.tolist()
    ]
    share = np.unique(corpus.frequencies, axis=0, return_counts=True)[1] / corpus.documents.size
    entropy = -float((share * np.log2(share)).sum()) * corpus.documents.size
    return resident + round((sum(choices) / log(2) + entropy) / 8)


def sizes(name: str, corpus: list[Document], fields: list[str], modules: Path | None) -> dict[str, float]:
    """`index_gz_NAME`, its bound and, with MiniSearch at hand, `index_gz_vs_minisearch_NAME`."""
    index = LexicalIndex.build(corpus, fields, exact=(), whole=False)
    parts = index.to_parts()
    ours = sum(len(data) for part, data in parts.items() if "positions" not in part)
    resident = parts["lexical/dictionary"]
    chosen = dict(index.fields)
    result: dict[str, float] = {
        f"index_gz_{name}": ours,
        f"index_gz_bound_{name}": bound(collect(corpus, chosen), len(resident)),
        f"index_texts_gz_{name}": unpack(resident)["texts"].size,
        f"index_numbers_gz_{name}": unpack(resident)["data"].size,
        f"index_postings_gz_{name}": ours - len(resident),
        f"positions_gz_{name}": sum(map(len, parts.values())) - ours,
    }
    if modules is not None:
        theirs = minisearch_bytes(modules, corpus, fields)
        result |= {f"minisearch_gz_{name}": theirs, f"index_gz_vs_minisearch_{name}": round(ours / theirs, 4)}
    return result


def first_search(corpus: list[Document], data: Path) -> dict[str, float]:
    """Bytes of index that a first search pulls: for keywords, and for a sentence beside keywords."""
    index = LexicalIndex.build(corpus, ["title", "headings", "text"], exact=(), whole=False)
    parts = index.to_parts()
    resident = len(parts["lexical/dictionary"])
    asked, _ = questions(data, "manual_concept")
    keywords = [text for _, text in asked]

    def pulled(text: str) -> int:
        return resident + sum(len(parts[name]) for name in index.needs(text, syntax=False))

    words = [pulled(text) for text in keywords]
    sentences = [pulled(SENTENCES[n % 4].format(text)) for n, text in enumerate(keywords)]
    words_sorted = sorted(words)
    return {
        "resident_bytes": resident,
        "first_search_bytes": round(mean(words)),
        "first_search_bytes_p95": words_sorted[int(0.95 * len(words))],
        "sentence_bytes_ratio": round(mean(sentences) / mean(words), 3),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--minisearch", type=Path, help="a node_modules folder that holds minisearch")
    arguments = parser.parse_args()
    # `hinny build` tells that the manual is English.
    manual = [replace(document, language="en") for document in manual_documents()]
    scifact = documents(arguments.data / "scifact", "en")
    found = first_search(manual, arguments.data)
    found |= sizes("manual", manual, ["title", "headings", "text"], arguments.minisearch)
    found |= sizes("scifact", scifact, ["title", "text"], arguments.minisearch)
    print(json.dumps(found, indent=2))
