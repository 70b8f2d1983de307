"""The table of languages: its promises about stemmers hold."""

from __future__ import annotations

import pytest

from hinny.text.folding import fold
from hinny.text.languages import LANGUAGES, language_of
from hinny.text.stemming import get_stemmer
from hinny.text.stopwords import listed_words

STEMMED = sorted(name for name, entry in LANGUAGES.items() if entry.stemmer)


@pytest.mark.parametrize("language", STEMMED)
def test_every_stemmer_exists_and_works(language: str) -> None:
    algorithm = LANGUAGES[language].stemmer
    assert algorithm is not None
    stem = get_stemmer(algorithm)
    assert any(stem(word) != word for word in listed_words(language))


@pytest.mark.parametrize("language", STEMMED)
def test_a_stemmer_without_prefixes_keeps_how_a_word_begins(language: str) -> None:
    entry = LANGUAGES[language]
    assert entry.stemmer is not None
    stem = get_stemmer(entry.stemmer)
    if not entry.prefixes:
        for word in listed_words(language):
            assert fold(stem(word))[:1] == fold(word)[:1], word


def test_tags() -> None:
    assert language_of("de-CH-1996") == "de"
    assert language_of("zh") == "cjk"
    assert language_of("bo") is None
    assert language_of(None) is None
