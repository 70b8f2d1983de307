"""What engines are asked: typos, typing, corpora that grow."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

from hinny.records import Document  # noqa: E402
from rival_figures import corrected, phrased  # noqa: E402
from rival_pagefind import page  # noqa: E402
from rival_work import Typo, grown, has_phrase, holds, in_sentences, phrases, typing, typos  # noqa: E402

DOCUMENTS = [
    Document("a", {"title": "Vacuum freeze", "headings": "Storage", "text": "Vacuuming removes dead rows."}),
    Document(
        "b", {"title": "Indexes", "headings": "Partial indexes", "text": "An index of a part of a table."}
    ),
]


def test_a_typo_is_one_edit_away_and_no_word_of_the_corpus() -> None:
    made = typos(DOCUMENTS, 5)
    assert made
    assert {typo.word for typo in made} <= {"vacuum", "freeze", "storage", "indexes", "partial"}
    for typo in made:
        difference = len(typo.text) - len(typo.word)
        assert (
            difference == {"insertion": 1, "deletion": -1, "substitution": 0, "transposition": 0}[typo.edit]
        )
        assert not any(holds(document, typo.text) for document in DOCUMENTS)
        if typo.edit == "transposition":
            assert sorted(typo.text) == sorted(typo.word)


def test_typos_are_the_same_every_time() -> None:
    assert typos(DOCUMENTS, 5) == typos(DOCUMENTS, 5)


def test_a_document_holds_whole_words_in_any_case() -> None:
    assert holds(DOCUMENTS[0], "vacuum")
    assert not holds(DOCUMENTS[1], "part of")
    assert not holds(DOCUMENTS[0], "vacuumin")


def test_a_grown_corpus_keeps_the_originals_and_the_lengths() -> None:
    corpus = grown(DOCUMENTS, 7)
    assert [document.id for document in corpus] == ["a", "b", "a@1", "b@1", "a@2", "b@2", "a@3"]
    assert corpus[:2] == DOCUMENTS
    for document in corpus[2:]:
        original = DOCUMENTS["ab".index(document.id[0])]
        assert len(document.fields["text"].split()) == len(original.fields["text"].split())
    assert corpus == grown(DOCUMENTS, 7)


def test_typing_asks_every_beginning() -> None:
    work = typing(DOCUMENTS, 4, phrases=1)
    assert work.texts[:3] == ["t", "tr", "tra"]
    assert work.texts[-1] == "transaction isolation level"
    assert len(work.texts) == len(work.texts[-1])
    assert len(work.documents) == 4


def test_a_correction_counts_in_the_first_five_hits_only() -> None:
    documents = [*DOCUMENTS, *(Document(f"x{n}", {"text": "nothing"}) for n in range(5))]
    asked = [
        Typo("vacum", "vacuum", "deletion"),
        Typo("indxees", "indexes", "transposition"),
        Typo("freexze", "freeze", "insertion"),
    ]
    late = ["x0", "x1", "x2", "x3", "x4", "b"]
    found = corrected({"ids": [["x0", "a"], late, None]}, asked, documents)
    assert found == {"found5": 0.5, "deletion": 1.0, "transposition": 0.0}


def test_a_document_becomes_a_page_without_markup_of_its_own() -> None:
    shown = page({"id": "1", "title": "a < b", "headings": "", "text": "<script>x</script> & more"})
    assert "<h1>a &lt; b</h1>" in shown
    assert "<h2>" not in shown
    assert "<script>" not in shown
    assert "&lt;script&gt;x&lt;/script&gt; &amp; more" in shown


def test_a_phrase_of_the_battery_stands_in_two_sections() -> None:
    filler = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuv")
    twice = [Document(str(n), {"text": f"{filler} never lock tables when {filler}"}) for n in range(2)]
    once = Document("once", {"text": " granite slate roofs stand here only and nowhere else "})
    found = phrases([*twice, once], 40)
    assert found
    for phrase in found:
        assert all(has_phrase(document, phrase) for document in twice)
    assert found == phrases([*twice, once], 40)


def test_a_phrase_has_its_words_in_a_row_in_one_field() -> None:
    assert has_phrase(DOCUMENTS[0], "removes dead rows")
    assert not has_phrase(DOCUMENTS[0], "dead removes rows")
    assert not has_phrase(DOCUMENTS[0], "freeze storage")  # the end of one field, the start of the next
    assert not has_phrase(DOCUMENTS[0], "removes dead row")


def test_phrases_count_the_first_hit_and_all_hits() -> None:
    asked = ["removes dead rows", "index of a", "dead rows"]
    found = phrased({"ids": [["a", "b"], ["a", "b"], []]}, asked, DOCUMENTS)
    # First hits: a has it; a has not; there is none. Hits: a of two, b of two.
    assert found == {"phrase_first": 0.3333, "phrase_hits": 0.5}
    assert phrased({"failed": "no"}, asked, DOCUMENTS) == {}


def test_index_terms_are_asked_in_sentences_that_hold_them() -> None:
    terms = {str(n): f"term {n}" for n in range(5)}
    asked = in_sentences(terms)
    assert (
        asked["0"] == "How do I use term 0 in PostgreSQL?"
        and asked["4"] == "How do I use term 4 in PostgreSQL?"
    )
    assert len(set(asked.values())) == 5
    assert all(terms[id] in text and text.endswith("?") for id, text in asked.items())
