"""The ready-made searches over real indexes, with small models that need no download."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hinny.errors import InvalidInput, InvalidOption
from hinny.factories import (
    BATCH,
    FACTORIES,
    create_hybrid_index,
    create_lexical_only_search,
    create_lexical_semantic_search,
    create_lexical_semantic_tiny_search,
    create_progressive_search,
    create_three_source_search,
    create_token_source,
    create_vector_source,
    texts_by_id,
)
from hinny.lexical.index import LexicalIndex
from hinny.ranking.presets import search_preset
from hinny.ranking.rerankers import ColbertReranker, CrossEncoderReranker
from hinny.records import Document
from ranking_fakes import Source, falling, ids
from support import run

TEXTS = {
    "push": "Array.prototype.push() appends an element to the end of an array",
    "pop": "Array.prototype.pop() removes the last element of an array",
    "sort": "sorts the elements of a list in place",
    "kitten": "a small cat that sleeps on the sofa",
    "dog": "a dog guards the house at night",
}
DOCUMENTS = [Document(id, {"text": text}, {"length": len(text)}) for id, text in TEXTS.items()]
MEANINGS = {"feline": "cat", "kitty": "cat", "hound": "dog", "append": "appends", "insert": "appends"}


def direction(word: str) -> NDArray[np.float32]:
    """A fixed direction for a word; words of one meaning share it."""
    word = MEANINGS.get(word.strip("().,").lower(), word.strip("().,").lower())
    seed = sum(ord(letter) * 31**place for place, letter in enumerate(word)) % 2**32
    vector = np.random.default_rng(seed).standard_normal(64).astype(np.float32)
    return vector / np.float32(np.linalg.norm(vector))


class Embedder:
    """The mean of its words' directions."""

    fingerprint = "words@1"

    def __init__(self) -> None:
        self.documents: list[list[str]] = []
        self.queries: list[str] = []

    def embed(self, text: str) -> NDArray[np.float32]:
        return np.mean([direction(word) for word in text.split()], axis=0, dtype=np.float32)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.documents.append(list(texts))
        return np.stack([self.embed(text) for text in texts])

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        self.queries.append(text)
        return self.embed(text)


class Encoder:
    """A direction for every word."""

    fingerprint = "tokens@1"

    def __init__(self) -> None:
        self.documents: list[list[str]] = []
        self.queries: list[list[str]] = []
        self.truncated: set[bool] = set()

    async def encode_documents(
        self, texts: Sequence[str], *, truncate: bool = False
    ) -> list[NDArray[np.float32]]:
        self.documents.append(list(texts))
        self.truncated.add(truncate)
        return [np.stack([direction(word) for word in text.split()]) for text in texts]

    def encode_queries(self, texts: Sequence[str], *, truncate: bool = False) -> list[NDArray[np.float32]]:
        self.queries.append(list(texts))
        self.truncated.add(truncate)
        return [np.stack([direction(word) for word in text.split()]) for text in texts]


@pytest.fixture
def index() -> LexicalIndex:
    return LexicalIndex.build(DOCUMENTS)


def hits(search: Any, text: str, **options: Any) -> list[str]:
    return ids(run(search.search(text, **options)))


# Lexical only


def test_words_alone_keep_bm25_order_and_need_no_model(index: LexicalIndex) -> None:
    search = create_lexical_only_search(index)
    response = run(search.search_with_stats("element of an array"))
    expected = index.search("element of an array")
    assert [(hit.id, hit.score) for hit in response.hits] == [(hit.id, hit.score) for hit in expected.hits]
    assert {hit.score_kind for hit in response.hits} == {"bm25f"}
    assert search.sources == ("lexical",)
    assert response.rerank_decision == {"action": "disabled"}


def test_defaults_and_lexical_options_are_taken(index: LexicalIndex) -> None:
    search = create_lexical_only_search(
        index, lexical={"search": {"match": "all"}}, defaults={"limit": 1, **search_preset("reranked")}
    )
    assert len(hits(search, "array element")) == 1
    assert hits(search, "array sofa") == []


