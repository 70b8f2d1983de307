"""The order of the steps, for one query.

    collect -> weights -> order (fusion or cascade) -> trim -> exact, coverage -> neural stage
            -> exact, coverage again -> weak-lexical promotion -> page

Exact promotion and coverage come before the neural stage, so that it sees the order that they ask for and
a conflict is raised before a model is paid for, and after it, because it may have moved what they placed.
Weak-lexical promotion has the last word behind exact matches; where it pushes a reserved candidate out of
the coverage window, coverage is applied once more behind it. Every step decides on the whole candidate
order; the page is cut last and widens nothing.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from hinny.protocols import MatchShare, Reranker
from hinny.ranking import adapt
from hinny.ranking.balance import balance, reserve
from hinny.ranking.cascade import cascade_replace
from hinny.ranking.checks import check_candidates, check_permutation
from hinny.ranking.collect import Collected, Collector
from hinny.ranking.exact import promote_exact
from hinny.ranking.fusion import fuse
from hinny.ranking.gather import Call, gather
from hinny.ranking.margin import margin_skip
from hinny.ranking.neural import join_neural
from hinny.ranking.options import RerankOptions, SearchOptions
from hinny.ranking.ranked import Ranked, ids_by_source
from hinny.ranking.response import build_response, empty_response
from hinny.ranking.sources import LEXICAL, RERANK_STAGE, Sources
from hinny.ranking.trim import trim
from hinny.ranking.weak_lexical import decide, early_reason, promote_first, unavailable, vector_gap
from hinny.records import Query, SearchResponse


async def run_pipeline(
    sources: Sources, reranker: Reranker | None, query: Query, options: SearchOptions
) -> SearchResponse:
    """Answer one query; the options are valid for these sources."""
    if options.limit == 0 or query.is_empty or (options.ids is not None and not options.ids):
        return empty_response(options, reranks=reranker is not None and options.rerank is not False)
    return await Pipeline(sources, reranker, query, options).run()


class Pipeline:
    """One query's way through the steps."""

    def __init__(
        self, sources: Sources, reranker: Reranker | None, query: Query, options: SearchOptions
    ) -> None:
        self.sources = sources
        self.reranker = reranker
        self.query = query
        self.options = options
        self.found = Collected()
        self.ranked = Ranked([], {}, {})
        self.timings: dict[str, float] = {}
        self.reserved: dict[str, list[str]] = {}
        self.weights = sources.weights(options.fusion)
        self.shares: dict[str, tuple[float, ...] | None] = {}

    async def run(self) -> SearchResponse:
        """All steps, timed."""
        started = perf_counter()
        self.found = await Collector(self.sources, self.query, self.options).collect()
        self.timings = self.found.timings
        weights = await self._adapt()
        mark = perf_counter()
        self.ranked = self._order()
        self._trim()
        mark = self._took("fusion", mark)
        self._exact()
        self._reserve()
        self._policies()
        mark = self._took("policies", mark)
        decision = await self._neural()
        mark = perf_counter()
        if decision["action"] == "applied":
            self._policies()
        weak = await self._weak_lexical()
        self.timings["policies"] += (perf_counter() - mark) * 1000
        self.timings["total"] = (perf_counter() - started) * 1000
        decisions = {"rerank_decision": decision, "weak_lexical": weak, "weights_decision": weights}
        return build_response(self.sources, self.options, self.found, self.ranked, decisions)

    def _took(self, stage: str, since: float) -> float:
        now = perf_counter()
        self.timings[stage] = (now - since) * 1000
        return now

    async def _adapt(self) -> dict[str, Any]:
        floor, matcher = self.options.fusion.adapt, self.sources.share_matcher
        if floor is None:
            return {"action": "disabled"}
        words = self.found.lists.get(LEXICAL, [])
        reason = adapt.early_reason(self.options, self.found.lists, supported=matcher is not None)
        if reason is not None or matcher is None:
            return adapt.not_adapted(reason or "unsupported")
        answer = await self._match_share(matcher, words[0].id)
        if not answer:
            return adapt.not_adapted("error" if answer is None else "no-words")
        factor = adapt.factor(answer[0], floor)
        self.weights = adapt.adapted(self.weights, factor)
        return {"action": "applied", "share": answer[0], "factor": factor}

    def _order(self) -> Ranked:
        found, lists = self.found, self.found.lists
        if found.stages is not None and not found.failed.intersection(found.stages):
            return self._cascade_order(*found.stages)
        alone = found.route is not None or len(self.sources.by_name) == 1 or found.stages is not None
        if alone and len(lists) <= 1:
            for name, rows in lists.items():
                return Ranked.of_list(rows, self.sources.kind(name))
            return Ranked([], {}, {})
        return self._fused_order()

    def _fused_order(self) -> Ranked:
        options = self.options.fusion
        fused = fuse(self.found.lists, method=options.method, k=options.k, weights=self.weights)
        kinds = dict.fromkeys(fused.order, options.method)
        return Ranked(fused.order, fused.scores, {**kinds}, fused.contributions)

    def _cascade_order(self, first: str, second: str) -> Ranked:
        lists = self.found.lists
        pool, scored = lists.get(first, []), lists.get(second)
        if scored is None:  # not asked (a query without text): the first stage's order stands
            return Ranked.of_list(pool, self.sources.kind(first))
        keep = self.options.unmatched == "keep"
        order, matched = cascade_replace(pool, scored, keep_unmatched=keep)
        if self.options.cascade == "fuse":
            ranked = self._fused_order()
            ranked.order = [id for id in ranked.order if id in set(order)]
        else:
            ranked = Ranked.of_list(pool, self.sources.kind(first))
            ranked.order = order
            ranked.scores.update((row.id, row.score) for row in scored)
            ranked.kinds.update((row.id, self.sources.kind(second)) for row in scored)
        for id in order[matched:]:
            ranked.because(id, f"unmatched:{second}")
        return ranked

    def _trim(self) -> None:
        ranked, options = self.ranked, self.options
        ranked.order = trim(ranked.order, ranked.scores, options.min_score, options.dropoff)

    def _exact(self) -> None:
        """Take up literal matches: in fusion any inside the exact window, in a cascade what it retained."""
        ranked = self.ranked
        present = set(ranked.order)
        injects = self.found.stages is None or self.found.stages[0] in self.found.failed
        for id in self.found.literal:
            if id not in present:
                if not injects:
                    continue
                ranked.inject(id, self.options.fusion.method)
            ranked.exact.add(id)
            ranked.because(id, "exact")

    def _reserve(self) -> None:
        options = self.options.balance
        if options is not None:
            counts = self.sources.counts(options)
            self.reserved = reserve(self.ranked.order, ids_by_source(self.found.lists), counts)

    def _policies(self, promoted: str | None = None) -> None:
        ranked, options = self.ranked, self.options.balance
        if promoted is None:
            ranked.order = promote_exact(ranked.order, ranked.exact)
        if options is None:
            return
        ahead = ranked.exact if promoted is None else {*ranked.exact, promoted}
        below = set(ranked.order[options.window :])
        ranked.order = balance(ranked.order, self.reserved, window=options.window, ahead=ahead)
        for id in ranked.order[: options.window]:
            if id in below:
                for source in self.reserved.get(id, ()):
                    ranked.because(id, f"balance:{source}")

    async def _neural(self) -> dict[str, Any]:
        ranked, options = self.ranked, self.options.rerank
        if self.reranker is None or options is False:
            return {"action": "disabled"}
        if self.found.route is not None:
            return {"action": "skipped", "reason": "short-documents"}
        if not ranked.order:
            return {"action": "empty"}
        if not self.query.text.strip():
            return {"action": "skipped", "reason": "no-text"}
        if (skip := self._margin(options)) is not None:
            ranked.because(ranked.order[0], f"rerank-skipped:{skip['reason']}")
            return skip
        return await self._rerank(self.reranker, options)

    def _margin(self, options: RerankOptions) -> dict[str, Any] | None:
        found, semantic = self.found, self.sources.semantic
        if options.margin is None or semantic is None or semantic not in found.lists:
            return None
        lexical = None if LEXICAL in found.failed else found.lists.get(LEXICAL, [])
        return margin_skip(self.ranked.order[0], found.lists[semantic], lexical, options.margin)

    async def _rerank(self, reranker: Reranker, options: RerankOptions) -> dict[str, Any]:
        ranked, query = self.ranked, self.query
        prefix = ranked.order[: options.candidates]
        answers = await gather(
            [
                Call(
                    RERANK_STAGE,
                    lambda: reranker.rerank(query, list(prefix)),
                    lambda rows: check_permutation(RERANK_STAGE, rows, prefix),
                )
            ],
            strict=self.options.on_error == "raise",
            timeout=self.options.timeout,
        )
        self.timings.update(answers.milliseconds)
        if answers.degraded:
            self.found.degraded.extend(answers.degraded)
            return {"action": "failed", "reason": answers.degraded[0].reason}
        neural = answers.values[RERANK_STAGE]
        joined = join_neural(ranked.order, neural, method=options.method, k=options.k, weight=options.weight)
        ranked.order, ranked.rerank = joined.order, joined.contributions
        ranked.scores.update(joined.scores)
        ranked.kinds.update(
            dict.fromkeys(joined.scores, "neural" if options.method == "replace" else "rerank-rrf")
        )
        for id in prefix:
            ranked.because(id, "reranked")
        return {"action": "applied", "candidates": len(prefix)}

    async def _weak_lexical(self) -> dict[str, Any]:
        options = self.options.weak_lexical
        if options is None:
            return {"action": "disabled"}
        sources, lists, matcher = self.sources, self.found.lists, self.sources.share_matcher
        words = lists.get(LEXICAL, [])
        vector = lists.get(sources.semantic or "", [])
        present = set(self.ranked.order)
        reason = early_reason(
            fusion=self.options.strategy == "fusion",
            lexical=words,
            vector=vector if vector and vector[0].id in present else [],
            supported=matcher is not None,
        )
        if reason is not None or matcher is None:
            return unavailable(reason or "unsupported")
        first, best = words[0].id, vector[0].id
        answer = await self._match_share(matcher, first)
        if answer is None:
            return unavailable("error")
        if not answer:
            return unavailable("no-words")
        gap, bound = await vector_gap(first, vector, self._rescore_one)
        decision = decide(first, best, answer[0], gap, bound, options)
        if decision["action"] == "promoted":
            self.ranked.order = promote_first(self.ranked.order, best, self.ranked.exact)
            self.ranked.because(best, "weak-lexical")
            self._policies(promoted=best)
        return decision

    async def _match_share(self, matcher: MatchShare, id: str) -> tuple[float, ...] | None:
        """The share in a tuple, empty where no word can be searched; None where the source fails open."""
        if id not in self.shares:
            query = self.query
            call = Call(LEXICAL, lambda: matcher.match_share(query, id), _share)
            self.shares[id] = await self._ask_again(LEXICAL, call)
        return self.shares[id]

    async def _rescore_one(self, id: str) -> float | None:
        """The semantic source's score of one document, None where it cannot tell."""
        name, query = self.sources.semantic or "", self.query
        rescorer = self.sources.rescorer(name)
        if rescorer is None:
            return None
        call = Call(
            name,
            lambda: rescorer.rescore(query, [id]),
            lambda rows: check_candidates(name, rows, limit=1, ids=(id,)),
        )
        rows = await self._ask_again(name, call)
        return rows[0].score if rows else None

    async def _ask_again(self, name: str, call: Call) -> Any:
        """One more question to a source that has answered; None, and a report, where it fails open."""
        answers = await gather([call], strict=self.options.on_error == "raise", timeout=self.options.timeout)
        self.timings[name] = self.timings.get(name, 0.0) + sum(answers.milliseconds.values())
        self.found.degraded.extend(answers.degraded)
        return answers.values.get(name)


def _share(value: Any) -> tuple[float, ...]:
    """The share in a tuple, empty where no word can be searched."""
    if value is None:
        return ()
    rows = check_candidates(LEXICAL, [("share", value)])
    return (rows[0].score,)
