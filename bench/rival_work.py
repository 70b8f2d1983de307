"""What the engines of the browser are asked: collections, keywords, sentences, phrases, typing and typos.

The manual comes from the archive in web/demo-data, the judged collections from HINNY_DATA; where those are
not here, only the manual is used.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.eval.corpora import (
    COLLECTIONS,
    TUNING,
    Collection,
    NoCollections,
    data_folder,
    load,
)

from hinny.records import Document
from lexical_cpython import EDITS, edited
from rival_phrases import PHRASES, SENTENCES

SEED = 20261130
QUESTIONS = Path(__file__).resolve().parents[1] / "web" / "demo-data" / "questions.jsonl"
_WORD = re.compile(r"[^\W_]+")
_THREE = re.compile(r"(?<=\s)[a-z]{4,} [a-z]{4,} [a-z]{4,}(?=\s)")
_MDN = Collection("mdn_js", "docs-mdn-js", queries="queries_xling_de", qrels="qrels_xling_de")
JUDGED = (
    "nfcorpus",
    "cranfield",
    "tldr",
    "belebele_en",
    "xquad_en",
    "mdn_js",
)
CHINESE = ("belebele_zh", "xquad_zh")


@dataclass(frozen=True)
class Work:
    """Documents with their fields, and what is asked of them."""

    name: str
    documents: list[Document]
    fields: tuple[str, ...]
    texts: list[str] = field(default_factory=list)
    warm: list[str] = field(default_factory=list)
    """Other questions of the same kind, asked before the clock runs."""
    judged: list[Mapping[str, int]] = field(default_factory=list)
    """Gains for each text, where there are judgements."""
    language: str = "en"

    def plain(self) -> list[dict[str, str]]:
        """The documents as every engine gets them."""
        return [
            {"id": each.id, **{name: each.fields.get(name, "") for name in self.fields}}
            for each in self.documents
        ]

    def asking(self, texts: Sequence[str], warm: Sequence[str] = ()) -> Work:
        """Other questions to the same documents."""
        return replace(self, texts=list(texts), warm=list(warm), judged=[])


def collection(name: str, questions: int | None = None) -> Work | None:
    """A judged collection and its first so many questions; None where it is not here."""
    try:
        about = {**COLLECTIONS, "mdn_js": _MDN, "manual_sentences": COLLECTIONS["manual_concept"]}[name]
        loaded = load(data_folder(), about)
    except (NoCollections, FileNotFoundError):
        return None
    ids = list(loaded.questions)
    texts = in_sentences(loaded.questions) if name == "manual_sentences" else loaded.questions
    # The last ones warm up where there are enough to spare.
    asked = ids[:questions] if questions is not None else ids
    warm = [texts[id] for id in ids[::-1][:20]]
    return Work(
        name,
        loaded.documents,
        ("title", "text"),
        [texts[id] for id in asked],
        warm,
        [loaded.judged[id] for id in asked],
        loaded.about.language,
    )


def in_sentences(questions: Mapping[str, str]) -> dict[str, str]:
    """Index terms as whole questions, of four sentences in turn; what answers them is the same."""
    return {id: SENTENCES[n % len(SENTENCES)].format(text) for n, (id, text) in enumerate(questions.items())}


def scifact(questions: int | None = None) -> Work | None:
    """SciFact with its 300 test questions, warmed up by others; None where it is not here."""
    found = collection("scifact", questions)
    if found is None:
        return None
    train = load(data_folder(), TUNING["scifact_train"])
    return replace(found, warm=list(train.questions.values())[:40])


def typing(documents: Sequence[Document], sections: int = 10_000, phrases: int = len(PHRASES)) -> Work:
    """Every beginning of some phrases, over so many sections: the manual's, repeated with altered words."""
    texts = [phrase[:end] for phrase in PHRASES[:phrases] for end in range(1, len(phrase) + 1)]
    warm = ["vacuum full", "alter table", "pg_stat"]
    return Work("typing", grown(documents, sections), ("title", "headings", "text"), texts, warm)


def sentences() -> list[str]:
    """Questions to the manual in whole sentences."""
    return [json.loads(line)["text"] for line in QUESTIONS.read_text("utf-8").splitlines()]


def phrases(documents: Sequence[Document], count: int = 100) -> list[str]:
    """Three plain words in a row, set off by spaces, that stand so in two sections or more."""
    draw = random.Random(SEED)
    texts = [each.fields.get("text", "") for each in documents]
    plain = [" ".join(_WORD.findall(text.lower())) for text in texts]
    found: list[str] = []
    for _ in range(100 * count):
        spots = list(_THREE.finditer(draw.choice(texts)))
        if len(found) == count or not spots:
            continue
        text = draw.choice(spots).group()
        if text not in found and sum(f" {text} " in each for each in plain) > 1:
            found.append(text)
    return found


def has_phrase(document: Document, phrase: str) -> bool:
    """Whether the words stand in a row in one of the document's fields."""
    return any(
        f" {phrase} " in f" {' '.join(_WORD.findall(text.lower()))} " for text in document.fields.values()
    )


def grown(documents: Sequence[Document], count: int) -> list[Document]:
    """`count` documents: the given ones, then copies in which every fifth word is another of the corpus.

    A copy's vocabulary, lengths and frequencies stay near those of real text; its ids are new.
    """
    found = list(documents[:count])
    draw = random.Random(SEED)
    words = [word for each in documents for word in _WORD.findall(each.fields.get("text", ""))]
    copy = 0
    while len(found) < count:
        copy += 1
        for each in documents[: count - len(found)]:
            fields = {name: _altered(text, words, draw) for name, text in each.fields.items()}
            found.append(Document(f"{each.id}@{copy}", fields, {}, each.language))
    return found


def _altered(text: str, words: Sequence[str], draw: random.Random) -> str:
    return _WORD.sub(lambda word: draw.choice(words) if draw.random() < 0.2 else word.group(), text)


@dataclass(frozen=True)
class Typo:
    """A word with one edit, and the word it was."""

    text: str
    word: str
    edit: str


def typos(documents: Iterable[Document], words: int = 250) -> list[Typo]:
    """So many words of five letters or more from titles and headings, each with one edit of every kind.

    An edit that makes another word of the corpus is no typo that an engine could know of, and is left out.
    """
    documents = list(documents)
    headings = {word for each in documents for word in _words(each, ("title", "headings"))}
    known = {word for each in documents for word in _words(each, each.fields)}
    draw = random.Random(SEED)
    candidates = sorted(word for word in headings if len(word) >= 5 and word.isascii() and word.isalpha())
    chosen = draw.sample(candidates, min(words, len(candidates)))
    made = [Typo(edited(word, edit, draw), word, edit) for word in chosen for edit in EDITS]
    return [typo for typo in made if typo.text not in known]


def holds(document: Document, word: str) -> bool:
    """Whether a document has the word in any of its fields."""
    return word in _words(document, document.fields)


def _words(document: Document, fields: Iterable[str]) -> set[str]:
    return {word for name in fields for word in _WORD.findall(document.fields.get(name, "").lower())}
