"""Analyzers: text to tokens, words to stems, and which words carry no meaning of their own.

Every analyzer cuts a text into the same tokens (`segmentation.py`): one text may mix languages and
scripts, and a query must be cut as the pages were without knowing their language. What differs by language
is the stem of a word, its stop words and, in Turkic languages, the lower case of I.

An analyzer's id is `NAME[+OPTION...]@VERSION`, stored with the index: `en@1`, `standard@1` (no language),
`cjk@1` (Chinese, Japanese, Thai, Khmer, Lao, Burmese), `en+nostem@1`, `en+phonetic@1`. The version changes
whenever the same text would give other tokens or stems.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from hinny.errors import UnknownAnalyzer
from hinny.text import segmentation
from hinny.text.folding import fold
from hinny.text.languages import LANGUAGES, VERSION, language_of
from hinny.text.tokens import BIGRAM, JOINED, PART, UNIGRAM, WORD, Columns, Token

__all__ = [
    "BIGRAM",
    "JOINED",
    "OPTIONS",
    "PART",
    "UNIGRAM",
    "WORD",
    "Analyzer",
    "Columns",
    "Token",
    "analyzer_ids",
    "for_language",
    "get_analyzer",
]

OPTIONS = ("nostem", "phonetic")
_MAX_CACHED_STEMS = 200_000


class Analyzer:
    """One language's view of texts; get it from `get_analyzer` or `for_language`, never by hand."""

    def __init__(self, id: str, language: str | None, options: frozenset[str]) -> None:
        self.id = id
        self.language = language
        """The language's primary subtag, such as `de`; None for `standard`; `cjk` for the family."""
        entry = LANGUAGES.get(language) if language else None
        self.stems = bool(entry and entry.stemmer) and "nostem" not in options
        """True when `stem` can give another word than it is given."""
        self._algorithm = entry.stemmer if entry and self.stems else None
        self.phonetic_keys = "phonetic" in options
        """True when words have phonetic keys."""
        self.segmenter = segmentation.get_segmenter(turkic=bool(entry and entry.turkic))
        self._stop: frozenset[str] | None = None
        self._stemmer: Callable[[str], str] | None = None
        self._stem_cache: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"get_analyzer({self.id!r})"

    def analyze(self, text: str) -> list[Token]:
        """All tokens in the order of their positions; a whole comes before its parts."""
        return self.segmenter.tokens(text)

    def analyze_words(self, text: str) -> tuple[list[str], list[int]]:
        """The terms and positions of `analyze`, several times faster: for indexing."""
        return self.segmenter.words(text)

    def analyze_columns(self, text: str) -> Columns:
        """Terms, positions, kinds and exact forms of `analyze` without offsets: for indexing."""
        return self.segmenter.columns(text)

    def stem(self, word: str) -> str:
        """The folded stem by which forms of one word are grouped; the folded word when nothing stems.

        Give `token.exact` where it is at hand: stemmers know their language with its diacritics. Raises
        `MissingExtra` when the language has a stemmer and no Snowball package is installed.
        """
        cached = self._stem_cache.get(word)
        if cached is None:
            cached = self._stem(word)
            if len(self._stem_cache) >= _MAX_CACHED_STEMS:
                self._stem_cache.clear()
            self._stem_cache[word] = cached
        return cached

    def _stem(self, word: str) -> str:
        if self._algorithm is None or not _is_plain_word(word):
            return fold(word)
        if self._stemmer is None:
            from hinny.text.stemming import get_stemmer

            self._stemmer = get_stemmer(self._algorithm)
        return fold(self._stemmer(word)) or fold(word)

    def is_stop(self, term: str) -> bool:
        """True for a function word of the language (folded), which is weighed less and never left out."""
        if self._stop is None:
            from hinny.text.stopwords import stop_words

            self._stop = stop_words(self.language)
        return term in self._stop

    def phonetic(self, term: str) -> str:
        """The key under which words that sound alike in English meet; empty without `+phonetic`."""
        if not self.phonetic_keys:
            return ""
        from hinny.text.phonetic import phonetic_key

        return phonetic_key(term)

    def surface(self) -> Analyzer:
        """The same analyzer without stemming: itself when nothing stems."""
        if not self.stems:
            return self
        name, version = self.id.split("@")
        return get_analyzer("+".join(sorted({*name.split("+"), "nostem"}, key=_option_order)) + "@" + version)


def _is_plain_word(word: str) -> bool:
    """Only letters, marks, apostrophes: what a stemmer may touch (not `c++`, `node.js`, `err_404`)."""
    if word.isalpha():
        return True
    for character in word:
        if character < "\x80" and not character.isalpha() and character != "'":
            return False
        if character.isdigit():
            return False
    return True


def _option_order(part: str) -> tuple[bool, str]:
    return (part in OPTIONS, part)


@lru_cache(maxsize=256)
def get_analyzer(id: str) -> Analyzer:
    """The analyzer of that id, one object per id; `UnknownAnalyzer` when nothing here implements it."""
    name, _, version = id.partition("@")
    language, *options = name.split("+")
    known = language == "standard" or language in LANGUAGES
    if not known or version != VERSION or options != sorted(set(options) & set(OPTIONS)):
        raise UnknownAnalyzer("analyzer", id, "an id such as en@1, de@1, cjk@1, standard@1, en+nostem@1")
    return Analyzer(id, None if language == "standard" else language, frozenset(options))


def for_language(tag: str | None, *, phonetic: bool = False) -> Analyzer:
    """The analyzer for a BCP 47 tag such as `en`, `pt-BR`, `zh-Hant`; `standard@1` for None or others.

    With `phonetic`, that of a language with phonetic keys (English) has them.
    """
    name = language_of(tag) or "standard"
    return get_analyzer(f"{name}{'+phonetic' if phonetic and name == 'en' else ''}@{VERSION}")


def analyzer_ids() -> list[str]:
    """All ids without options, sorted."""
    return sorted(f"{name}@{VERSION}" for name in ["standard", *LANGUAGES])