# Late interaction


def test_tiny_joins_words_and_tokens_by_the_efficient_preset_with_a_smaller_gap(index: LexicalIndex) -> None:
    encoder = Encoder()
    search = run(create_lexical_semantic_tiny_search(index, documents=TEXTS, colbert=encoder))
    options = search.defaults
    assert search.sources == ("lexical", "tokens")
    assert options.weak_lexical is not None
    assert (options.weak_lexical.share, options.weak_lexical.gap) == (0.2, 0.1)
    assert (options.lexical_candidates, options.vector_candidates) == (25, 25)
    assert (options.fusion.k, options.fusion.weights) == (1, {"lexical": 3, "vector": 1})
    assert options.rerank is False
    response = run(search.search_with_stats("feline"))
    assert response.hits[0].id == "kitten"
    assert -1 <= response.hits[0].signals["tokens"].score <= 1
    assert encoder.truncated == {True}
    assert encoder.queries == [["feline"]]


def test_documents_are_encoded_in_batches_of_sixty_four() -> None:
    texts = {f"d{n}": f"word{n}" for n in range(150)}
    encoder = Encoder()
    run(create_token_source(texts, encoder))
    assert [len(batch) for batch in encoder.documents] == [64, 64, 22]
    assert BATCH == 64


def test_exact_tokens_rank_as_plain_maxsim(index: LexicalIndex) -> None:
    encoder = Encoder()
    search = run(
        create_lexical_semantic_tiny_search(
            index,
            documents=TEXTS,
            colbert=encoder,
            quantization="exact",
            defaults={"fusion": {"weights": {"lexical": 0}}},
        )
    )
    found = run(search.search("small feline night", limit=5))
    asked = np.stack([direction(word) for word in ["small", "feline", "night"]])
    expected = {
        id: float((np.stack([direction(word) for word in text.split()]) @ asked.T).max(axis=0).mean())
        for id, text in TEXTS.items()
    }
    assert {hit.id: hit.signals["tokens"].score for hit in found} == pytest.approx(expected, abs=1e-5)


def test_matrices_encoded_earlier_are_taken(index: LexicalIndex) -> None:
    first, second = Encoder(), Encoder()
    matrices = run(first.encode_documents(list(TEXTS.values())))
    search = run(
        create_lexical_semantic_tiny_search(index, documents=TEXTS, colbert=second, matrices=matrices)
    )
    assert hits(search, "feline")[0] == "kitten"
    assert second.documents == []


def test_a_source_made_earlier_needs_neither_documents_nor_model(index: LexicalIndex) -> None:
    source = run(create_token_source(TEXTS, Encoder()))
    search = run(create_lexical_semantic_tiny_search(index, vector=source))
    assert hits(search, "feline")[0] == "kitten"


# Single vectors


def test_semantic_uses_efficient_without_a_reranker(index: LexicalIndex) -> None:
    embedder = Embedder()
    search = run(create_lexical_semantic_search(index, documents=TEXTS, embedder=embedder))
    assert search.sources == ("lexical", "vector")
    assert search.defaults.rerank is False
    assert search.defaults.weak_lexical is not None
    assert search.defaults.weak_lexical.gap == 0.15
    assert hits(search, "hound")[0] == "dog"
    assert embedder.queries == ["hound"]  # as it was typed: no prefix is added on the way


def test_semantic_uses_reranked_with_a_colbert_reranker(index: LexicalIndex) -> None:
    encoder = Encoder()
    search = run(
        create_lexical_semantic_search(index, documents=TEXTS, embedder=Embedder(), reranker=encoder)
    )
    assert search.defaults.rerank is not False
    assert search.defaults.rerank.skip_if_vector_margin == 0.1
    response = run(search.search_with_stats("array of an element", rerank={"weight": 1}))
    assert response.rerank_decision["action"] == "applied"
    assert encoder.truncated == {True}
    assert response.hits[0].rerank_contributions


