"""What a factory needs, through a bundle's parts and back."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hinny.errors import FingerprintMismatch, InvalidOption
from hinny.factories import create_progressive_search
from hinny.factory_parts import attach_sources, build_factory_parts
from hinny.lexical.index import LexicalIndex
from hinny.records import Document
from ranking_fakes import ids
from support import run

DOCUMENTS = [
    Document("kitten", {"text": "a small cat"}),
    Document("dog", {"text": "a dog guards the house"}),
    Document("sort", {"text": "sorts a list"}),
]
WORDS = ["cat", "dog", "list", "a", "small", "guards", "the", "house", "sorts"]


class Model:
    """Embeds and encodes: a direction a word, the same for `feline` and `cat`."""

    def __init__(self, fingerprint: str = "words@1") -> None:
        self.fingerprint = fingerprint

    def rows(self, text: str) -> NDArray[np.float32]:
        places = [WORDS.index(word.replace("feline", "cat")) for word in text.split()]
        return np.eye(16, dtype=np.float32)[places]

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.rows(text).mean(axis=0) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = self.rows(text).mean(axis=0)
        return mean

    def encode_documents(self, texts: Sequence[str], *, truncate: bool = False) -> list[NDArray[np.float32]]:
        return [self.rows(text) for text in texts]

    encode_queries = encode_documents


class Parts:
    """Parts in memory."""

    def __init__(self, parts: dict[str, bytes]) -> None:
        self.parts = parts

    @property
    def names(self) -> Collection[str]:
        return self.parts.keys()

    def read(self, name: str) -> bytes:
        return self.parts[name]


@pytest.fixture(scope="module")
def index() -> LexicalIndex:
    return LexicalIndex.build(DOCUMENTS)


def models(factory: str) -> dict[str, Any]:
    both = {"embedder": Model(), "colbert": Model()}
    return {
        "lexical-only": {},
        "tiny": {"colbert": both["colbert"]},
        "semantic": {"embedder": both["embedder"]},
    }.get(factory, both)


@pytest.mark.parametrize(
    ("factory", "prefixes"),
    [
        ("lexical-only", set()),
        ("tiny", {"tokens"}),
        ("semantic", {"vectors"}),
        ("three-source", {"tokens", "vectors"}),
    ],
)
def test_what_is_written_is_what_the_factory_opens(
    index: LexicalIndex, factory: str, prefixes: set[str]
) -> None:
    parts = run(build_factory_parts(factory, DOCUMENTS, **models(factory)))
    assert {name.partition("/")[0] for name in parts} == prefixes
    assert run(build_factory_parts(factory, DOCUMENTS, **models(factory))) == parts
    progress = create_progressive_search(factory, index)
    run(attach_sources(progress, Parts(parts), ids=index.ids, kernel="numpy", **models(factory)))
    assert progress.loading == ()
    response = run(progress.search.search_with_stats("feline"))
    assert response.degraded == ()
    assert ids(response.hits)[:1] == ([] if factory == "lexical-only" else ["kitten"])


def test_a_bundle_without_the_parts_is_reported_by_the_search(index: LexicalIndex) -> None:
    progress = create_progressive_search("three-source", index)
    run(attach_sources(progress, Parts({}), ids=index.ids, **models("three-source")))
    response = run(progress.search.search_with_stats("cat"))
    assert ids(response.hits) == ["kitten"]
    assert {(report.source, report.reason) for report in response.degraded} == {
        ("vector", "error"),
        ("tokens", "error"),
    }
    assert all("was built without" in report.message for report in response.degraded)


def test_another_models_vectors_are_reported(index: LexicalIndex) -> None:
    parts = run(build_factory_parts("semantic", DOCUMENTS, embedder=Model()))
    progress = create_progressive_search("semantic", index)
    run(attach_sources(progress, Parts(parts), ids=index.ids, embedder=Model("words@2")))
    response = run(progress.search.search_with_stats("cat"))
    assert [report.reason for report in response.degraded] == ["error"]
    with pytest.raises(FingerprintMismatch):
        run(progress.search.search("cat", on_error="raise"))


def test_a_model_that_has_not_come_leaves_its_source_loading(index: LexicalIndex) -> None:
    parts = run(build_factory_parts("three-source", DOCUMENTS, **models("three-source")))
    progress = create_progressive_search("three-source", index, rerank=True)
    run(attach_sources(progress, Parts(parts), ids=index.ids, embedder=Model()))
    assert progress.loading == ("tokens", "rerank")
    texts = {document.id: document.fields["text"] for document in DOCUMENTS}
    run(attach_sources(progress, Parts(parts), ids=index.ids, colbert=Model(), text_for=texts.__getitem__))
    assert progress.loading == ()
    # the preset skips the model where the vectors are sure of their first
    for rerank, action in ((progress.search.defaults.rerank, "skipped"), ({"k": 1}, "applied")):
        response = run(progress.search.search_with_stats("feline", rerank=rerank))
        assert response.rerank_decision["action"] == action


def test_bad_options_are_named() -> None:
    with pytest.raises(InvalidOption, match="factory="):
        run(build_factory_parts("huge", DOCUMENTS))
    with pytest.raises(InvalidOption, match="embedder="):
        run(build_factory_parts("semantic", DOCUMENTS))
    with pytest.raises(InvalidOption, match="colbert="):
        run(build_factory_parts("tiny", DOCUMENTS))
