from __future__ import annotations

from hinny.lexical.index import LexicalIndex
from hinny.lexical.tiers import tier_name
from hinny.records import Document

TEXTS = {
    "exact": "index table",
    "stem": "indexes table",
    "prefix": "indexy table",
    "typo": "indec table",
    "partial": "table",
    "other": "nothing",
}


def test_the_worst_word_is_a_documents_tier() -> None:
    index = LexicalIndex.build([Document(id, {"text": text}, {}, "en") for id, text in TEXTS.items()])
    found = index.search("index table", ranking="exact-first", prefix=True, fuzzy=1)
    tiers = {hit.id: hit.tier for hit in found.hits}
    assert tiers == {id: id for id in TEXTS if id != "other"}
    assert [hit.id for hit in found.hits] == ["exact", "stem", "prefix", "typo", "partial"]


def test_no_tiers_have_no_name() -> None:
    assert tier_name(None, 3) is None
