"""The short way for plain texts, against the long one."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hinny.lexical.index import LexicalIndex
from hinny.lexical.plain import Sum, is_bag, may_have_operators
from hinny.lexical.scorer import Matches
from hinny.lexical.syntax import parse
from hinny.records import Document

TEXTS = ["index tables (fast)", "indexing of the table", "a quick index", "the of", "full-text node.js"]
PIECES = [
    "index", "tabel", "(fast)", "(fast).", "(full-text)", "a(b)c", "(a", "b)", "(a)b", "((a))", "of", "the",
    "-index", "+index", '"quick', 'index"', "tab*", "quikc~", "title:a", "OR", "(OR)", "-", "()", "node.js",
]  # fmt: skip
QUERY = st.lists(st.sampled_from(PIECES), max_size=5).map(" ".join)


@given(QUERY)
def test_what_is_not_parsed_holds_no_operator(text: str) -> None:
    parsed = parse(text, fields=["title", "text"])
    if not may_have_operators(text):
        assert is_bag(parsed.clauses) and not parsed.problems
    # No operator reaches over white space, so pieces may be looked at one by one.
    assert may_have_operators(text) == any(map(may_have_operators, text.split()))


@given(QUERY)
@example('index index"')
@settings(deadline=None)
def test_the_short_way_finds_what_a_session_finds(text: str) -> None:
    index = _INDEX
    short = index.search(text, limit=10)
    for _ in range(2):  # the second time from memory
        long = index.search(text, limit=10, ids=index.ids)
        assert [(hit.id, hit.score) for hit in short.hits] == [(hit.id, hit.score) for hit in long.hits]
        assert short.total == long.total
        assert (short.did_you_mean, short.also_searched) == (long.did_you_mean, long.also_searched)
        assert short.problems == long.problems
        short = index.search(text, limit=10)


_INDEX = LexicalIndex.build(
    [Document(f"d{n}", {"title": text[:8], "text": text}, {}, "en") for n, text in enumerate(TEXTS)]
)


def test_corrections_keep_the_rest_of_the_text() -> None:
    assert _INDEX.search("the  tabel of\tindex").did_you_mean == "the  table of\tindex"
    assert _INDEX.search("tabel, (tabel)").did_you_mean == "table, (table)"
    assert _INDEX.search("index").did_you_mean is None


def test_a_sum_by_hand() -> None:
    rows = Matches(np.array([0, 2], np.intp), np.array([1.0, 2.0]), np.array([2], np.intp))
    many = Matches(np.arange(4, dtype=np.intp), np.array([4.0, 3.0, 2.0, 1.0]), np.array([0, 2], np.intp))
    for zeros in (None, np.zeros(8)):
        added = Sum([rows, None, many], [2.0, 5.0, 0.5], [1.0, 1.0, 2.0], 4, zeros)
        assert added.scores.tolist() == [1.0 + 8.0, 6.0, 2.0 + 4.0, 2.0]
        assert added.cover is not None
        assert added.cover.tolist() == [1.0, 0.0, 2.0 + 1.0, 0.0]  # idf times weight in the query
        assert (added.total, added.titled) == (2.0 + 5.0 + 1.0, 2)
    nothing = Sum([None], [1.5], [1.0], 3)
    assert nothing.scores.tolist() == [0.0, 0.0, 0.0] and nothing.cover is None
    assert nothing.total == 1.5
