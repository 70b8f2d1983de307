"""Function words by language, from the text files beside this module, read when first asked for."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from hinny.text import segmentation
from hinny.text.languages import LANGUAGES
from hinny.text.tokens import BIGRAM, UNIGRAM, WORD

_FILES = {"hr": ("sr",), "cjk": ("ja", "th", "zh")}


@cache
def stop_words(language: str | None) -> frozenset[str]:
    """Folded stop words; empty for a language without a list, and for None.

    The words of a file pass through the segmenter, so that they meet a text's words in the same form
    (`don't` is `dont`). A word of two characters in a script without spaces is its pair; a longer one is
    left out, for its pairs stand in other words too.
    """
    words: set[str] = set()
    for word in listed_words(language):
        tokens = segmentation.get_segmenter().tokens(word)
        for token in tokens:
            if token.kind in (WORD, UNIGRAM, BIGRAM) and (token.start, token.end) == (0, len(word)):
                words.add(token.term)
    return frozenset(words)


@cache
def listed_words(language: str | None) -> tuple[str, ...]:
    """The words as the files spell them."""
    if language is None:
        return ()
    words: list[str] = []
    for name in _FILES.get(language, (language,)):
        for line in _read(name).splitlines():
            words += line.partition("#")[0].split()
    return tuple(words)


def _read(name: str) -> str:
    path = Path(__file__).parent / "stopwords" / f"{name}.txt"
    loader: Any = __spec__.loader
    try:  # the loader also reads from inside a zip file
        data: bytes = loader.get_data(str(path))
    except (OSError, AttributeError):
        return ""
    return data.decode("utf-8")


def probe_words(algorithm: str) -> tuple[str, ...]:
    """Words on which two implementations of a stemmer are compared: the stop words of its languages."""
    return tuple(
        word
        for language, entry in LANGUAGES.items()
        if entry.stemmer == algorithm
        for word in listed_words(language)
    )
