"""HybridSearch over the project's own retrievers: what only real indexes can show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hinny.dense.retriever import VectorRetriever, create_vector_retriever
from hinny.engine.engine import RetrievalEngine
from hinny.errors import InvalidOption, SourceError
from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import PLAIN
from hinny.lexical.retriever import LexicalRetriever
from hinny.protocols import AverageLength, ExactMatcher, MatchShare, Rescorer, Retriever
from hinny.ranking.search import HybridSearch
from hinny.records import Document, Query
from ranking_fakes import Reranker, ids
from support import run

DOCUMENTS = [
    Document(
        "push", {"symbol": "Array.prototype.push()", "text": "Append an element to the end of an array"}
    ),
    Document("pop", {"symbol": "Array.prototype.pop()", "text": "Remove the last element from an array"}),
    Document(
        "Push", {"symbol": "array.prototype.push()", "text": "A lower-case namesake in another language"}
    ),
    Document("sort", {"symbol": "sorted", "text": "Sort the elements of a list"}, {"language": "python"}),
    Document("night", {"symbol": "noite", "text": "the long dark time between two days"}),
]
IDS = [document.id for document in DOCUMENTS]
VECTORS = np.random.default_rng(3).standard_normal((len(IDS), 8)).astype(np.float32)


class Embedder:
    """Each known query has the vector of the document that it means."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    async def __call__(self, text: str) -> NDArray[np.float32]:
        self.queries.append(text)
        return VECTORS[IDS.index("night")] if "nuit" in text else VECTORS[IDS.index("push")]


@pytest.fixture(scope="module")
def index() -> LexicalIndex:
    return LexicalIndex.build(DOCUMENTS, exact=["symbol"], analyzer="en@1")


def words(index: LexicalIndex, **options: Any) -> LexicalRetriever:
    return LexicalRetriever(index, **options)


def vectors(embed: Any = None, **options: Any) -> VectorRetriever:
    return create_vector_retriever(ids=IDS, vectors=VECTORS, embed_query=embed or Embedder(), **options)


def stats(search: HybridSearch, query: Any, **options: Any) -> Any:
    return run(search.search_with_stats(query, **options))


def test_the_retrievers_have_their_abilities(index: LexicalIndex) -> None:
    for ability in (Retriever, Rescorer, ExactMatcher, MatchShare, AverageLength):
        assert isinstance(words(index), ability)
    for ability in (Retriever, Rescorer):
        assert isinstance(vectors(), ability)


def test_the_kinds_of_score_are_named(index: LexicalIndex) -> None:
    assert stats(HybridSearch(lexical=words(index)), "array").hits[0].score_kind == "bm25f"
    assert stats(HybridSearch(vector=vectors()), "x").hits[0].score_kind == "cosine"
    assert stats(HybridSearch(vector=vectors(metric="dot")), "x").hits[0].score_kind == "dot"


def test_rescoring_keeps_the_statistics_of_the_full_index(index: LexicalIndex) -> None:
    whole = {hit.id: hit.score for hit in index.search("element array").hits}
    search = HybridSearch(lexical=words(index), vector=vectors())
    response = stats(search, "element array", strategy="vector-first", vector_candidates=4)
    scored = {hit.id: hit.score for hit in response.hits if hit.score_kind == "bm25f"}
    assert scored
    assert scored == {id: whole[id] for id in scored}


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        ('"end of an array"', {}, {"push"}),
        ("array -append", {}, {"pop", "Push"}),
        ("appen", {"prefix": True, "fuzzy": False}, {"push"}),
        ("apend", {"fuzzy": 1}, {"push"}),
        ("end", {"mode": "suffix", "fields": ["text"]}, {"push"}),
        ("ppen", {"mode": "substring"}, {"push"}),
        ("sorted", {"fields": ["symbol"], "stem": False}, {"sort"}),
        ("elements", {"where": {"language": "python"}}, {"sort"}),
    ],
)
def test_options_of_the_lexical_retriever_are_those_of_its_index(
    index: LexicalIndex, query: str, options: dict[str, Any], expected: set[str]
) -> None:
    search = HybridSearch(lexical=words(index, search=options))
    assert set(ids(stats(search, query).hits)) == expected


def test_a_metadata_filter_constrains_the_lexical_source_only(index: LexicalIndex) -> None:
    filtered = words(index, search={"where": {"language": "python"}})
    response = stats(HybridSearch(lexical=filtered, vector=vectors()), "elements")
    assert response.counts["lexical"] == 1
    assert response.counts["vector"] == len(IDS)


def test_exact_promotion_is_literal_and_case_sensitive(index: LexicalIndex) -> None:
    search = HybridSearch(lexical=words(index, exact={"fields": ["symbol"]}), vector=vectors())
    response = stats(search, "array.prototype.push()", exact="promote")
    assert [(hit.id, hit.exact) for hit in response.hits][:2] == [("Push", True), ("push", False)]
    loose = words(index, exact={"fields": ["symbol"], "case_sensitive": False})
    response = stats(HybridSearch(lexical=loose, vector=vectors()), "array.prototype.push()", exact="promote")
    assert {hit.id for hit in response.hits if hit.exact} == {"push", "Push"}


