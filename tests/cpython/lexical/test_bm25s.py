"""The same scores as bm25s, and a corpus of 100,000 documents."""

from __future__ import annotations

import time

import bm25s
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import PLAIN, FieldOptions, Scoring
from hinny.records import Document

WORDS = [f"{a}{b}" for a in ("zor", "bek", "lum", "tiv") for b in ("an", "op", "ud")]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=15), min_size=2, max_size=15)


@given(
    TEXTS,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
    st.sampled_from([0.9, 1.5]),
    st.sampled_from([0.4, 0.75]),
)
@settings(deadline=None)
def test_one_field_scores_as_bm25s_does(
    texts: list[list[str]], query: list[str], k1: float, b: float
) -> None:
    rival = bm25s.BM25(method="lucene", k1=k1, b=b)
    rival.index(
        bm25s.tokenize([" ".join(t) for t in texts], stopwords=None, show_progress=False), show_progress=False
    )
    expected = rival.get_scores(query)
    scoring = Scoring(k1=k1, exact=0.0, delta=0.0, title=0.0, exact_title=0.0)
    documents = [Document(f"{n:02}", {"text": " ".join(t)}) for n, t in enumerate(texts)]
    index = LexicalIndex.build(
        documents, {"text": FieldOptions(1.0, b)}, analyzer="standard@1", scoring=scoring
    )
    found = np.zeros(len(texts))
    for hit in index.search(" ".join(query), limit=100, fuzzy=False, match=0.0).hits:
        found[hit.row] = hit.score
    # Every occurrence in the query counts there; the tree of clauses counts each as well.
    assert found == pytest.approx(np.asarray(expected), rel=1e-5, abs=1e-6)


def test_a_hundred_thousand_short_documents() -> None:
    rng = np.random.default_rng(3)
    picks = rng.zipf(1.3, (100_000, 6)) % 20_000
    documents = [
        Document(f"{n:06}", {"text": " ".join(f"w{p}" for p in row)}) for n, row in enumerate(picks.tolist())
    ]
    start = time.process_time()
    index = LexicalIndex.build(documents, ["text"], analyzer="standard@1", scoring=PLAIN, exact=())
    assert time.process_time() - start < 60
    holders = {n for n, row in enumerate(picks.tolist()) if 777 in row}
    found = index.search("w777", limit=1000, fuzzy=False)
    assert {hit.row for hit in found.hits} == holders and found.total == len(holders)
    assert index.search("w1 w2", limit=10).total == int(((picks == 1) | (picks == 2)).any(axis=1).sum())
