"""The engines that Hinny is measured beside on CPython, each as its documentation sets it up.

An engine is made of documents and a questions' language of English; `search` gives the ids of the best.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import numpy as np

from hinny.lexical.index import LexicalIndex
from hinny.records import Document

Search = Callable[[str, int], list[str]]
_WORD = re.compile(r"\w+")


class Engine(NamedTuple):
    """What makes a search of documents, and how it is described."""

    make: Callable[[Sequence[Document]], Search]
    version: Callable[[], str]
    setup: str


def _text(document: Document) -> str:
    return f"{document.fields.get('title', '')} {document.fields.get('text', '')}"


def hinny(documents: Sequence[Document]) -> Search:
    """Our own words."""
    index: LexicalIndex = LexicalIndex.build(documents)
    return lambda text, limit: [hit.id for hit in index.search(text, limit=limit).hits]


def _tokens(texts: Sequence[str]) -> list[list[str]]:
    import bm25s
    import Stemmer

    found: list[list[str]] = bm25s.tokenize(
        list(texts),
        stopwords="en",
        stemmer=Stemmer.Stemmer("english"),
        return_ids=False,
        show_progress=False,
    )
    return found


def bm25s(documents: Sequence[Document]) -> Search:
    """Scores of all documents, precomputed in a sparse matrix."""
    import bm25s as package

    ids = [document.id for document in documents]
    model = package.BM25(method="lucene")
    model.index(_tokens([_text(document) for document in documents]), show_progress=False)

    def search(text: str, limit: int) -> list[str]:
        rows, scores = model.retrieve(_tokens([text]), k=limit, show_progress=False)
        return [ids[row] for row, score in zip(rows[0], scores[0], strict=True) if score > 0]

    return search


def rank_bm25(documents: Sequence[Document]) -> Search:
    """Counts in dictionaries, numpy over all documents at each question."""
    from rank_bm25 import BM25Okapi

    ids = [document.id for document in documents]
    model = BM25Okapi(_tokens([_text(document) for document in documents]))

    def search(text: str, limit: int) -> list[str]:
        scores = model.get_scores(_tokens([text])[0])
        best = np.argsort(-scores, kind="stable")[:limit]
        return [ids[row] for row in best if scores[row] > 0]

    return search


def tantivy(documents: Sequence[Document]) -> Search:
    """Lucene's kind of index in Rust, in memory."""
    import tantivy as package

    builder = package.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    for name in ("title", "text"):
        builder.add_text_field(name, tokenizer_name="en_stem")
    index = package.Index(builder.build())
    writer = index.writer()
    for document in documents:
        writer.add_document(package.Document(id=document.id, **document.fields))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(text: str, limit: int) -> list[str]:
        query, _ = index.parse_query_lenient(text, ["title", "text"])
        return [searcher.doc(address)["id"][0] for _, address in searcher.search(query, limit).hits]

    return search


def fts5(documents: Sequence[Document]) -> Search:
    """SQLite's full text search, in memory."""
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title, text, tokenize='porter unicode61')"
    )
    rows = [(each.id, each.fields.get("title", ""), each.fields.get("text", "")) for each in documents]
    database.executemany("INSERT INTO docs VALUES (?, ?, ?)", rows)
    database.execute("INSERT INTO docs(docs) VALUES('optimize')")
    database.commit()

    def search(text: str, limit: int) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in _WORD.findall(text))
        select = "SELECT id FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in database.execute(select, (words, limit))] if words else []

    return search


def _version(package: str) -> Callable[[], str]:
    def found() -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return ""

    return found


SNOWBALL = "Snowball stems, English stop words"
ENGINES: dict[str, Engine] = {
    "hinny": Engine(hinny, _version("hinny"), "LexicalIndex with its defaults"),
    "bm25s": Engine(bm25s, _version("bm25s"), f"README: method lucene, {SNOWBALL}; one question at a time"),
    "rank_bm25": Engine(rank_bm25, _version("rank-bm25"), f"README: BM25Okapi over words; {SNOWBALL}"),
    "tantivy": Engine(
        tantivy,
        _version("tantivy"),
        "documentation: en_stem for title and text, in memory, the lenient query parser over both",
    ),
    "sqlite": Engine(
        fts5,
        lambda: sqlite3.sqlite_version,
        "FTS5's documentation: porter unicode61, words quoted and joined by OR, order by rank, in memory",
    ),
}


def versions() -> dict[str, Any]:
    """Name to version, empty where it is not installed."""
    return {name: engine.version() for name, engine in ENGINES.items()}