def test_a_reranker_of_your_own_is_used_as_it_is(index: LexicalIndex) -> None:
    class ByLength:
        def score(self, query: str, texts: Sequence[str]) -> list[float]:
            return [float(len(text)) for text in texts]

    own = CrossEncoderReranker(ByLength(), TEXTS.__getitem__)
    search = run(create_lexical_semantic_search(index, documents=TEXTS, embedder=Embedder(), reranker=own))
    found = hits(search, "a", rerank={"method": "replace"})
    assert found == sorted(TEXTS, key=lambda id: -len(TEXTS[id]))


def test_vectors_made_earlier_are_taken_and_documents_embedded_in_batches(index: LexicalIndex) -> None:
    embedder = Embedder()
    vectors = np.stack([embedder.embed(text) for text in TEXTS.values()])
    search = run(create_lexical_semantic_search(index, documents=TEXTS, embedder=embedder, vectors=vectors))
    assert hits(search, "hound")[0] == "dog"
    assert embedder.documents == []
    run(create_vector_source({f"d{n}": f"word{n}" for n in range(65)}, embedder))
    assert [len(batch) for batch in embedder.documents] == [64, 1]


def test_a_vector_source_made_earlier_needs_no_embedder_but_documents_for_its_reranker(
    index: LexicalIndex,
) -> None:
    source = run(create_vector_source(TEXTS, Embedder(), strategy="turboquant"))
    assert hits(run(create_lexical_semantic_search(index, vector=source)), "hound")[0] == "dog"
    with pytest.raises(InvalidOption, match="documents=None"):
        run(create_lexical_semantic_search(index, vector=source, reranker=Encoder()))
    search = run(create_lexical_semantic_search(index, vector=source, documents=TEXTS, reranker=Encoder()))
    assert run(search.search_with_stats("a of an")).counts["reranked"] > 0


def test_searches_that_differ_in_lexical_options_share_one_vector_source() -> None:
    languages = [
        Document("a", {"en": "hound in the house", "de": "Haus"}),
        Document("b", {"en": "house", "de": "Hund im Haus"}),
    ]
    shared = LexicalIndex.build(languages)
    source = run(create_vector_source(languages, Embedder()))
    searches = {
        name: run(
            create_lexical_semantic_search(shared, vector=source, lexical={"search": {"fields": [name]}})
        )
        for name in ("en", "de")
    }
    lexical = {
        name: run(search.search_with_stats("Hund")).counts["lexical"] for name, search in searches.items()
    }
    assert lexical == {"en": 0, "de": 1}


# Three sources


def test_three_sources_fuse_and_are_named(index: LexicalIndex) -> None:
    search = create_three_source_search(
        index,
        vector=run(create_vector_source(TEXTS, Embedder())),
        tokens=run(create_token_source(TEXTS, Encoder())),
    )
    response = run(search.search_with_stats("feline on the sofa"))
    assert response.hits[0].id == "kitten"
    assert set(response.hits[0].contributions) == {"lexical", "vector", "tokens"}
    fusion = search.defaults.fusion
    assert (fusion.method, fusion.adapt) == ("linear", 0.2)
    assert fusion.weights == {"lexical": 1, "vector": 1, "tokens": 0.5}
    assert response.weights_decision["action"] == "applied"
    assert {search.defaults.budget(name) for name in search.sources} == {100}
    assert search.defaults.rerank is False


def test_three_sources_may_be_reranked_as_by_the_preset(index: LexicalIndex) -> None:
    search = create_three_source_search(
        index,
        vector=run(create_vector_source(TEXTS, Embedder())),
        tokens=run(create_token_source(TEXTS, Encoder())),
        reranker=ColbertReranker(Encoder(), TEXTS.__getitem__),
    )
    response = run(search.search_with_stats("feline on the sofa", rerank={"candidates": 3}))
    assert response.rerank_decision == {"action": "applied", "candidates": 3}
    rerank = search.defaults.rerank
    assert rerank is not False
    assert (rerank.k, rerank.weight, rerank.skip_if_vector_margin) == (1, 0.25, 0.1)


