"""The parts of the run beside rivals: which documents, which questions, and what is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lexical_cpython import manual_documents
from rival_figures import corrected, phrased, pooled, rows
from rival_phrases import PHRASES
from rival_run import OURS, Ask, Pair, Run
from rival_work import (
    CHINESE,
    JUDGED,
    Work,
    collection,
    phrases,
    scifact,
    sentences,
    typing,
    typos,
)

ROUNDS = 2
FIELDS = ("title", "headings", "text")
Found = tuple[str, dict[str, dict[str, Any]]]
"""The group of the results, and its rows by engine."""
Part = Callable[[Run, bool, int], Iterator[Found]]


def over(run: Run, work: Work, asks: list[Ask], *, together: bool = False) -> Found:
    """One set of documents, with the usual figures; `together` in one page with all rivals."""
    return work.name, rows(run.over(work, asks, together=together), {ask.part: ask.work for ask in asks})


def over_scifact(run: Run, quick: bool, rounds: int) -> Iterator[Found]:
    """SciFact's questions, whole sentences, plain and with typos; nothing where SciFact is not here."""
    work = scifact(40 if quick else None)
    if work is not None:
        asks = [Ask("plain", "plain", work, rounds), Ask("fuzzy", "fuzzy", work)]
        yield over(run, work, asks, together=quick)


def over_manual(run: Run, quick: bool, rounds: int) -> Iterator[Found]:
    """The manual's sections: keywords, sentences, phrases, and typos of words of its headings."""
    manual = manual_documents()
    asked = typos(manual, 20 if quick else 150)
    found = phrases(manual, 20 if quick else 100)
    work = Work("manual", manual, FIELDS, [], list(PHRASES[:4]))
    asks = [
        Ask("keywords", "plain", work.asking(PHRASES[4:], PHRASES[:4]), rounds),
        Ask("sentences", "plain", work.asking(sentences()), rounds),
        Ask("phrases", "phrase", work.asking(found)),
        Ask("typos", "typos", work.asking([typo.text for typo in asked])),
    ]
    pairs = run.over(work, asks, together=True)
    group = rows(pairs, {ask.part: ask.work for ask in asks})
    for name, row in group.items():
        for part, count in (
            ("phrases", lambda answers: phrased(answers, found, manual)),
            ("typos", lambda answers: corrected(answers, asked, manual)),
        ):
            answers = _answers(pairs, name, part)
            if answers is not None and part in row:
                row[part] |= count(answers)
    yield work.name, group


def _answers(pairs: dict[str, Pair], name: str, part: str) -> Any:
    if name == OURS:
        ours = [pair.parts[part][OURS] for pair in pairs.values() if OURS in pair.parts.get(part, {})]
        return pooled(ours) if ours else None
    return pairs[name].parts.get(part, {}).get(name)


def over_typing(run: Run, quick: bool, rounds: int) -> Iterator[Found]:
    """A phrase key by key over 10,000 sections."""
    work = typing(manual_documents(), phrases=6 if quick else 20)
    yield over(run, work, [Ask("typing", "typing", work)])


def over_book_index(run: Run, quick: bool, rounds: int) -> Iterator[Found]:
    """The manual's pages, asked terms of its book index and sentences about them; nothing without them."""
    count = 40 if quick else 300
    names = ("manual_concept", "manual_sentences")
    works = {name: work for name in names if (work := collection(name, count)) is not None}
    if len(works) < len(names):
        return
    asks = [Ask(name, "plain", work) for name, work in works.items()]
    group = rows(run.over(works[names[0]], asks, together=True), works)
    for name in names:
        yield (
            name,
            {
                engine: {"index": row["index"], **({"plain": row[name]} if name in row else {})}
                for engine, row in group.items()
            },
        )


def over_collection(name: str, questions: int) -> Part:
    """A judged collection's questions as they are, all rivals in one page; nothing where it is not here."""

    def part(run: Run, quick: bool, rounds: int) -> Iterator[Found]:
        work = collection(name, 40 if quick else questions)
        if work is not None:
            yield over(run, work, [Ask("plain", "plain", work)], together=True)

    return part


PARTS: dict[str, Part] = {
    "scifact": over_scifact,
    "manual": over_manual,
    "typing": over_typing,
    **{name: over_collection(name, 300) for name in CHINESE},
    "book_index": over_book_index,
    **{name: over_collection(name, 300) for name in JUDGED},
}
