"""Folding: the form in which words that differ only by case, width or diacritics become one.

`fold` is NFKC and casefold (Unicode Standard, 3.13 and UAX 15), then diacritics off where they are signs on
a letter: Latin, Greek, Hebrew points, Arabic harakat and hamza seats, and in Cyrillic the stress accent and
the dots of yo. They stay where they make another letter: short i in Cyrillic, the Japanese voicing mark,
every Indic and South-East Asian vowel sign. It is idempotent.
"""

from __future__ import annotations

import unicodedata

# Letters whose stroke or ligature is no combining mark, so that no decomposition frees the base letter;
# Arabic letters that keyboards and languages interchange; the slash of a fraction.
_LETTERS = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "þ": "th",
        "ŋ": "n", "ŀ": "l", "ƀ": "b", "ɓ": "b", "ƈ": "c", "ƌ": "d", "ɖ": "d", "ɗ": "d", "ɛ": "e", "ǝ": "e",
        "ƒ": "f", "ǥ": "g", "ɠ": "g", "ɨ": "i", "ɩ": "i", "ƙ": "k", "ƚ": "l", "ɫ": "l", "ɲ": "n", "ɔ": "o",
        "ɵ": "o", "ƥ": "p", "ɍ": "r", "ƭ": "t", "ʉ": "u", "ʋ": "v", "ⱳ": "w", "ƴ": "y", "ƶ": "z", "ȥ": "z",
        "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ۀ": "ه", "ە": "ه", "ہ": "ه", "ٱ": "ا", "ـ": None,
        "\u2044": "/",
    }
)  # fmt: skip
_CYRILLIC_STRESSED = frozenset("аеиоуыэюяєіѵ")


def fold(text: str) -> str:
    """The folded form of a word (or of any text, spaces kept)."""
    if text.isascii():
        return text.lower()
    # The Greek iota subscript goes first, for its casefold is a letter. Casefolding can leave a string
    # unnormalised and normalising one unfolded (U+1E9E, U+03D3): twice is enough, which a test checks.
    text = unicodedata.normalize("NFKD", text).replace("\u0345", "").casefold()
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _strip_marks(unicodedata.normalize("NFD", text)).translate(_LETTERS)
    return unicodedata.normalize("NFC", text)


def _strip_marks(decomposed: str) -> str:
    kept: list[str] = []
    base = ""
    for character in decomposed:
        if character < "\u0300":
            base = character
        elif unicodedata.combining(character):
            if _is_only_a_sign(base, character):
                continue
        elif unicodedata.category(character) == "Nd":
            character = base = str(unicodedata.decimal(character))
        else:
            base = character
        kept.append(character)
    return "".join(kept)


def _is_only_a_sign(base: str, mark: str) -> bool:
    """True when the mark on this base letter may go without making another letter of it."""
    if not base:
        return False
    code = ord(base)
    if code < 0x0400 or 0x1E00 <= code < 0x2000 or 0x2C60 <= code < 0x2C80 or 0xA720 <= code < 0xA800:
        return True  # Latin and Greek
    if code < 0x0530:  # Cyrillic: stress on a vowel, and yo
        return (mark in "\u0300\u0301" and base in _CYRILLIC_STRESSED) or (base == "е" and mark == "\u0308")
    return 0x0590 <= code < 0x0700 or 0x0750 <= code < 0x0780 or 0x08A0 <= code < 0x0900  # Hebrew, Arabic


def lower(text: str, *, turkic: bool = False) -> str:
    """The exact form: NFKC and lower case, diacritics kept; straight apostrophes."""
    if text.isascii() and not turkic:
        return text.lower()
    text = unicodedata.normalize("NFKC", text)
    if turkic:
        text = text.replace("İ", "i").replace("I", "ı")
    return unicodedata.normalize("NFKC", text.lower()).replace("\u2019", "'").replace("\u02bc", "'")
