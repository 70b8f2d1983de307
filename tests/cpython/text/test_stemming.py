"""The two Snowball packages against each other, and what happens without them."""

from __future__ import annotations

import sys

import pytest
import Stemmer

from hinny.errors import MissingExtra
from hinny.text import stemming
from hinny.text.analyzer import Analyzer
from hinny.text.languages import LANGUAGES
from hinny.text.stopwords import listed_words

ALGORITHMS = sorted({entry.stemmer for entry in LANGUAGES.values() if entry.stemmer})


def sample(algorithm: str) -> list[str]:
    """Words of every language of a stemmer, and words made of their pieces: what real texts are like."""
    words = [
        word for name, entry in LANGUAGES.items() if entry.stemmer == algorithm for word in listed_words(name)
    ]
    heads = words[:: max(1, len(words) // 25)]
    return words + [head + word[-length:] for head in heads for word in words[:40] for length in (2, 3, 4)]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_both_packages_give_the_same_stems(algorithm: str) -> None:
    pure, fast = stemming.snowball(algorithm), stemming.pystemmer(algorithm)
    assert pure is not None
    assert fast is not None
    words = sample(algorithm)
    assert len(words) > 1000
    assert [pure(word) for word in words] == [fast(word) for word in words]


def test_every_algorithm_of_snowball_that_is_a_language_is_ours() -> None:
    assert set(Stemmer.algorithms()) - set(ALGORITHMS) == {"porter", "dutch_porter"}


def test_importing_one_language_does_not_load_the_others() -> None:
    assert stemming.snowball("basque") is not None
    assert "hinny.text._snowball.basque_stemmer" in sys.modules
    assert "snowballstemmer.basque_stemmer" not in sys.modules


def test_a_faster_package_that_differs_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stemming, "pystemmer", lambda algorithm: str.upper)
    stem = stemming.get_stemmer.__wrapped__("english")
    assert stem("indexes") == "index"


def test_without_any_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stemming, "pystemmer", lambda algorithm: None)
    monkeypatch.setattr(stemming, "snowball", lambda algorithm: None)
    stemming.get_stemmer.cache_clear()
    try:
        with pytest.raises(MissingExtra, match=r'pip install "hinny\[site\]"'):
            Analyzer("en@1", "en", frozenset()).stem("indexes")
        assert Analyzer("standard@1", None, frozenset()).stem("indexes") == "indexes"
    finally:
        stemming.get_stemmer.cache_clear()
