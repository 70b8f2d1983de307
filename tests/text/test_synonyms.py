"""Synonyms: the file, and what stands for what."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import InvalidInput
from hinny.text.synonyms import DEFAULT_WEIGHT, Alternative, Synonyms

FILE = """
# names
k8s, Kubernetes
DB => database, data base    # one way
laptop, notebook ^0.4
C++, cpp
検索, サーチ
"""


def test_a_group_works_both_ways() -> None:
    synonyms = Synonyms.parse(FILE)
    assert synonyms.expand(["k8s"]) == [Alternative(0, 1, ("kubernetes",), DEFAULT_WEIGHT)]
    assert synonyms.expand(["kubernetes"]) == [Alternative(0, 1, ("k8s",), DEFAULT_WEIGHT)]
    assert synonyms.expand(["c++"]) == [Alternative(0, 1, ("cpp",), DEFAULT_WEIGHT)]


def test_an_arrow_works_one_way() -> None:
    synonyms = Synonyms.parse(FILE)
    assert synonyms.expand(["my", "db"]) == [
        Alternative(1, 1, ("database",), DEFAULT_WEIGHT),
        Alternative(1, 1, ("data", "base"), DEFAULT_WEIGHT),
    ]
    assert synonyms.expand(["database"]) == []
    assert synonyms.expand(["data", "base"]) == []


def test_weights() -> None:
    assert Synonyms.parse(FILE).expand(["laptop"]) == [Alternative(0, 1, ("notebook",), 0.4)]
    assert Synonyms.parse("a, b ^0.2\na => b ^0.9\na, b ^0.5").expand(["a"])[0].weight == 0.9


def test_several_words_on_either_side() -> None:
    synonyms = Synonyms.parse("full text search, fts")
    assert synonyms.expand(["fast", "full", "text", "search"]) == [
        Alternative(1, 3, ("fts",), DEFAULT_WEIGHT)
    ]
    assert synonyms.expand(["fts"]) == [Alternative(0, 1, ("full", "text", "search"), DEFAULT_WEIGHT)]
    assert synonyms.expand(["full", "text"]) == []


def test_unspaced_scripts() -> None:
    (alternative,) = Synonyms.parse(FILE).expand(["検", "索"])
    assert alternative.words == ("サ", "ー", "チ")


def test_single_words_as_the_index_takes_them() -> None:
    found = Synonyms.parse("db => database, data base\nfull text, fts\nc++, cpp ^0.5").single_words()
    assert found == {"db": {"database": 0.6}, "c++": {"cpp": 0.5}, "cpp": {"c++": 0.5}}


def test_nothing_is_chained() -> None:
    synonyms = Synonyms.parse("a, b\nb, c")
    assert [other.words for other in synonyms.expand(["a"])] == [("b",)]
    assert [other.words for other in synonyms.expand(["b"])] == [("a",), ("c",)]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("alone", "a group needs two"),
        ("a, , b", "an empty place"),
        ("a => ", "an empty place"),
        (" => b", "an empty place"),
        ("a => b => c", "more than one"),
        ("a, ++", "without letter or digit"),
        ("a, b ^2", "weight '2'"),
        ("a, b ^0", "weight '0'"),
        ("a, b ^nan", "weight 'nan'"),
        ("a, b ^", "weight ''"),
    ],
)
def test_a_line_without_sense_is_named(line: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=r"line 3") as caught:
        Synonyms.parse(f"a, b\n\n{line}\n")
    assert problem in str(caught.value)


def test_as_data_and_back() -> None:
    synonyms = Synonyms.parse(FILE)
    data = json.loads(json.dumps(synonyms.to_data()))
    again = Synonyms.from_data(data)
    assert again.to_data() == synonyms.to_data() == data
    assert len(again) == len(synonyms) == 9
    assert again.expand(["laptop"]) == synonyms.expand(["laptop"])
    assert len(Synonyms()) == 0
    assert Synonyms().expand(["a"]) == []


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_by_name(text: str) -> None:
    try:
        Synonyms.parse(text)
    except InvalidInput as error:
        assert "line" in str(error)
