"""What the engines of the browser are asked: collections, typing and typos.

The manual comes from the archive in web/demo-data, SciFact from the collections (HINNY_DATA); where those are
not here, only the manual is used.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.eval.corpora import COLLECTIONS, TUNING, NoCollections, data_folder, load

from hinny.records import Document
from lexical_cpython import EDITS, edited

SEED = 20261130
_WORD = re.compile(r"[^\W_]+")

# Terms that stand in the manual's own book index.
PHRASES = (
    "transaction isolation level",
    "write-ahead log archiving",
    "point-in-time recovery",
    "create materialized view",
    "row level security policy",
    "logical replication slots",
    "autovacuum freeze age",
    "foreign data wrapper options",
    "window function frame",
    "generate_series timestamp interval",
    "partial index predicate",
    "partition pruning planner",
    "advisory lock functions",
    "full text search configuration",
    "json path language",
    "two-phase commit transactions",
    "hot standby feedback",
    "parallel query workers",
    "trigger transition tables",
    "collation provider icu",
    "large object support",
    "plpgsql exception handling",
    "pg_dump custom format",
    "client authentication ldap",
    "connection limits for roles",
    "bitmap index scan cost",
    "extended statistics objects",
    "deferrable unique constraint",
    "recursive common table expression",
    "shared memory semaphores kernel",
)


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

    def plain(self) -> list[dict[str, str]]:
        """The documents as every engine gets them."""
        return [
            {"id": each.id, **{name: each.fields.get(name, "") for name in self.fields}}
            for each in self.documents
        ]


def scifact(questions: int | None = None) -> Work | None:
    """SciFact with its 300 test questions; None where it is not here."""
    try:
        data = data_folder()
    except NoCollections:
        return None
    loaded = load(data, COLLECTIONS["scifact"])
    train = load(data, TUNING["scifact_train"])
    ids = list(loaded.questions)[:questions]
    return Work(
        "scifact",
        loaded.documents,
        ("title", "text"),
        [loaded.questions[id] for id in ids],
        list(train.questions.values())[:40],
        [loaded.judged[id] for id in ids],
    )


def typing(documents: Sequence[Document], sections: int = 10_000, phrases: int = len(PHRASES)) -> Work:
    """Every beginning of some phrases, over so many sections: the manual's, repeated with altered words."""
    texts = [phrase[:end] for phrase in PHRASES[:phrases] for end in range(1, len(phrase) + 1)]
    warm = ["vacuum full", "alter table", "pg_stat"]
    return Work("typing", grown(documents, sections), ("title", "headings", "text"), texts, warm)


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
            found.append(Document(f"{each.id}~{copy}", fields, {}, each.language))
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
