from __future__ import annotations

import bz2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError, InvalidInput
from hinny.lexical.texts import FrontCoding, TextReader, TextWriter, front_code

LINES = st.lists(st.text(st.characters(exclude_characters="\n")))


def written(*lists: list[str]) -> bytes:
    writer = TextWriter()
    for strings in lists:
        writer.put_front_coded(strings)
    return writer.bytes()


@given(LINES, LINES, LINES)
def test_lists_come_back(first: list[str], second: list[str], third: list[str]) -> None:
    writer = TextWriter()
    coded = writer.put_front_coded(first)
    writer.put(second)
    writer.put_front_coded(third)
    reader = TextReader(writer.bytes())
    strings, coding = reader.take_front_coded(len(first))
    assert strings == first and coding.lengths.tolist() == [len(string) for string in first]
    assert coding.endings.tolist() == coded.endings.tolist()
    assert reader.take(len(second)) == second
    assert reader.take_front_coded(len(third))[0] == third
    reader.finish()


@given(st.text(), st.integers(0, 9))
def test_any_text_is_a_list_or_named_damage(text: str, count: int) -> None:
    try:
        reader = TextReader(bz2.compress(text.encode()))
        strings, coding = reader.take_front_coded(count)
        reader.finish()
    except BundleError:
        return
    assert list(map(len, strings)) == coding.lengths.tolist()


def test_front_coding_says_what_is_dropped_and_what_comes_instead() -> None:
    assert front_code(["index", "indexes", "inner", "", "a"]) == " index\n es\n%ner\n%\n a\n"
    coding = FrontCoding.of(front_code(["index", "indexes", "inner"]))
    assert coding.shared.tolist() == [0, 5, 2]
    assert coding.lengths.tolist() == [5, 7, 5]


def test_long_strings_are_dropped_whole() -> None:
    strings = ["x" * 200, "x" * 105, "x" * 104, "y"]
    text = front_code(strings)
    assert [line[:1] for line in text.split("\n")] == [" ", "\x7f", "!", "\x7f", ""]
    assert FrontCoding.of(text).lengths.tolist() == [200, 105, 104, 1]
    assert TextReader(written(strings)).take_front_coded(4)[0] == strings


def test_strings_with_like_endings_are_together() -> None:
    words = ["aping", "barking", "barks", "calls", "calming"]
    order = FrontCoding.of(front_code(words)).by_ending().tolist()
    endings = [words[row][-1] for row in order]
    assert endings.count("g") == 3 and sorted(order) == [0, 1, 2, 3, 4]
    # Only the new letters count: "barks" brings one, "calming" four, "barking" seven.
    assert [words[row] for row in order] == ["barks", "calming", "aping", "calls", "barking"]


def test_line_feeds_are_refused() -> None:
    with pytest.raises(InvalidInput, match="line feed"):
        TextWriter().put(["a\nb"])
    with pytest.raises(InvalidInput, match="line feed"):
        TextWriter().put_front_coded(["a\n"])


def test_damage_is_named() -> None:
    data = written(["index", "indexes"])
    for damaged in (data[:-1], data + b"x", b"", b"not bzip2", bz2.compress(b" no line feed")):
        with pytest.raises(BundleError, match="texts are damaged"):
            TextReader(damaged)
    with pytest.raises(BundleError, match="fit together"):
        TextReader(data).take(3)
    with pytest.raises(BundleError, match="longer"):
        TextReader(data).finish()
    # No sign, a sign that says nothing, and more dropped than there is.
    for line in (b"\n", b"\x1fa\n", b"!a\n", b"\xc3\xa9\n"):
        with pytest.raises(BundleError, match="fit together"):
            TextReader(bz2.compress(line)).take_front_coded(1)