# Loading


@pytest.mark.parametrize("factory", FACTORIES)
def test_words_answer_at_once_and_the_rest_when_it_is_there(index: LexicalIndex, factory: str) -> None:
    progress = create_progressive_search(factory, index)
    first = run(progress.search.search_with_stats("feline sofa"))
    assert first.hits[0].id == "kitten"
    assert {report.source for report in first.degraded} == set(progress.loading)
    assert all(report.reason == "loading" for report in first.degraded)
    if progress.vector is not None:
        progress.vector.set(run(create_vector_source(TEXTS, Embedder())))
    if progress.tokens is not None:
        progress.tokens.set(run(create_token_source(TEXTS, Encoder())))
    assert progress.loading == ()
    second = run(progress.search.search_with_stats("hound"))
    assert second.degraded == ()
    assert (ids(second.hits)[:1] == ["dog"]) == (factory != "lexical-only")


def test_a_reranker_may_arrive_last(index: LexicalIndex) -> None:
    progress = create_progressive_search("semantic", index, rerank=True)
    assert progress.loading == ("vector", "rerank")
    assert progress.search.defaults.rerank is not False
    for factory in ("lexical-only", "tiny"):
        with pytest.raises(InvalidOption, match="rerank="):
            create_progressive_search(factory, index, rerank=True)
    with pytest.raises(InvalidOption, match="factory="):
        create_progressive_search("huge", index)


# An owned index


def owned(**options: Any) -> Any:
    embedder = Embedder()
    vectors = np.stack([embedder.embed(text) for text in TEXTS.values()])
    return create_hybrid_index(DOCUMENTS, vectors=vectors, embed_query=embedder.embed_query, **options)


def test_an_owned_index_searches_words_and_vectors_with_the_plain_defaults() -> None:
    search = owned()
    response = run(search.search_with_stats("hound element"))
    assert set(response.counts) == {"lexical", "vector", "reranked"}
    assert search.defaults.fusion.k == 60
    assert {hit.id for hit in response.hits} >= {"dog", "push", "pop"}
    assert len(search) == 5


def test_every_option_of_one_search_at_once() -> None:
    search = owned(lexical_search={"search": {"ranking": "relevance"}}, strategy="turboquant")
    response = run(
        search.search_with_stats(
            "append an item",
            strategy="fusion",
            lexical_candidates=25,
            vector_candidates=25,
            balance={"window": 5, "lexical": 1, "vector": 1},
            limit=10,
        )
    )
    assert response.hits[0].id == "push"
    assert search.get("push").fields["text"].startswith("Array.prototype.push()")


def test_documents_and_vectors_are_copied_on_the_way_in_and_out() -> None:
    fields, metadata = {"text": "a fox"}, {"year": 2026}
    vectors = np.eye(2, 4, dtype=np.float32)
    search = create_hybrid_index(
        [Document("fox", fields, metadata), Document("owl", {"text": "an owl"})], vectors=vectors
    )
    fields["text"] = "changed"
    metadata["year"] = 1
    vectors[:] = 9
    got = search.get("fox")
    assert got == Document("fox", {"text": "a fox"}, {"year": 2026})
    assert got is not None
    got.fields["text"] = "changed again"  # type: ignore[index]
    again = search.get("fox")
    assert again is not None
    assert again.fields["text"] == "a fox"
    assert search.get("cat") is None
    found = run(search.search({"text": "", "vector": [1, 0, 0, 0]}))
    assert [hit.signals["vector"].score for hit in found] == pytest.approx([1.0, 0.0])


def test_an_owned_index_without_vectors_searches_words() -> None:
    search = create_hybrid_index(DOCUMENTS)
    assert search.sources == ("lexical",)
    assert hits(search, "sofa") == ["kitten"]
    with pytest.raises(InvalidOption, match="vectors=None"):
        create_hybrid_index(DOCUMENTS, embed_query=Embedder().embed_query)


