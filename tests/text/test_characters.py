"""Classes of characters, and the way back from the normal form."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from hinny.text.characters import _IGNORED, class_of, classes_of, normalize


def test_classes_by_hand() -> None:
    assert classes_of("aÉ9_.\u2019\u00b7-\u2010") == "aA0_.'i--"
    assert classes_of("漢かカー々ทກកမ") == "hhhhhtttt"
    assert classes_of("한글ㄱ") == "kkk"
    assert classes_of("हि\u0301٣②") == "amm00"
    assert classes_of("\u2014\u2026\U0001f600\x00") == "    "


def test_every_letter_digit_and_mark_of_the_database_has_a_class() -> None:
    for code in (*range(0x3400), *range(0x3400, 0x110000, 61)):
        character = chr(code)
        category = unicodedata.category(character)
        letter = class_of(character)
        assert len(letter) == 1
        if category[0] == "L":
            assert letter in "aAhtk'", hex(code)
        elif category == "Nd":
            assert letter == "0", hex(code)
        elif category[0] == "M":
            assert letter == "m", hex(code)


def test_normalising_remembers_where_a_character_was() -> None:
    assert normalize("plain é") == ("plain é", None, None)
    assert normalize("e\u0301x") == ("éx", [0, 2], [2, 3])
    assert normalize("ﬁx") == ("fix", [0, 0, 1], [1, 1, 2])
    assert normalize("a\u00adb") == ("ab", [0, 2], [1, 3])
    assert normalize("\u200b") == ("", [], [])
    assert normalize("\u1100\u1161\u11a8") == ("각", [0], [3])
    assert normalize("ｶﾞ") == ("ガ", [0], [2])


@given(st.text())
@example("\u1100\u1161")
@example("\u3131\u314f")
@example("a\u0315\u0300\u00ad\u0323")
@example("\u0e33\u0e48")
def test_normal_form_piece_by_piece_is_the_normal_form(text: str) -> None:
    normal, starts, ends = normalize(text)
    assert normal == unicodedata.normalize("NFKC", re.sub(_IGNORED, "", text))
    if starts is not None and ends is not None:
        assert len(starts) == len(ends) == len(normal)
        assert starts == sorted(starts)
        assert ends == sorted(ends)
        assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))
