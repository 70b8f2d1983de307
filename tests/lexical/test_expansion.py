"""Patterns over a dictionary's words, against a scan of them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hinny.lexical.dictionary import Dictionary
from hinny.lexical.expansion import Expander, edits_for

WORDS = st.lists(st.text("abcé", min_size=1, max_size=6), max_size=40, unique=True).map(sorted)


def dictionary(words: list[str], df: list[int] | None = None) -> Dictionary:
    """Each word its own stem; sorted words, with their document frequencies."""
    counts = np.array(df or [1] * len(words), np.int64)
    return Dictionary.make([(0, word, word, word) for word in words], counts, counts, 1)


def test_edits_grow_with_the_word() -> None:
    assert [edits_for("x" * size) for size in (0, 2, 3, 7, 8, 30)] == [0, 0, 1, 1, 2, 2]


@given(WORDS, st.text("abcé", min_size=1, max_size=4))
def test_patterns_are_those_of_a_scan(words: list[str], piece: str) -> None:
    expander = Expander(dictionary(words))

    def having(test) -> list[int]:
        return [row for row, word in enumerate(words) if test(word)]

    assert expander.find(piece) == having(lambda word: word == piece)
    assert expander.prefix(piece) == (
        having(lambda word: word.startswith(piece) and word != piece),
        False,
    )
    assert expander.suffix(piece) == (having(lambda word: word.endswith(piece)), False)
    assert expander.substring(piece) == (having(lambda word: piece in word), False)


@given(WORDS, st.integers(1, 6), st.data())
def test_too_many_are_cut_to_the_most_frequent(words: list[str], most: int, data: st.DataObject) -> None:
    df = data.draw(st.lists(st.integers(1, 9), min_size=len(words), max_size=len(words)))
    rows = [row for row, word in enumerate(words) if word.startswith("a") and len(word) > 1]
    likeliest = sorted(rows, key=lambda row: (-df[row], row))[:most]
    found = Expander(dictionary(words, df)).prefix("a", most)
    assert found == (sorted(likeliest), len(rows) > most)


def test_near_words_keep_the_first_letter_and_are_frequent() -> None:
    words = ["bable", "cable", "fable", "table", "tables", "tale"]
    expander = Expander(dictionary(words, [1, 50, 70, 2, 3, 9]))
    # "tible": one edit to "table"; two to the others. Among those: first letter, then documents.
    assert [(words[entry], edits) for entry, edits in expander.fuzzy("tible", 2)] == [
        ("table", 1),
        ("tale", 2),
        ("tables", 2),
        ("fable", 2),
        ("cable", 2),
        ("bable", 2),
    ]
    assert [words[entry] for entry, _ in expander.fuzzy("tible", 2, most=2)] == ["table", "tale"]


def test_no_words_and_no_piece() -> None:
    empty = Expander(dictionary([]))
    assert empty.prefix("a") == ([], False)
    assert empty.fuzzy("abc", 1) == []
    assert Expander(dictionary(["a"])).find("") == []


def test_the_nearest_are_those_with_the_fewest_edits() -> None:
    words = ["table", "tables", "tale", "tile"]
    expander = Expander(dictionary(words, [9, 1, 5, 7]))
    found, edits = expander.nearest("table", 2)
    assert ([words[entry] for entry in found], edits) == (["tale", "tables"], 1)  # the word itself is none
    assert expander.nearest("tables", 1) == ([0], 1)
    assert expander.nearest("tiles", 2)[1] == 1
    assert expander.nearest("unlike", 2) == ([], 0)
    assert expander.nearest("table", 0) == ([], 0)
    asked = {"table": 2, "tables": 1, "unlike": 2, "tilled": 1}
    assert expander.nearest_all(asked) == {word: expander.nearest(word, most) for word, most in asked.items()}


def test_an_entry_is_known_once_its_first_letter_is_sorted() -> None:
    expander = Expander(dictionary(["bolt", "cog", "cogs"]))
    assert expander.entry("cog") is None
    expander.sort("cable")
    assert expander.entry("cog") == 1
    assert expander.entry("co") is None
    assert expander.entry("bolt") is None
