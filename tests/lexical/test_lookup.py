"""Query words looked up: stems, words as written, and what stands for a word that is not there."""

from __future__ import annotations

from math import log

import pytest

from hinny.lexical.found import PREFIX, SOUND, SYNONYM, TYPO
from hinny.lexical.index import LexicalIndex
from hinny.lexical.lookup import How, Lookup
from hinny.lexical.words import QueryWord
from hinny.records import Document
from hinny.text.analyzer import WORD

TEXTS = ["index indexes", "indexing", "index table", "cable", "résumé", "resume"]


@pytest.fixture(scope="module")
def lookup() -> Lookup:
    documents = [Document(f"d{n}", {"text": text}, {}, "en") for n, text in enumerate(TEXTS)]
    return LexicalIndex.build(documents, ["text"])._engine.lookup


def word(term: str, exact: str | None = None) -> QueryWord:
    return QueryWord(term, exact or term, WORD, 0, False, 1.0)


def names(lookup: Lookup, pieces: list[tuple[int, int, int]]) -> list[str]:
    return [lookup.dictionary.words[entry] for _, low, high in pieces for entry in range(low, high)]


def test_a_stem_has_all_its_forms_and_the_word_as_written(lookup: Lookup) -> None:
    found = lookup.find(word("indexes"), How())
    assert names(lookup, found.stems) == ["index", "indexes", "indexing"]
    assert names(lookup, found.written) == ["indexes"]
    assert found.known and found.matches and not found.expansions
    # The stem is in 3 of 6 documents: ln(1 + 3.5 / 3.5).
    assert found.idf == pytest.approx(log(2))


def test_without_stems_only_the_word_counts(lookup: Lookup) -> None:
    found = lookup.find(word("indexes"), How(stem=False))
    assert names(lookup, found.stems) == ["indexes"]
    assert found.idf == pytest.approx(log(1 + 5.5 / 1.5))  # in one document


def test_a_form_that_folds_alike_is_found(lookup: Lookup) -> None:
    found = lookup.find(word("resume"), How())
    assert sorted(names(lookup, found.stems)) == ["resume", "resume"]
    assert found.idf == pytest.approx(log(1 + 4.5 / 2.5))


def test_typos_are_for_words_that_the_index_lacks(lookup: Lookup) -> None:
    assert not lookup.find(word("table"), How(edits=-1)).expansions  # "cable" is near, but table is known
    (near,) = lookup.find(word("tabel"), How(edits=-1)).expansions
    assert (near.kind, near.weight) == (TYPO, 0.5)
    assert names(lookup, near.pieces) == ["table"]
    # With a number, always; the word itself is no typo of itself.
    (near,) = lookup.find(word("table"), How(edits=1)).expansions
    assert names(lookup, near.pieces) == ["cable"]
    # A correction brings every form of the word.
    (near,) = lookup.find(word("indexs"), How(edits=1)).expansions
    assert names(lookup, near.pieces) == ["index", "indexes", "indexing"]


def test_prefixes_and_synonyms_stand_beside_the_word(lookup: Lookup) -> None:
    found = lookup.find(word("ind"), How(prefix=True, synonyms={"cable": 0.8, "nothing": 1.0}))
    assert not found.known
    assert [(one.kind, names(lookup, one.pieces)) for one in found.expansions] == [
        (SYNONYM, ["cable"]),
        (PREFIX, ["index", "indexes", "indexing"]),
    ]
    assert found.also == ("cable", "index", "indexes", "indexing")  # index is in two documents


def test_one_word_may_be_asked_with_several_edits_at_once(lookup: Lookup) -> None:
    """`indx indx~3` with one typo allowed: what is looked up ahead for one is not the other's."""
    words = [word("cabxx"), word("cabxx"), word("tabel")]
    hows = [How(edits=1), How("fuzzy", edits=2), How(edits=1)]
    together = lookup.find_all(words, hows)
    lookup.clear()
    for found, one, how in zip(together, words, hows, strict=True):
        alone = lookup.find(one, how)
        assert [(e.kind, e.weight, e.pieces) for e in found.expansions] == [
            (e.kind, e.weight, e.pieces) for e in alone.expansions
        ]
    assert not together[0].expansions and together[1].expansions


