"""The lexical search on CPython: queries a second and indexing time beside bm25s, and a battery of typos.

    python bench/lexical_cpython.py [--data DIR]

Both sides are timed in turns in one process, on SciFact, analysis of texts and queries included; a rate is
the median of the rounds. Typos: 1,000 words of five letters or more from the manual's headings, each with one
edit at a random place; counted is whether the word is among the first five suggestions. Prints one flat JSON
object.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from hinny.lexical.index import LexicalIndex
from hinny.records import Document
from lexical_eval import documents, rows

ROUNDS = 7
MANUAL = Path(__file__).resolve().parents[1] / "web" / "demo-data" / "postgresql-doc-15.tar.xz"
EDITS = ("insertion", "deletion", "substitution", "transposition")


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one call."""
    start = process_time()
    work()
    return process_time() - start


def beside_bm25s(data: Path) -> dict[str, float]:
    """Queries a second and indexing time, ours and bm25s's, and their ratios."""
    import bm25s
    import Stemmer

    corpus = documents(data / "scifact", "en")
    texts = [f"{document.fields['title']} {document.fields['text']}" for document in corpus]
    questions = [row["text"] for row in rows(data / "scifact" / "queries.jsonl")]
    stemmer = Stemmer.Stemmer("english")

    def tokenize(given: list[str]) -> Any:
        return bm25s.tokenize(given, stopwords="en", stemmer=stemmer, show_progress=False)

    rival = bm25s.BM25(method="lucene")
    ours: LexicalIndex = LexicalIndex.build(corpus)
    indexing: dict[str, list[float]] = {"ours": [], "theirs": []}
    for _ in range(3):
        indexing["ours"].append(seconds(lambda: LexicalIndex.build(corpus)))
        indexing["theirs"].append(seconds(lambda: rival.index(tokenize(texts), show_progress=False)))
    asking: dict[str, list[float]] = {"ours": [], "theirs": []}
    for _ in range(ROUNDS):
        asking["ours"].append(seconds(lambda: [ours.search(text, limit=10) for text in questions]))
        asking["theirs"].append(
            seconds(lambda: rival.retrieve(tokenize(questions), k=10, show_progress=False))
        )
    qps = {side: len(questions) / median(times) for side, times in asking.items()}
    return {
        "qps_ours": round(qps["ours"], 1),
        "qps_bm25s": round(qps["theirs"], 1),
        "qps_vs_bm25s": round(qps["ours"] / qps["theirs"], 3),
        "qps_first_pass": round(len(questions) / asking["ours"][0], 1),
        "index_s": round(median(indexing["ours"]), 3),
        "index_time_vs_bm25s": round(median(indexing["ours"]) / median(indexing["theirs"]), 3),
    }


def manual_documents() -> list[Document]:
    """The sections of the PostgreSQL manual, as `hinny build` makes them."""
    from hinny.site.loaders import Skipped, find_sources, parse_source
    from hinny.site.store import sections_of

    with tempfile.TemporaryDirectory() as folder, tarfile.open(MANUAL) as archive:
        archive.extractall(folder, filter="data")
        root = next(path.parent for path in sorted(Path(folder).rglob("index.html")))
        pages = [page for source in find_sources(root) for page in parse_source(source)]
    kept = [page for page in pages if not isinstance(page, Skipped) and page.sections]
    return [section.to_document() for section in sections_of(kept)]


def edited(word: str, edit: str, rng: random.Random) -> str:
    """The word with one edit of a kind."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    while True:
        at = rng.randrange(len(word))
        if edit == "insertion":
            result = word[:at] + rng.choice(letters) + word[at:]
        elif edit == "deletion":
            result = word[:at] + word[at + 1 :]
        elif edit == "substitution":
            result = word[:at] + rng.choice(letters) + word[at + 1 :]
        else:
            at = min(at, len(word) - 2)
            result = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if result != word:
            return result


def typos(corpus: list[Document]) -> dict[str, float]:
    """Share of typos whose word is among the first five suggestions, in all and by the worst kind of edit."""
    index = LexicalIndex.build(corpus, ["title", "headings", "text"])
    headings = " ".join(f"{document.fields['title']} {document.fields['headings']}" for document in corpus)
    words = sorted({word.lower() for word in re.findall(r"[A-Za-z]{5,}", headings)})
    rng = random.Random(20261130)
    chosen = rng.sample(words, min(1000, len(words)))
    hits: dict[str, list[bool]] = {edit: [] for edit in EDITS}
    for word in chosen:
        for edit in EDITS:
            hits[edit].append(word in index.suggest(edited(word, edit, rng), 5))
    shares = {edit: sum(found) / len(found) for edit, found in hits.items()}
    return {
        "typo_top5": round(sum(shares.values()) / len(shares), 4),
        "typo_top5_worst_class": round(min(shares.values()), 4),
        **{f"typo_top5_{edit}": round(share, 4) for edit, share in shares.items()},
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    print(json.dumps(beside_bm25s(arguments.data) | typos(manual_documents()), indent=2))