def test_special_characters_and_spaces_are_part_of_the_equality(index: LexicalIndex) -> None:
    search = HybridSearch(lexical=words(index, exact={"fields": ["symbol"]}), vector=vectors())
    for near in ("Array.prototype.push", "Array prototype push()", "Array.prototype.push() "):
        assert not any(hit.exact for hit in stats(search, near, exact="promote").hits)
    assert stats(search, "Array.prototype.push()", exact="promote").hits[0].exact


def test_exact_promotion_without_exact_fields_is_refused_before_retrieval(index: LexicalIndex) -> None:
    embed = Embedder()
    search = HybridSearch(lexical=words(index), vector=vectors(embed))
    with pytest.raises(InvalidOption, match="exact"):
        stats(search, "Array.prototype.push()", exact="promote")
    assert embed.queries == []


def test_the_order_of_exact_first_tiers_is_kept_and_linear_fusion_needs_relevance() -> None:
    documents = [
        Document("once", {"text": "to merge two lists, with many other words around"}),
        Document("often", {"text": "merging merging merged merging"}),
    ]
    stemmed = LexicalIndex.build(documents, analyzer="en@1", scoring=PLAIN)
    source = create_vector_retriever(
        ids=["once", "often"], vectors=np.eye(2, 3), embed_query=lambda text: [1, 0, 0]
    )
    tiered = LexicalRetriever(stemmed, search={"ranking": "exact-first"})
    alone = stats(HybridSearch(lexical=tiered), "merge")
    assert ids(alone.hits) == ["once", "often"]
    assert alone.hits[0].score < alone.hits[1].score
    assert alone.hits[0].signals["lexical"].tier != alone.hits[1].signals["lexical"].tier
    with pytest.raises(SourceError, match="descending"):
        stats(HybridSearch(lexical=tiered, vector=source), "merge", fusion={"method": "linear"})
    by_relevance = LexicalRetriever(stemmed, search={"ranking": "relevance"})
    response = stats(HybridSearch(lexical=by_relevance, vector=source), "merge", fusion={"method": "linear"})
    assert {hit.score_kind for hit in response.hits} == {"linear"}


def test_a_query_whose_words_the_index_lacks_is_left_to_the_vectors(index: LexicalIndex) -> None:
    embed = Embedder()
    search = HybridSearch(lexical=words(index), vector=vectors(embed))
    response = stats(search, "la nuit sombre array", weak_lexical={"share": 0.5, "gap": 0.15})
    assert response.weak_lexical["action"] == "promoted"
    assert response.weak_lexical["share"] < 0.5
    assert response.hits[0].id == "night"
    assert len(embed.queries) == 1  # the rescore used the embedding of the retrieval


def test_a_query_that_the_words_answer_is_kept(index: LexicalIndex) -> None:
    search = HybridSearch(lexical=words(index), vector=vectors(lambda text: VECTORS[4]))
    response = stats(search, "append element", weak_lexical={"share": 0.2, "gap": 0.0})
    assert response.weak_lexical["action"] == "kept"
    assert response.weak_lexical["share"] == pytest.approx(1.0)
    assert run(words(index).match_share(Query("the of"), "push")) is None


def test_short_documents_are_told_by_the_index(index: LexicalIndex) -> None:
    search = HybridSearch(lexical=words(index), vector=vectors())
    average = words(index).average_length()
    assert 3 < average < 20
    assert stats(search, "array", vector_only_below=average + 0.1).route["average_length"] == average
    assert stats(search, "array", vector_only_below=average).route is None


def test_turboquant_keeps_full_vectors_for_rescoring(index: LexicalIndex) -> None:
    search = HybridSearch(lexical=words(index), vector=vectors(strategy="turboquant"))
    response = stats(search, "array element", strategy="lexical-first")
    exact = {row.id: row.score for row in run(vectors().rescore(Query("x"), IDS))}
    scored = {hit.id: hit.score for hit in response.hits if hit.score_kind == "cosine"}
    assert scored
    assert scored == pytest.approx({id: exact[id] for id in scored}, abs=1e-6)


def test_the_engine_gives_the_embedder_the_text_as_it_was_typed(index: LexicalIndex) -> None:
    embed = Embedder()
    engine = RetrievalEngine([words(index), vectors(embed)])
    response = run(engine.search("search_query: append"))
    assert embed.queries == ["search_query: append"]
    assert set(response.counts) == {"lexical", "vector", "reranked"}


def test_ids_reach_the_real_sources(index: LexicalIndex) -> None:
    search = HybridSearch(lexical=words(index), vector=vectors(), reranker=(reranker := Reranker()))
    assert set(ids(stats(search, "array", ids={"pop", "sort"}).hits)) == {"pop", "sort"}
    assert sorted(reranker.calls[0]) == ["pop", "sort"]


def test_vectors_of_another_dimension_than_the_query_are_an_error(index: LexicalIndex) -> None:
    from hinny.errors import DimensionMismatch

    with pytest.raises(DimensionMismatch):
        stats(HybridSearch(lexical=words(index), vector=vectors()), {"text": "array", "vector": [1.0, 2.0]})


def test_texts_are_ranked_by_both(index: LexicalIndex) -> None:
    def embed(text: str) -> Sequence[float]:
        return VECTORS[IDS.index("pop")].tolist()

    response = stats(HybridSearch(lexical=words(index), vector=vectors(embed)), "last element")
    assert response.hits[0].id == "pop"
    assert set(response.hits[0].contributions) == {"lexical", "vector"}
