"""Phonetic keys by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.text.analyzer import for_language, get_analyzer
from hinny.text.phonetic import first_letters, phonetic_key

ALIKE = """
    smith smyth, knight night, phonetics fonetiks, write rite, search serch, psychology sykology,
    character karakter, technical teknikal, accident aksident, laugh laf, enough enuf, rough ruff, ghost gost,
    sign sine, signed sined, gnome nome, whole hole, which wich, match mach, bridge brij, nation nashun,
    vision vishun, social soshal, science sience, school skool, xylophone zylofone, comb come, quick kwik,
    christmas kristmas, archive arkive, excite eksite, rhythm rithm, naughty nauty, unique unik
"""
KEYS = """
    search srx, night nt, phonetics fntks, smith sm0, accident akstnt, bridge brj, archer arxr,
    marching mrxnk, richly rxl, spaghetti spt, yellow yl, water wtr, behave bhf, signal sknl, change xnj,
    apple apl
"""


@pytest.mark.parametrize("pair", ALIKE.split(","))
def test_words_that_sound_alike_share_a_key(pair: str) -> None:
    one, other = pair.split()
    analyzer = get_analyzer("en+phonetic@1")
    assert analyzer.phonetic(one) == analyzer.phonetic(other) != ""


@pytest.mark.parametrize("pair", KEYS.split(","))
def test_keys_are_the_consonants_by_their_sound(pair: str) -> None:
    word, key = pair.split()
    assert phonetic_key(word) == key


def test_other_words_differ() -> None:
    assert len({phonetic_key(word) for word in ("table", "label", "stable", "tablet", "able", "cable")}) == 6


def test_only_longer_words_of_english_letters_have_keys() -> None:
    for term in ("ab", "toe", "c++", "x86", "слово", "日本語"):
        assert phonetic_key(term) == ""


@given(st.from_regex("[a-fi-vxz][a-z]{2,8}", fullmatch=True))
def test_words_of_a_key_begin_with_one_of_its_letters(word: str) -> None:
    key = phonetic_key(word)
    assert not key or word[0] in first_letters(key)


def test_english_has_them_where_they_are_asked_for() -> None:
    assert for_language("en-GB", phonetic=True).id == "en+phonetic@1"
    assert for_language("de", phonetic=True).id == "de@1"
    assert get_analyzer("en@1").phonetic("knight") == ""
