"""Characters to classes, and texts to their normal form with a way back to the original offsets.

A text is cut by small regular expressions over its string of class letters, not over the text itself:
Python's `re` knows no Unicode properties, and a pattern that lists all letters and marks takes long to
compile in a browser. For the same reason most patterns of this package are compiled when first used.
"""

from __future__ import annotations

import re
import unicodedata

# The classes: a letter without upper case, A upper-case letter, 0 digit, m combining mark,
# h Han and kana, t scripts of South-East Asia without spaces, k Hangul, i a mark inside words, ' apostrophe;
# every other ASCII character stands for itself, and what is left is a space. The slash of a fraction is a
# digit, for NFKC makes three characters of one half.

_HAN = (
    (0x2E80, 0x2FE0), (0x3005, 0x3008), (0x3021, 0x302A), (0x3031, 0x3036), (0x3038, 0x303D),
    (0x3041, 0x3130), (0x31A0, 0x31C0), (0x31F0, 0x3200), (0x3400, 0x4DC0), (0x4E00, 0xA000),
    (0xF900, 0xFB00), (0x16FE0, 0x18D00), (0x1AFF0, 0x1B170), (0x20000, 0x323B0),
)  # fmt: skip
_UNSPACED = (
    (0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1780, 0x1800), (0x1950, 0x19E0), (0x1A20, 0x1AB0),
    (0xA9E0, 0xAA00), (0xAA60, 0xAAE0),
)  # fmt: skip
_HANGUL = ((0x1100, 0x1200), (0x3131, 0x318F), (0xA960, 0xA980), (0xAC00, 0xD7B0), (0xD7B0, 0xD800))
_NAMED = {
    "\u2019": "'", "\u02bc": "'", "\u2018": "'", "\u055a": "'", "\uff07": "'",
    "\u00b7": "i", "\u05f3": "i", "\u05f4": "i", "\u0387": "i",
    "\u2010": "-", "\u2011": "-", "\u2044": "0",
}  # fmt: skip


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= code < high for low, high in ranges)


def class_of(character: str) -> str:
    """The class letter of one character."""
    named = _NAMED.get(character)
    if named is not None:
        return named
    category = unicodedata.category(character)
    code = ord(character)
    if category[0] == "M":
        return "m"
    if category in ("Nd", "No"):
        return "0"
    if category[0] in "LN":
        if code >= 0x0E00:
            for letter, ranges in (("h", _HAN), ("t", _UNSPACED), ("k", _HANGUL)):
                if _within(code, ranges):
                    return letter
        return "A" if category in ("Lu", "Lt") else "a"
    if code < 0x80 and category != "Cc":
        return character
    return " "


class _Classes(dict[int, str]):
    """A table for `str.translate` that learns each character when it is first met."""

    def __missing__(self, code: int) -> str:
        letter = self[code] = class_of(chr(code))
        return letter


_CLASSES = _Classes()

# What Unicode calls default ignorable, as far as texts hold it: soft hyphen, joiners, zero-width
# spaces, directions, variation selectors, tags.
_IGNORED = (
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)


def classes_of(text: str) -> str:
    """One class letter for each character."""
    return text.translate(_CLASSES)


def normalize(text: str) -> tuple[str, list[int] | None, list[int] | None]:
    """NFKC without ignorable characters, and where each character starts and ends in the original.

    Both lists are None when nothing changed. A character made of several (a letter and its accent) spans
    them all; each of several made from one (a ligature) spans that one.
    """
    if text.isascii() or (unicodedata.is_normalized("NFKC", text) and not re.search(_IGNORED, text)):
        return text, None, None
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    cluster = ""
    start = end = 0

    def close() -> None:
        normal = unicodedata.normalize("NFKC", cluster)
        pieces.append(normal)
        starts.extend([start] * len(normal))
        ends.extend([end] * len(normal))

    for offset, character in enumerate(text):
        if re.match(_IGNORED, character):
            continue
        if cluster and _joins(character):
            cluster += character
        else:
            if cluster:
                close()
            cluster, start = character, offset
        end = offset + 1
    if cluster:
        close()
    return "".join(pieces), starts, ends


def _joins(character: str) -> bool:
    """True when NFKC may merge the character with, or reorder it after, the one before."""
    if character < "\u0300":
        return False
    if (
        "\u1160" <= character <= "\u11ff"
        or "\u3131" <= character <= "\u318e"
        or "\uff9e" <= character <= "\uffdc"
    ):
        return True  # Hangul vowels and finals, compatibility letters; half-width voicing marks and Hangul
    return unicodedata.category(character)[0] == "M" or unicodedata.combining(character) != 0
