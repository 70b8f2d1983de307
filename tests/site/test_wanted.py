"""Where the words of a query stand, against a look at every token."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hinny.site.wanted import Match, Wanted
from hinny.text.analyzer import get_analyzer

EN = get_analyzer("en@1")
PIECES = st.lists(
    st.sampled_from(
        [
            "index ",
            "Indexes, ",
            "full-text ",
            "-- ",
            "the\n",
            "tables",
            " ",
            "Résumé\u2003",
            "a ",
            "xa ",
            "索引",
        ]
    ),
    max_size=30,
)


def wanted() -> Wanted:
    found = Wanted(EN, {"resume": 1.0, "索引": 2.0})
    found.add_stem("indexing", 0.9)
    found.add_word("text", 0.7, "text")
    found.add_pattern("prefix", "tab", 0.5)
    found.add_pattern("substring", "ull", 0.4)
    found.add_word("a", 0.1)
    return found


def weight_of(term: str, exact: str) -> tuple[float, str] | None:
    words = {"resume": 1.0, "索引": 2.0, "text": 0.7, "a": 0.1}
    for form in (exact, term):
        if form in words:
            return words[form], form
    if EN.stem(exact) == "index":
        return 0.9, "indexing"
    return (0.5, "tab") if term.startswith("tab") else (0.4, "ull") if "ull" in term else None


@given(st.lists(PIECES, min_size=1, max_size=3))
def test_matches_are_those_of_all_tokens(texts: list[list[str]]) -> None:
    one = wanted()
    for text in map("".join, texts):
        expected = sorted(
            Match(token.start, token.end, token.position, *hit)
            for token in EN.analyze(text)
            if (hit := weight_of(token.term, token.exact)) is not None
        )
        found = one.find(text)
        assert [match._replace(position=0) for match in found] == [
            match._replace(position=0) for match in expected
        ]
        # Positions tell neighbours, and nothing else.
        for (a, b), (x, y) in zip(pairwise(found), pairwise(expected), strict=True):
            assert (b.position - a.position == 1) == (y.position - x.position == 1)


def test_nothing_is_wanted() -> None:
    assert not Wanted(EN)
    assert Wanted(EN).find("index") == []
    empty = Wanted(EN)
    empty.add_pattern("prefix", "", 1.0)
    assert not empty
