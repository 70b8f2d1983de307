from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.errors import BundleError, InvalidInput, UnknownAnalyzer, UnsupportedVersion
from hinny.lexical.index import LexicalIndex
from hinny.records import Document

TEXT = st.lists(
    st.sampled_from(["run", "running", "Häuser", "résumé", "resume", "数据", "node.js"]), max_size=6
).map(" ".join)


def document(id: str, text: str, language: str = "en") -> Document:
    return Document(id, {"title": text[:9], "text": text}, {"size": len(text)}, language)


@given(
    st.dictionaries(st.sampled_from("abcdef"), TEXT, min_size=1),
    st.dictionaries(st.sampled_from("cdwxyz"), TEXT),
    st.sets(st.sampled_from("abcdef")),
)
@settings(deadline=None, max_examples=40)
def test_an_update_is_the_index_of_the_documents_that_remain(old: dict, new: dict, gone: set) -> None:
    fields = ["title", "text"]
    before = [document(id, text) for id, text in old.items()]
    added = [document(id, text) for id, text in new.items()]
    removed = gone & set(old)
    index = LexicalIndex.build(before, fields)
    kept = [d for d in before if d.id not in removed and d.id not in new]
    assert index.updated(added, removed).to_parts() == LexicalIndex.build([*kept, *added], fields).to_parts()
    assert index.ids == list(old)


def test_other_languages_can_come_and_go() -> None:
    index = LexicalIndex.build([document("a", "houses")])
    both = index.updated([document("b", "die Häuser", "de")])
    assert [hit.id for hit in both.search("haus").hits] == ["b"]
    assert both.updated(remove=["b"]).search("haus", fuzzy=False).total == 0
    with pytest.raises(InvalidInput, match="'z'"):
        index.updated(remove=["z"])


def test_an_index_without_positions_stays_one() -> None:
    index = LexicalIndex.build([document("a", "houses here")], positions=False)
    grown = index.updated([document("b", "more houses")])
    assert {hit.id for hit in grown.search("house").hits} == {"a", "b"}
    assert not any("positions" in name for name in grown.to_parts())


def test_a_snapshot_is_json_and_names_its_analyzers() -> None:
    index = LexicalIndex.build([document("a", "houses"), document("b", "Häuser", "de")])
    data = json.loads(json.dumps(index.to_json()))
    assert data["analyzers"] == ["en@1", "de@1"]
    again = LexicalIndex.from_json(data)
    assert again.search("house häuser").hits == index.search("house häuser").hits
    with pytest.raises(UnsupportedVersion):
        LexicalIndex.from_json(data | {"version": 2})
    with pytest.raises(BundleError, match="no snapshot"):
        LexicalIndex.from_json({})
    with pytest.raises(BundleError, match="damaged"):
        LexicalIndex.from_json(data | {"parts": {"lexical/index": "%"}})


def test_an_analyzer_that_nothing_implements_is_an_error() -> None:
    import numpy as np

    from hinny.npz import pack, unpack

    parts = LexicalIndex.build([document("a", "houses")]).to_parts()
    arrays = dict(unpack(parts["lexical/index"]))
    header = json.loads(arrays["header"].tobytes()) | {"analyzers": ["klingon@7"]}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    with pytest.raises(UnknownAnalyzer, match="klingon@7"):
        LexicalIndex.from_parts(parts | {"lexical/index": pack(arrays)})
