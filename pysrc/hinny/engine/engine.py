"""RetrievalEngine: any number of retrievers at once, one fused list, and an answer whatever fails.

    engine = RetrievalEngine([words, vectors, graph], fusion={"k": 60, "weights": {"vector": 0.7}})
    response = await engine.search("why does the daemon fail at startup", limit=10)
    response.hits, response.degraded

Each retriever is asked for `limit * over_fetch` candidates. One that raises, breaks its contract or runs
past `timeout` contributes nothing and is named in `degraded`; a reranker that fails (or a text that
cannot be had) costs the reordering, not the answer, and is reported as `rerank`. With
`on_error="raise"` the first failure is raised instead.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from time import perf_counter
from typing import Any, cast

from hinny.errors import InvalidOption, SourceError
from hinny.protocols import PairScorer, Reranker, Retriever, resolve
from hinny.ranking.blocking import run_blocking
from hinny.ranking.checks import check_candidates, check_permutation
from hinny.ranking.fusion import MAX_LISTS, check_weights, fuse
from hinny.ranking.gather import Answers, Call, gather
from hinny.ranking.neural import join_neural
from hinny.ranking.options import MAX_WINDOW, FusionOptions, OnError, SearchOptions, choice, integer, nested
from hinny.ranking.ranked import Ranked
from hinny.ranking.rerankers import Lazy, best_first, pair_scores
from hinny.ranking.response import page_of_hits
from hinny.ranking.search import QueryLike, as_query
from hinny.ranking.sources import RERANK_STAGE
from hinny.ranking.trim import trim
from hinny.records import Candidate, Degraded, Hit, Query, SearchResponse

TextFor = Callable[[Hit], "str | Awaitable[str]"]
"""The text that a reranker reads for a hit; its payload (a span's locator, say) tells where to look."""


class RetrievalEngine:
    """N retrievers, fused by reciprocal rank, fail-open unless told otherwise; immutable."""

    def __init__(
        self,
        retrievers: Sequence[Retriever],
        *,
        fusion: FusionOptions | Mapping[str, Any] | None = None,
        over_fetch: int = 3,
        timeout: float | None = 2.0,
        min_score: float | None = None,
        dropoff: bool | float = False,
        reranker: Reranker | PairScorer | Callable[[], Any] | None = None,
        text_for: TextFor | None = None,
        rerank_candidates: int = 25,
        on_error: OnError = "degrade",
    ) -> None:
        """Retrievers with unique names; `timeout` in seconds for each stage (None: none).

        `reranker` is a `Reranker`, or a scorer of texts (`score(query, texts)`, or a function that makes
        one on first use), which needs `text_for`. `min_score` and `dropoff` trim the fused list.
        """
        self._retrievers = _by_name(retrievers)
        self._fusion: FusionOptions = nested("fusion", fusion or {}, FusionOptions)
        names = tuple(self._retrievers)
        check_weights("fusion.weights", self._fusion.weights, names, known=names)
        self._over_fetch = integer("over_fetch", over_fetch, 1, 100)
        self._rerank_candidates = integer("rerank_candidates", rerank_candidates, 1)
        self._on_error: OnError = choice("on_error", on_error, ("raise", "degrade"))
        # The numbers are a search's own: one place says what is allowed.
        self._trim = SearchOptions(min_score=min_score, dropoff=dropoff, timeout=timeout)
        self._reranker: Reranker | None = None
        self._scorer: Lazy[PairScorer] | None = None
        self._text_for = text_for
        if reranker is None:
            return
        if callable(getattr(reranker, "rerank", None)):
            self._reranker = cast(Reranker, reranker)
            return
        if text_for is None:
            raise InvalidOption("text_for", None, "a function from a hit to its text: the scorer reads texts")
        self._scorer = Lazy(cast(Any, reranker), "score")

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the retrievers."""
        return tuple(self._retrievers)

    async def search(
        self,
        query: QueryLike,
        *,
        limit: int = 10,
        offset: int = 0,
        ids: Collection[str] | None = None,
    ) -> SearchResponse:
        """The hits from `offset` to `offset + limit` of the fused list, and what was unavailable.

        Paging does not widen the retrievers' windows: the fused list ends where they do.
        """
        asked, options = as_query(query), SearchOptions(limit=limit, offset=offset, ids=ids)
        nothing = not limit or asked.is_empty or (options.ids is not None and not options.ids)
        if nothing:
            return SearchResponse(hits=(), strategy="engine")
        started = perf_counter()
        answers = await self._gather(asked, options)
        mark = perf_counter()
        ranked = self._fuse(answers.values)
        timings = dict(answers.milliseconds)
        timings["fusion"] = (perf_counter() - mark) * 1000
        degraded = list(answers.degraded)
        decision = await self._rerank(asked, ranked, answers.values, timings, degraded)
        lists = {name: answers.values[name] for name in self._retrievers if name in answers.values}
        timings["total"] = (perf_counter() - started) * 1000
        return SearchResponse(
            hits=page_of_hits(ranked, lists, offset, limit),
            total_candidates=len(ranked.order),
            strategy="engine",
            counts={
                **{name: len(rows) for name, rows in lists.items()},
                "reranked": decision.get("candidates", 0),
            },
            timings=timings,
            representatives={name: rows[0].id for name, rows in lists.items() if rows},
            rerank_decision=decision,
            degraded=tuple(degraded),
        )

    def search_sync(self, query: QueryLike, **options: Any) -> SearchResponse:
        """`search` for code that cannot await."""
        return run_blocking(lambda: self.search(query, **options))

    async def _gather(self, query: Query, options: SearchOptions) -> Answers[list[Candidate]]:
        limit, ids = min(MAX_WINDOW, options.limit * self._over_fetch), options.ids

        def call(name: str, retriever: Retriever) -> Call:
            return Call(
                name,
                lambda: retriever.retrieve(query, limit=limit, ids=ids),
                lambda rows: check_candidates(name, rows, limit=limit, ids=ids),
            )

        calls = [call(name, retriever) for name, retriever in self._retrievers.items()]
        return await gather(calls, strict=self._on_error == "raise", timeout=self._trim.timeout)

    def _fuse(self, lists: Mapping[str, list[Candidate]]) -> Ranked:
        options = self._fusion
        fused = fuse(lists, method=options.method, k=options.k, weights=options.weights)
        ranked = Ranked(
            fused.order, fused.scores, {**dict.fromkeys(fused.order, options.method)}, fused.contributions
        )
        ranked.order = trim(ranked.order, ranked.scores, self._trim.min_score, self._trim.dropoff)
        return ranked

    async def _rerank(
        self,
        query: Query,
        ranked: Ranked,
        lists: dict[str, list[Candidate]],
        timings: dict[str, float],
        degraded: list[Degraded],
    ) -> dict[str, Any]:
        """Put the neural order of the first candidates in place of the fused one, or report why not."""
        if self._reranker is None and self._scorer is None:
            return {"action": "disabled"}
        prefix = ranked.order[: self._rerank_candidates]
        if not prefix or not query.text.strip():
            return {"action": "skipped", "reason": "no-text"} if prefix else {"action": "empty"}
        answers = await gather(
            [
                Call(
                    RERANK_STAGE,
                    lambda: self._second_opinion(query, ranked, lists, list(prefix)),
                    lambda rows: check_permutation(RERANK_STAGE, rows, prefix),
                )
            ],
            strict=self._on_error == "raise",
            timeout=self._trim.timeout,
        )
        timings.update(answers.milliseconds)
        degraded.extend(answers.degraded)
        if answers.degraded:
            return {"action": "failed", "reason": answers.degraded[0].reason}
        joined = join_neural(ranked.order, answers.values[RERANK_STAGE], method="replace", k=0, weight=1)
        ranked.order = joined.order
        ranked.scores.update(joined.scores)
        for id in prefix:
            ranked.kinds[id] = "neural"
            ranked.because(id, "reranked")
        return {"action": "applied", "candidates": len(prefix)}

    async def _second_opinion(
        self, query: Query, ranked: Ranked, lists: dict[str, list[Candidate]], prefix: list[str]
    ) -> Sequence[Candidate]:
        if self._scorer is None:
            assert self._reranker is not None
            return await resolve(self._reranker.rerank(query, prefix))
        assert self._text_for is not None
        texts: list[str] = []
        for hit in page_of_hits(ranked, lists, 0, len(prefix)):
            text: Any = await resolve(self._text_for(hit))
            if not isinstance(text, str):
                raise SourceError(RERANK_STAGE, f"no text for {hit.id!r}: text_for gave {text!r}")
            texts.append(text)
        scorer = await self._scorer.get()
        return best_first(prefix, await pair_scores(scorer, query.text, texts))


def _by_name(retrievers: Sequence[Retriever]) -> dict[str, Retriever]:
    if not 1 <= len(retrievers) <= MAX_LISTS:
        raise InvalidOption("retrievers", len(retrievers), f"1 to {MAX_LISTS} retrievers")
    found: dict[str, Retriever] = {}
    for retriever in retrievers:
        name: Any = getattr(retriever, "name", None)
        if not isinstance(name, str) or not name or not callable(getattr(retriever, "retrieve", None)):
            raise InvalidOption(
                "retrievers", retriever, "objects with a name and retrieve(query, limit=, ids=)"
            )
        if name in found or name == RERANK_STAGE:
            raise InvalidOption("retrievers", name, f"names that differ from each other and {RERANK_STAGE!r}")
        found[name] = retriever
    return found
