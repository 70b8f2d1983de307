"""Chunks by their words, against reading every chunk anew."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hinny.site import concordance
from hinny.site.concordance import LONGEST, Concordance, concordance_of
from hinny.text.analyzer import get_analyzer

CHUNKS = [
    *("Index", "indexes,", "(indexing)", "full-text", "node.js", "Résumé", "resume.", "--", "\u5168\u6587"),
    *("\u05d4\u05e1\u05e4\u05e8", "createUserName", "dying"),
]


@pytest.mark.parametrize("id", ["en@1", "standard@1", "ar@1"])
@given(parts=st.lists(st.sets(st.sampled_from(CHUNKS)), max_size=4))
def test_nothing_is_missed(id: str, parts: list[set[str]]) -> None:
    analyzer = get_analyzer(id)
    read = Concordance(analyzer)
    for part in parts:
        assert not read.unread(part)
    seen = set().union(*parts)
    assert read.size == len(seen)
    for chunk in seen:
        for token in analyzer.analyze(chunk):
            stem = analyzer.stem(token.exact)
            assert chunk in read.with_form(token.term)
            assert chunk in read.with_form(token.exact)
            assert chunk in read.with_stem(stem, {token.term[:1]})
            assert (token.term, token.exact) in read.words(token.term[:1], 0)
        assert read.rows(chunk) == analyzer.segmenter.rows(chunk)
    assert not read.with_form("absent")


def test_words_that_come_later_are_found_by_a_stem_that_was_asked_before() -> None:
    read = Concordance(get_analyzer("en@1"))
    read.unread({"index"})
    assert read.with_stem("index", {"i"}) == ["index"]
    read.unread({"index", "indexes"})
    assert read.with_stem("index", {"i"}) == ["index", "indexes"]
    assert read.words("i", 1) == [("indexes", "indexes")]


def test_long_chunks_are_given_and_not_kept() -> None:
    read = Concordance(get_analyzer("en@1"))
    long = "x" * (LONGEST + 1)
    assert read.unread({long, "short"}) == {long}
    assert read.unread({long, "short"}) == {long}
    assert read.size == 1


def test_one_is_shared_until_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    analyzer = get_analyzer("fi@1")
    first = concordance_of(analyzer)
    assert concordance_of(analyzer) is first
    monkeypatch.setattr(concordance, "_MOST", 1)
    first.unread({"yksi", "kaksi"})
    assert concordance_of(analyzer) is not first


@pytest.mark.parametrize("id", ["en@1", "standard@1", "tr@1", "fr@1"])
@given(text=st.text(st.characters(max_codepoint=127), min_size=1, max_size=LONGEST))
@example(text="l'XMLParser2go.iOS_isIlk--force#3d")
def test_a_chunk_is_read_for_each_letter_that_a_word_of_it_begins_with(id: str, text: str) -> None:
    analyzer = get_analyzer(id)
    for chunk in text.split():
        for token in analyzer.analyze(chunk):
            for form in (token.term, token.exact, analyzer.stem(token.exact)):
                read = Concordance(analyzer)
                read.unread({chunk}, frozenset(form[:1]))
                assert read.size == 1, (chunk, form)


def test_a_chunk_waits_until_a_word_may_begin_in_it() -> None:
    read = Concordance(get_analyzer("en@1"))
    chunks = {"tables", "(Index)", "createUser", "r\N{LATIN SMALL LETTER E WITH ACUTE}sum\u00e9"}
    assert not read.unread(chunks, frozenset("u"))
    assert read.with_form("user") == ["createUser"]
    assert (read.size, read.with_form("tables")) == (2, [])  # other scripts than ASCII are always read
    read.unread(chunks, frozenset("it"))
    assert read.with_form("tables") == ["tables"]
    assert read.with_form("index") == ["(Index)"]
    assert read.size == 4
