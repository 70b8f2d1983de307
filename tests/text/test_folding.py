"""Folding against the Unicode database itself, and by hand."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from hinny.text.folding import fold, lower

# Every assigned character but the ideographs and syllables, of which a few stand for all.
EVERY_CHARACTER = [
    chr(code)
    for code in range(0x110000)
    if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")
    and (
        code % 97 == 0
        or not (
            0x3400 <= code < 0xA000
            or 0xAC00 <= code < 0xD7A4
            or 0x17000 <= code < 0x19000
            or 0x20000 <= code < 0x2F800
            or 0x30000 <= code < 0x33000
        )
    )
]


def test_case_width_and_accents_fall_away() -> None:
    for written, folded in {
        "Café": "cafe",
        "CAFE\u0301": "cafe",
        "Straße": "strasse",
        "STRASSE": "strasse",
        "ﬁle": "file",
        "Ｆｕｌｌ": "full",
        "Smørrebrød": "smorrebrod",
        "Łódź": "lodz",
        "Þór": "thor",
        "cœur": "coeur",
        "İstanbul": "istanbul",
        "Iğdır": "igdir",
        "Việt Nam": "viet nam",
        "ΟΔΟΣ": "οδοσ",
        "οδός": "οδοσ",
        "ёлка": "елка",
        "за́мок": "замок",
        "שָׁלוֹם": "שלום",
        "مُحَمَّد": "محمد",
        "أحمد": "احمد",
        "مـــحمد": "محمد",
        "٤٢": "42",
    }.items():
        assert fold(written) == folded, written


def test_marks_that_make_another_letter_stay() -> None:
    for word in ("мой", "мої", "हिन्दी", "ที่", "がぎ", "한국어", "ខ្មែរ", "বাংলা", "தமிழ்"):
        assert fold(word) == word
    assert fold("がぎ") != fold("かき")


def test_folding_twice_changes_nothing_for_any_character() -> None:
    for character in EVERY_CHARACTER:
        once = fold(character)
        assert fold(once) == once, hex(ord(character))


def test_equivalent_spellings_of_any_character_fold_alike() -> None:
    for character in EVERY_CHARACTER:
        expected = fold(character)
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            assert fold(unicodedata.normalize(form, character)) == expected, hex(ord(character))  # type: ignore[arg-type]


def test_every_latin_and_greek_accent_of_the_database_is_taken_off() -> None:
    """By brute force: whatever decomposes to a Latin or Greek letter and marks folds as the letter does."""
    checked = 0
    for character in EVERY_CHARACTER:
        first, *marks = unicodedata.normalize("NFKD", character)
        name = unicodedata.name(first, "")
        if marks and name.startswith(("LATIN", "GREEK")) and all(map(unicodedata.combining, marks)):
            assert fold(character) == fold(first), hex(ord(character))
            checked += 1
    assert checked > 700


def test_case_pairs_fold_alike() -> None:
    for character in EVERY_CHARACTER:
        assert fold(character.upper()) == fold(character.casefold()) or character in "\u0345", hex(
            ord(character)
        )


def test_the_exact_form_keeps_accents() -> None:
    assert lower("CAFÉ") == "café"
    assert lower("Straße") == "straße"
    assert lower("don\u2019t") == "don't"
    assert lower("IĞDIR") == "iğdir"
    assert lower("IĞDIR İL", turkic=True) == "ığdır il"


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_the_exact_form_folds_to_the_folded_form(text: str) -> None:
    assert fold(lower(text)).replace("'", "") == fold(
        text.replace("\u2019", "").replace("\u02bc", "")
    ).replace("'", "")