def test_of_longer_words_only_those_are_told_that_are_not_far_rarer() -> None:
    """`concurrently-updated` once in a manual full of `concurrently` is searched, and no news to a reader."""
    texts = ["concurrently"] * 21 + ["concurrently-updated"]
    engine = LexicalIndex.build([Document(str(n), {"text": text}) for n, text in enumerate(texts)], ["text"])
    found = engine.search("concurrently", as_you_type=True)
    assert (found.total, found.also_searched) == (22, ())
    engine = LexicalIndex.build(
        [Document(str(n), {"text": text}) for n, text in enumerate(texts[2:])], ["text"]
    )
    assert engine.search("concurrently", as_you_type=True).also_searched == ("concurrentlyupdated",)


def test_patterns_replace_the_word(lookup: Lookup) -> None:
    for how, expected in (
        (How("prefix"), ["index", "indexes", "indexing"]),
        (How("suffix"), ["index"]),
        (How("substring"), ["index", "indexes", "indexing"]),
    ):
        found = lookup.find(word("index"), how)
        assert not found.known
        assert names(lookup, found.expansions[0].pieces) == expected


def test_answers_are_remembered_until_they_are_cleared(lookup: Lookup) -> None:
    first = lookup.find(word("cable"), How())
    assert lookup.find(word("cable"), How()) is first
    assert lookup.find(word("cable"), How(stem=False)) is not first
    lookup.clear()
    assert lookup.find(word("cable"), How()) is not first


def test_a_word_that_nothing_stands_for(lookup: Lookup) -> None:
    found = lookup.find(word("zzzzzzzz"), How(edits=-1))
    assert not found.matches and found.slices == ()
    assert found.idf == pytest.approx(log(1 + 6.5 / 0.5))


def test_a_known_word_has_the_same_group_with_and_without_its_stem(lookup: Lookup) -> None:
    for term in ("index", "indexes", "indexing", "table", "cable", "resume", "unknown"):
        lookup.expander._sorted.clear()
        by_stem = lookup.base(term, term)
        lookup.expander.sort(term)
        assert lookup.base(term, term) == by_stem


def test_words_together_have_what_each_has(lookup: Lookup) -> None:
    words = [word(term) for term in ("tabel", "indexs", "cable", "index", "a", "tabel")]
    hows = [How(edits=edits, prefix=True) for edits in (1, 2, 1, 0, 2, 1)]
    lookup.clear()
    together = lookup.find_all(words, hows)
    lookup.clear()
    for found, one, how in zip(together, words, hows, strict=True):
        alone = lookup.find(one, how)
        assert found.stems == alone.stems and found.also == alone.also
        assert [each.pieces for each in found.expansions] == [each.pieces for each in alone.expansions]


def test_words_that_the_index_lacks_are_found_by_their_sound() -> None:
    texts = ["phonetics phonetic", "physics", "night knights", "index"]
    documents = [Document(f"d{n}", {"text": text}, {}, "en") for n, text in enumerate(texts)]
    plain = LexicalIndex.build(documents, ["text"])._engine.lookup
    sounding = LexicalIndex.build(documents, ["text"], phonetic=True)._engine.lookup
    assert not plain.find(word("fonetiks"), How(edits=-1)).expansions
    (alike,) = sounding.find(word("fonetiks"), How(edits=-1)).expansions
    assert (alike.kind, alike.weight) == (SOUND, pytest.approx(0.8 * 0.5**3))
    assert names(sounding, alike.pieces) == ["phonetic", "phonetics"]  # every form of it
    assert sounding.find(word("fonetiks"), How(edits=-1)).also == ("phonetics",)
    # What is near by its letters already is no match by sound; words that the index has are not widened.
    (near,) = sounding.find(word("nihgt"), How(edits=2)).expansions
    assert (near.kind, names(sounding, near.pieces)) == (TYPO, ["night"])
    assert not sounding.find(word("nights"), How(edits=-1)).expansions
    assert not sounding.find(word("fonetiks"), How(edits=0)).expansions
    assert [one.kind for one in sounding.find(word("nite"), How(edits=2)).expansions] == [SOUND]
