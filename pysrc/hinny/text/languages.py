"""The languages with an analyzer of their own: one line each."""

from __future__ import annotations

from typing import NamedTuple

VERSION = "1"
"""Of every analyzer id. It grows whenever a text would give other tokens or stems than before."""


class Language(NamedTuple):
    """What differs from language to language besides its file of stop words."""

    stemmer: str | None = None
    """Name of the Snowball algorithm."""
    turkic: bool = False
    """The lower case of I is dotless."""
    prefixes: bool = False
    """The stemmer may change how a word begins."""


# Primary subtags (BCP 47). `cjk` is the family of languages written without spaces between words.
LANGUAGES: dict[str, Language] = {
    "ar": Language("arabic", prefixes=True),
    "az": Language(turkic=True),
    "bg": Language(),
    "bn": Language(),
    "ca": Language("catalan"),
    "cjk": Language(),
    "cs": Language("czech"),
    "da": Language("danish"),
    "de": Language("german"),
    "el": Language("greek", prefixes=True),
    "en": Language("english"),
    "eo": Language("esperanto"),
    "es": Language("spanish"),
    "et": Language("estonian"),
    "eu": Language("basque"),
    "fa": Language("persian"),
    "fi": Language("finnish"),
    "fr": Language("french"),
    "ga": Language("irish", prefixes=True),
    "he": Language(),
    "hi": Language("hindi"),
    "hr": Language("serbian", prefixes=True),
    "hu": Language("hungarian"),
    "hy": Language("armenian"),
    "id": Language("indonesian", prefixes=True),
    "it": Language("italian"),
    "ko": Language(),
    "lt": Language("lithuanian"),
    "ms": Language("indonesian", prefixes=True),
    "ne": Language("nepali", prefixes=True),
    "nl": Language("dutch", prefixes=True),
    "no": Language("norwegian"),
    "pl": Language("polish"),
    "pt": Language("portuguese"),
    "ro": Language("romanian"),
    "ru": Language("russian"),
    "sk": Language(),
    "sr": Language("serbian", prefixes=True),
    "st": Language("sesotho"),
    "sv": Language("swedish"),
    "ta": Language("tamil", prefixes=True),
    "tr": Language("turkish", turkic=True, prefixes=True),
    "uk": Language(),
    "vi": Language(),
    "yi": Language("yiddish", prefixes=True),
}

# Other subtags that mean one of the above.
_SAME = {
    "bo": None,
    "bs": "sr",
    "in": "id",
    "iw": "he",
    "ja": "cjk",
    "ji": "yi",
    "km": "cjk",
    "lo": "cjk",
    "mo": "ro",
    "my": "cjk",
    "nb": "no",
    "nn": "no",
    "sh": "sr",
    "th": "cjk",
    "wuu": "cjk",
    "yue": "cjk",
    "zh": "cjk",
    "zsm": "ms",
}


def language_of(tag: str | None) -> str | None:
    """The key in `LANGUAGES` for a BCP 47 tag (`pt-BR`, `zh_Hant`, `nb`), None when there is none."""
    if not tag:
        return None
    primary = tag.replace("_", "-").split("-")[0].strip().lower()
    if primary in LANGUAGES:
        return primary
    return _SAME.get(primary)
