"""The sources of one collection, each asked once a question however many methods want its answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.eval.corpora import Loaded
from bench.eval.encoding import Encoded
from bench.eval.metrics import DEPTH

from hinny.dense.retriever import create_vector_retriever
from hinny.late.retriever import create_colbert_retriever
from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import PLAIN, Scoring
from hinny.lexical.retriever import LexicalRetriever
from hinny.protocols import Retriever, resolve
from hinny.records import Candidate, Query

SCORINGS: dict[str, Scoring] = {
    "lexical": Scoring(),
    "lexical_sum": Scoring(combine="sum"),
    "bm25f_plain": PLAIN,
    "bm25_sum_plain": replace(PLAIN, combine="sum"),
}
"""The shipped scoring; the same with each field's own saturation added up; and both as BM25 alone."""
POOLS = (0.5,)


class Recorded:
    """A retriever that remembers its first 100 for the last question; all else is passed on."""

    def __init__(self, retriever: Any) -> None:
        self._retriever = retriever
        self._last: tuple[str, list[Candidate]] | None = None

    @property
    def name(self) -> str:
        """The source's own."""
        name: str = self._retriever.name
        return name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._retriever, name)

    async def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> Sequence[Candidate]:
        """The first `limit`: a beginning of the first 100."""
        if ids is not None or limit > DEPTH:
            found: Sequence[Candidate] = await resolve(self._retriever.retrieve(query, limit=limit, ids=ids))
            return found
        if self._last is None or self._last[0] != query.text:
            rows = await resolve(self._retriever.retrieve(query, limit=DEPTH))
            self._last = query.text, list(rows)
        return self._last[1][:limit]


def word_sources(loaded: Loaded) -> dict[str, Retriever]:
    """The lexical index and its variants; without titles there is one field, and a sum is no variant."""
    titled = any("title" in each.fields for each in loaded.documents)
    found: dict[str, Retriever] = {}
    for name, scoring in SCORINGS.items():
        if scoring.combine == "sum" and not titled:
            continue
        index = LexicalIndex.build(loaded.documents, scoring=scoring)
        exact = ("title",) if name == "lexical" and "title" in index.exact_fields else None
        found[name] = Recorded(LexicalRetriever(index, exact=exact))
    return found


def neural_sources(
    loaded: Loaded, documents: Encoded, questions: Encoded, *, quantised: bool, pooled: bool
) -> dict[str, Retriever]:
    """Vectors and tokens, exact; with `quantised` also from 4 bits, with `pooled` also of fewer tokens."""
    ids = [each.id for each in loaded.documents]
    asked = list(loaded.questions.values())
    vector_of = dict(zip(asked, questions.vectors, strict=True))
    tokens_of = dict(zip(asked, questions.tokens, strict=True))

    def vectors(**options: Any) -> Retriever:
        return Recorded(
            create_vector_retriever(
                ids=ids, vectors=documents.vectors, embed_query=vector_of.__getitem__, **options
            )
        )

    def tokens(**options: Any) -> Retriever:
        return Recorded(
            create_colbert_retriever(
                ids=ids, matrices=documents.tokens, encode_query=tokens_of.__getitem__, **options
            )
        )

    found = {"dense": vectors(), "maxsim": tokens(quantization="exact")}
    if quantised:
        found["dense_tq4"] = vectors(strategy="turboquant")
        found["dense_tq4_refined"] = vectors(strategy="turboquant", refine_candidates=100)
        found["maxsim_tq4"] = tokens()
    if pooled:
        for pool in POOLS:
            found[f"maxsim_pool{round(pool * 100)}"] = tokens(quantization="exact", pool=pool)
    return found


class TokenReranker:
    """A late-interaction reranker that reads stored token matrices instead of encoding texts again."""

    def __init__(self, tokens: Any) -> None:
        self._tokens = tokens

    async def rerank(self, query: Query, ids: Sequence[str]) -> list[Candidate]:
        """All of `ids`, by MaxSim; equal scores keep the order given."""
        scores: Mapping[str, float] = {
            row.id: row.score for row in await resolve(self._tokens.rescore(query, ids))
        }
        rows = [Candidate(id, scores[id]) for id in ids]
        rows.sort(key=lambda row: row.score, reverse=True)
        return rows
