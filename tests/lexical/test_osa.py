from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from hinny.lexical.osa import LONGEST, Letters

WORDS = st.text("abcé", min_size=1, max_size=9)


def distance(a: str, b: str) -> int:
    """The textbook programme, cell by cell."""
    d = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1)
    return d[-1][-1]


@given(WORDS, st.lists(WORDS, max_size=30), st.integers(0, 3))
def test_near_words_are_those_of_the_textbook(query: str, words: list[str], most: int) -> None:
    rows, distances = Letters(words).near(query, most)
    expected = {row: distance(query, word) for row, word in enumerate(words)}
    assert dict(zip(rows.tolist(), distances.tolist(), strict=True)) == {
        row: value for row, value in expected.items() if value <= most
    }


@given(
    st.lists(st.one_of(WORDS, st.just("x" * 41)), max_size=5), st.lists(WORDS, max_size=20), st.integers(0, 3)
)
def test_several_words_at_once_have_what_each_has(asked: list[str], words: list[str], most: int) -> None:
    letters = Letters(words)
    owners, rows, distances = letters.near_all(asked, [most] * len(asked))
    for number, query in enumerate(asked):
        mine = owners == number
        alone = letters.near(query, most)
        assert dict(zip(rows[mine].tolist(), distances[mine].tolist(), strict=True)) == dict(
            zip(alone[0].tolist(), alone[1].tolist(), strict=True)
        )


def test_many_candidates_are_looked_at_closer() -> None:
    pieces = ["ab", "ba", "cé", "ac", "bb", "éa"]
    words = ["".join(each) for each in product(pieces, repeat=4)]  # 1,296 words of eight letters
    rows, distances = Letters(words).near("abbacéba", 2)
    expected = {row: distance("abbacéba", word) for row, word in enumerate(words)}
    assert dict(zip(rows.tolist(), distances.tolist(), strict=True)) == {
        row: value for row, value in expected.items() if value <= 2
    }


def test_a_transposition_is_one_edit() -> None:
    rows, distances = Letters(["table", "tabel", "cable", "tale", "tables"]).near("tabel", 1)
    assert dict(zip(rows.tolist(), distances.tolist(), strict=True)) == {0: 1, 1: 0}


def test_no_substring_is_edited_twice() -> None:
    # Full Damerau gives 2 (ca -> ac -> abc); the restricted form needs 3.
    assert Letters(["abc"]).near("ca", 2)[0].size == 0


def test_very_long_and_empty_words_are_not_compared() -> None:
    long = "x" * (LONGEST + 1)
    assert Letters([long, "a"]).near(long, 1)[0].size == 0
    assert Letters([]).near("word", 2)[0].size == 0
    assert Letters(["a"]).near("", 2)[0].size == 0
