"""The two ways from a word to its scores: from the slices' sums, and field by field."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.lexical.index import LexicalIndex
from hinny.lexical.lookup import How
from hinny.lexical.options import FieldOptions, Scoring
from hinny.lexical.words import QueryWord
from hinny.records import Document
from hinny.text.analyzer import WORD

TERMS = ["index", "indexes", "indexing", "indeed", "table", "tables", "cable", "résumé", "resume", "tab"]
TEXTS = st.lists(st.lists(st.sampled_from(TERMS), max_size=7).map(" ".join), min_size=1, max_size=12)
FIELDS = {
    "title": FieldOptions(2.0, 0.4),
    "text": FieldOptions(1.0, 0.75),
    "text~surface": FieldOptions(0.7, source="text", surface=True),
}


def built(texts: list[str], scoring: Scoring) -> LexicalIndex:
    documents = [
        Document(f"d{n}", {"title": text[:12], "text": text}, {}, "en") for n, text in enumerate(texts)
    ]
    index = LexicalIndex.build(documents, FIELDS, scoring=scoring)
    index._engine.store.load_now(
        [f"lexical/postings.{n:03d}" for n in range(index._engine.resident.layout.slices)]
    )
    return index


@settings(deadline=None)
@given(TEXTS, st.sampled_from(TERMS), st.booleans(), st.sampled_from([None, 1, 2]), st.booleans())
def test_both_ways_give_the_same(
    texts: list[str], term: str, prefix: bool, edits: int | None, delta: bool
) -> None:
    index = built(texts, replace(Scoring(), delta=0.3 if delta else 0.0))
    folded = term.replace("é", "e")
    word = QueryWord(folded, term, WORD, 0, False, 1.0)
    found = index._engine.lookup.find(word, How(prefix=prefix, edits=edits, synonyms={"cable": 0.6}))
    if not found.matches:
        return
    quick = index._engine.own.matches(word, found)
    slow = index._engine.own._summed(word, found, kinds=False)
    assert quick.rows.tolist() == slow.rows.tolist()
    np.testing.assert_allclose(quick.scores, slow.scores, rtol=1e-12)
    assert quick.titles.tolist() == slow.titles.tolist()


def test_a_field_by_itself_is_scored_by_hand() -> None:
    scoring = replace(Scoring(), k1=1.0, exact=0.5, delta=0.0, title=0.0, exact_title=0.0)
    documents = [Document("a", {"text": "cog cog"}, {}, "en"), Document("b", {"text": "rim rim"}, {}, "en")]
    index = LexicalIndex.build(documents, {"text": FieldOptions(2.0, 0.0)}, scoring=scoring)
    # tf = 2 * 2, and half of it again for the word as written: 6 / (1 + 6); idf = ln(1 + 1.5 / 1.5).
    assert index.search("cog").hits[0].score == pytest.approx(6 / 7 * np.log(2))
    # "cogs" is in no document as written: 4 / (1 + 4).
    assert index.search("cogs").hits[0].score == pytest.approx(4 / 5 * np.log(2))
