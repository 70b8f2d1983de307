"""The collections that quality is measured on, and how their files are read.

Layout: FOLDER/corpus.jsonl (`_id`, `title`, `text`), queries*.jsonl (`_id`, `text`), qrels*.tsv (a
header, then query, document, gain), as BEIR has it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hinny.records import Document

ROOT = Path(__file__).resolve().parents[2]
SOURCES = """\
The collections are not here. Set HINNY_DATA to a folder that holds them in BEIR's form, or put that folder
beside the checkout as `data`. Where they come from:
  scifact, nfcorpus    BEIR's own download (github.com/beir-cellar/beir)
  cranfield            the University of Glasgow's Cranfield collection (qrels.tsv: codes 1 to 4 as 4 to 1)
  belebele/LANG        github.com/facebookresearch/belebele: a question finds its passage
  xquad/LANG           github.com/google-deepmind/xquad: a question finds its paragraph
  docs-postgresql15    Debian's postgresql-doc-15: a term of the book index finds its pages
  docs-tldr-nl2bash    github.com/tldr-pages/tldr and github.com/TellinaTool/nl2bash"""


class NoCollections(Exception):
    """There is no folder of collections."""


@dataclass(frozen=True)
class Collection:
    """Documents of one folder, and the questions that are asked of them."""

    name: str
    folder: str
    language: str = "en"
    """Of the documents."""
    queries: str = "queries"
    qrels: str = "qrels"
    asked_in: str = ""
    """Folder of the questions, where it is another; their language is then not the documents'."""
    neural: bool = False
    """Whether our English models are tried on it."""
    held_out: bool = True
    """False where defaults were chosen on it."""


BELEBELE = {
    "eng_Latn": "en",
    "deu_Latn": "de",
    "fra_Latn": "fr",
    "ita_Latn": "it",
    "spa_Latn": "es",
    "zho_Hans": "zh",
    "zsm_Latn": "ms",
}
XQUAD = ("en", "de", "es", "ar", "zh")
COLLECTIONS: dict[str, Collection] = {
    each.name: each
    for each in (
        Collection("scifact", "scifact", neural=True),
        Collection("cranfield", "cranfield", neural=True),
        Collection("nfcorpus", "nfcorpus", neural=True),
        Collection(
            "manual_concept",
            "docs-postgresql15",
            queries="queries_concept",
            qrels="qrels_concept",
            neural=True,
            held_out=False,
        ),
        *(
            Collection(f"belebele_{tag}", f"belebele/{folder}", tag, neural=tag == "en")
            for folder, tag in BELEBELE.items()
        ),
        *(Collection(f"xquad_{tag}", f"xquad/{tag}", tag, neural=tag == "en") for tag in XQUAD),
        Collection("tldr", "docs-tldr-nl2bash", neural=True),
        *(
            Collection(
                f"belebele_{tag}_to_en",
                "belebele/eng_Latn",
                asked_in=f"belebele/{folder}",
                neural=True,
            )
            for folder, tag in BELEBELE.items()
            if tag in ("de", "fr", "es")
        ),
        *(
            Collection(f"xquad_{tag}_to_en", "xquad/en", asked_in=f"xquad/{tag}", neural=True)
            for tag in ("de", "es", "zh")
        ),
    )
}
TUNING: dict[str, Collection] = {
    each.name: each
    for each in (
        Collection(
            "scifact_train",
            "scifact",
            queries="queries_train",
            qrels="qrels_train",
            neural=True,
            held_out=False,
        ),
        Collection(
            "nfcorpus_dev", "nfcorpus", queries="queries_dev", qrels="qrels_dev", neural=True, held_out=False
        ),
    )
}
"""Defaults may be chosen on these and on the manual."""

Gains = Mapping[str, int]


@dataclass(frozen=True)
class Loaded:
    """A collection in memory; only judged questions, in the order of their file."""

    about: Collection
    documents: list[Document]
    texts: dict[str, str]
    """What a model reads of each document."""
    questions: dict[str, str]
    judged: dict[str, Gains]


def data_folder() -> Path:
    """HINNY_DATA, or a folder `data` (or `shared/data`) in the checkout or beside it."""
    named = os.environ.get("HINNY_DATA")
    if named:
        candidates = [Path(named)]
    else:
        candidates = [base / name for base in (ROOT, ROOT.parent) for name in ("data", "shared/data")]
    for folder in candidates:
        if (folder / "scifact" / "corpus.jsonl").is_file():
            return folder
    raise NoCollections(SOURCES)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read_documents(folder: Path, language: str) -> list[Document]:
    """A corpus; an empty field is left out."""
    found = []
    for row in rows(folder / "corpus.jsonl"):
        fields = {"title": row.get("title", ""), "text": row["text"]}
        found.append(Document(row["_id"], {k: v for k, v in fields.items() if v}, {}, language))
    return found


def read_gains(path: Path) -> dict[str, Gains]:
    """Query id to document id to gain."""
    found: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, document, gain = line.split("\t")
        found.setdefault(query, {})[document] = int(gain)
    return dict(found)


def load(data: Path, about: Collection) -> Loaded:
    """Read one collection. Raises `FileNotFoundError` with the file that is not there."""
    documents = read_documents(data / about.folder, about.language)
    judged = read_gains(data / about.folder / f"{about.qrels}.tsv")
    asked = rows(data / (about.asked_in or about.folder) / f"{about.queries}.jsonl")
    questions = {row["_id"]: row["text"] for row in asked if row["_id"] in judged}
    texts = {each.id: " ".join(each.fields.values()) or each.id for each in documents}
    return Loaded(about, documents, texts, questions, {id: judged[id] for id in questions})
