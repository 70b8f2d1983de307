"""Phonetic keys by hand, and what happens without their package."""

from __future__ import annotations

import sys

import pytest

from hinny.errors import MissingExtra
from hinny.text import phonetic
from hinny.text.analyzer import get_analyzer


@pytest.mark.parametrize(
    ("one", "other"), [("smith", "smyth"), ("knight", "night"), ("phonetics", "fonetiks"), ("write", "rite")]
)
def test_words_that_sound_alike_share_a_key(one: str, other: str) -> None:
    analyzer = get_analyzer("en+phonetic@1")
    assert set(analyzer.phonetic(one)) & set(analyzer.phonetic(other))


def test_only_words_of_english_letters_have_keys() -> None:
    for term in ("ab", "c++", "x86", "слово", "日本語"):
        assert phonetic.phonetic_keys(term) == ()


def test_keys_cannot_be_mistaken_for_words() -> None:
    assert phonetic.phonetic_keys("search") == ("~srx", "~srk")
    assert phonetic.phonetic_keys("night") == ("~nt",)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "metaphone", None)
    phonetic.phonetic_keys.cache_clear()
    with pytest.raises(MissingExtra, match=r'pip install "hinny\[phonetic\]"'):
        phonetic.phonetic_keys("search")
