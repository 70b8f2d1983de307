"""Text scorers as rerankers: resolving texts, mapping indices, loading on first use."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from hinny.errors import InputTooLong, InvalidOption, SourceError
from hinny.ranking.rerankers import ColbertReranker, CrossEncoderReranker
from hinny.ranking.search import HybridSearch
from hinny.records import Candidate, Query
from ranking_fakes import Source, falling, ids
from support import run

TEXTS = {"a": "one", "b": "three words here", "c": "two words"}


class Lengths:
    """Scores a text by its length."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[str]]] = []

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        self.calls.append((query, list(texts)))
        return [float(len(text)) for text in texts]


class Colbert:
    """Ranks texts by length, best first, as (index, score)."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.truncate: list[bool] = []

    def rerank(self, query: str, texts: Sequence[str], *, truncate: bool = False) -> Any:
        self.truncate.append(truncate)
        if not truncate and any(len(text) > 20 for text in texts):
            raise InputTooLong(21, 20)
        if self.answer is not None:
            return self.answer
        rows = [(index, float(len(text))) for index, text in enumerate(texts)]
        return sorted(rows, key=lambda row: -row[1])


def test_any_object_with_a_score_method_reranks() -> None:
    scorer = Lengths()
    reranker = CrossEncoderReranker(scorer, TEXTS.__getitem__)
    assert run(reranker.rerank(Query("q"), ["a", "b", "c"])) == [
        Candidate("b", 16.0),
        Candidate("c", 9.0),
        Candidate("a", 3.0),
    ]
    assert scorer.calls == [("q", ["one", "three words here", "two words"])]


def test_equal_scores_keep_the_order_given() -> None:
    reranker = CrossEncoderReranker(Lengths(), lambda id: "same")
    assert ids(run(reranker.rerank(Query("q"), ["c", "a", "b"]))) == ["c", "a", "b"]


def test_texts_and_scores_may_be_awaited() -> None:
    class Slow(Lengths):
        async def score(self, query: str, texts: Sequence[str]) -> list[float]:  # type: ignore[override]
            await asyncio.sleep(0)
            return super().score(query, texts)

    async def text_for(id: str) -> str:
        await asyncio.sleep(0)
        return TEXTS[id]

    assert ids(run(CrossEncoderReranker(Slow(), text_for).rerank(Query("q"), ["a", "b"]))) == ["b", "a"]


@pytest.mark.parametrize("scores", [[1.0], [1.0, 2.0, 3.0], [1.0, float("nan")]])
def test_scores_are_one_finite_number_a_text(scores: list[float]) -> None:
    class Wrong:
        def score(self, query: str, texts: Sequence[str]) -> list[float]:
            return scores

    with pytest.raises(SourceError, match="rerank: "):
        run(CrossEncoderReranker(Wrong(), TEXTS.__getitem__).rerank(Query("q"), ["a", "b"]))


def test_an_id_without_a_text_is_an_error() -> None:
    with pytest.raises(SourceError, match="no text for 'z'"):
        run(CrossEncoderReranker(Lengths(), TEXTS.get).rerank(Query("q"), ["z"]))  # type: ignore[arg-type]


def test_a_model_is_made_on_first_use_and_once() -> None:
    made: list[Lengths] = []

    async def make() -> Lengths:
        await asyncio.sleep(0.005)
        made.append(Lengths())
        return made[-1]

    reranker = CrossEncoderReranker(make, TEXTS.__getitem__)
    assert made == []

    async def twice() -> None:
        await asyncio.gather(*(reranker.rerank(Query("q"), ["a", "b"]) for _ in range(2)))
        await reranker.rerank(Query("q"), ["a"])

    run(twice())
    assert len(made) == 1


def test_a_model_that_could_not_be_made_is_tried_again() -> None:
    attempts: list[int] = []

    def make() -> Lengths:
        attempts.append(1)
        if len(attempts) == 1:
            raise OSError("offline")
        return Lengths()

    reranker = CrossEncoderReranker(make, TEXTS.__getitem__)
    with pytest.raises(OSError, match="offline"):
        run(reranker.rerank(Query("q"), ["a"]))
    assert ids(run(reranker.rerank(Query("q"), ["a"]))) == ["a"]


def test_what_is_neither_a_model_nor_a_function_is_rejected() -> None:
    with pytest.raises(InvalidOption, match=r"score\(\)"):
        CrossEncoderReranker(5, TEXTS.__getitem__)  # type: ignore[arg-type]


def test_colbert_indices_are_into_the_given_texts_and_map_back_to_ids() -> None:
    model = Colbert()
    reranker = ColbertReranker(model, TEXTS.__getitem__)
    rows = run(reranker.rerank(Query("q"), ["c", "a", "b"]))
    assert ids(rows) == ["b", "c", "a"]
    assert model.truncate == [False]


def test_colbert_fails_over_a_long_text_unless_told_to_cut() -> None:
    texts = {"a": "x" * 30}
    with pytest.raises(InputTooLong):
        run(ColbertReranker(Colbert(), texts.__getitem__).rerank(Query("q"), ["a"]))
    assert ids(
        run(ColbertReranker(Colbert(), texts.__getitem__, truncate=True).rerank(Query("q"), ["a"]))
    ) == ["a"]


@pytest.mark.parametrize(
    "answer", [[(0, 1.0)], [(0, 1.0), (0, 0.5)], [(0, 1.0), (2, 0.5)], [(0, 1.0), (-1, 0.5)]]
)
def test_a_missing_doubled_or_outlying_index_fails_the_search(answer: Any) -> None:
    reranker = ColbertReranker(Colbert(answer), TEXTS.__getitem__)
    search = HybridSearch(lexical=Source(falling("ab")), reranker=reranker)
    with pytest.raises(SourceError, match="rerank: "):
        run(search.search("words"))


def test_a_text_resolver_that_fails_degrades_like_the_model() -> None:
    def broken(id: str) -> str:
        raise KeyError(id)

    search = HybridSearch(
        lexical=Source(falling("ab")), reranker=CrossEncoderReranker(Lengths(), broken), on_error="degrade"
    )
    response = run(search.search_with_stats("words"))
    assert ids(response.hits) == ["a", "b"]
    assert [(report.source, report.reason) for report in response.degraded] == [("rerank", "error")]


class Tokens:
    """Encodes letters a and b as two axes; what else a text holds has no direction."""

    fingerprint = "letters@1"

    def __init__(self, lost: int = 0) -> None:
        self.lost = lost
        self.truncate: list[bool] = []

    def encode_queries(self, texts: Sequence[str], *, truncate: bool = False) -> list[Any]:
        self.truncate.append(truncate)
        axes = {"a": [2.0, 0.0], "b": [0.0, 3.0]}
        return [np.float32([axes.get(letter, [0.0, 0.0]) for letter in text]) for text in texts]

    async def encode_documents(self, texts: Sequence[str], *, truncate: bool = False) -> list[Any]:
        rows = self.encode_queries(texts, truncate=truncate)
        return rows[: len(rows) - self.lost]


def test_a_token_encoder_reranks_by_maxsim_averaged_over_the_querys_tokens() -> None:
    texts = {"both": "ab", "one": "aa", "neither": "xx"}
    encoder = Tokens()
    rows = run(ColbertReranker(encoder, texts.__getitem__).rerank(Query("ab"), list(texts)))
    # Unit tokens: (1 + 1) / 2, (1 + 0) / 2, and -1 where nothing has a direction.
    assert [(row.id, row.score) for row in rows] == [("both", 1.0), ("one", 0.5), ("neither", -1.0)]
    assert encoder.truncate == [False, False]


def test_an_encoder_that_loses_tokens_or_texts_is_an_error() -> None:
    with pytest.raises(SourceError, match="no token for the query"):
        run(ColbertReranker(Tokens(), TEXTS.__getitem__).rerank(Query("xyz"), ["a"]))
    with pytest.raises(SourceError, match="1 token matrices for 2 texts"):
        run(ColbertReranker(Tokens(lost=1), TEXTS.__getitem__).rerank(Query("ab"), ["a", "b"]))