def test_a_word_as_written_beats_its_stem_unless_surface_is_off() -> None:
    documents = [Document("plural", {"text": "houses here"}), Document("single", {"text": "house here"})]
    options = {"lexical": {"analyzer": "en@1"}}
    on = run(create_hybrid_index(documents, **options).search("house"))
    assert on[0].id == "single"
    assert on[0].score > on[1].score
    off = run(create_hybrid_index(documents, **options, surface=False).search("house"))
    assert off[0].score == off[1].score
    with pytest.raises(InvalidOption, match="surface="):
        create_hybrid_index(documents, surface={"wait": 1})


def test_surface_companions_may_be_weighed() -> None:
    documents = [Document("plural", {"text": "houses here"}), Document("single", {"text": "house here"})]

    def lead(surface: Any) -> float:
        search = create_hybrid_index(documents, lexical={"analyzer": "en@1"}, surface=surface)
        found = run(search.search("house"))
        assert {hit.id for hit in found} == {"single", "plural"}
        return found[0].score - found[1].score if found[0].id == "single" else 0.0

    assert lead({"weight": 0}) == lead(False) == 0
    assert 0 < lead({"weight": 0.1}) < lead({"weight": 1})


def test_ids_are_unique() -> None:
    with pytest.raises(InvalidInput, match="unique"):
        create_hybrid_index([DOCUMENTS[0], DOCUMENTS[0]])
    with pytest.raises(InvalidInput, match="'a' is there twice"):
        texts_by_id([("a", "x"), ("a", "y")])


# Input


def test_texts_come_as_a_mapping_pairs_or_documents() -> None:
    expected = {"a": "one\ntwo"}
    assert texts_by_id({"a": "one\ntwo"}) == expected
    assert texts_by_id([("a", "one\ntwo")]) == expected
    assert texts_by_id([Document("a", {"title": "one", "text": "two"})]) == expected


def test_what_is_missing_is_named(index: LexicalIndex) -> None:
    with pytest.raises(InvalidOption, match="documents=None"):
        run(create_lexical_semantic_tiny_search(index))
    with pytest.raises(InvalidOption, match="colbert=None"):
        run(create_lexical_semantic_tiny_search(index, documents=TEXTS))
    with pytest.raises(InvalidOption, match="documents=None"):
        run(create_lexical_semantic_search(index))
    with pytest.raises(InvalidOption, match="embedder=None"):
        run(create_lexical_semantic_search(index, documents=TEXTS))


def test_a_model_that_loses_texts_is_an_error() -> None:
    class Lossy(Embedder):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return super().embed_documents(texts)[:-1]

    with pytest.raises(InvalidInput, match="4 vectors for 5 texts"):
        run(create_vector_source(TEXTS, Lossy()))


def test_a_retriever_of_your_own_may_stand_for_the_index() -> None:
    assert hits(create_lexical_only_search(Source(falling("ab"))), "x") == ["a", "b"]
    with pytest.raises(InvalidOption, match="lexical="):
        create_lexical_only_search(Source([]), lexical={"search": {}})


def test_a_search_keeps_its_snapshot_while_a_new_one_is_built() -> None:
    import asyncio

    async def swap() -> tuple[list[str], list[str]]:
        released = asyncio.Event()

        async def embed(text: str) -> NDArray[np.float32]:
            await released.wait()
            return np.float32([1, 0])

        current = create_hybrid_index(
            [Document("old", {"text": "a fox"})], vectors=np.float32([[1, 0]]), embed_query=embed
        )
        under_way = asyncio.get_running_loop().create_task(current.search("fox"))
        await asyncio.sleep(0)
        current = create_hybrid_index([Document("new", {"text": "a fox"})])
        released.set()
        return ids(await under_way), ids(await current.search("fox"))

    assert run(swap()) == (["old"], ["new"])
