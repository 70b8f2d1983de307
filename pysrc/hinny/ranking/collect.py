"""Ask the sources what the options say to ask: all at once for fusion, one after the other in a cascade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from hinny.protocols import ExactMatcher
from hinny.ranking.checks import check_candidates, check_ids
from hinny.ranking.gather import Call, gather
from hinny.ranking.options import SearchOptions
from hinny.ranking.short_text import short_text_route
from hinny.ranking.sources import EXACT_STAGE, LEXICAL, TOKENS, Sources
from hinny.records import Candidate, Degraded, Query


class Collected:
    """What the sources answered to one query."""

    __slots__ = ("degraded", "failed", "lists", "literal", "route", "stages", "timings")

    def __init__(self) -> None:
        self.lists: dict[str, list[Candidate]] = {}
        """By source, in the order in which the search names them; a failed source is absent."""
        self.literal: list[str] = []
        """Ids that equal the query literally, inside the exact window."""
        self.route: dict[str, Any] | None = None
        self.stages: tuple[str, str] | None = None
        """A cascade's first and second source; None for fusion."""
        self.timings: dict[str, float] = {}
        self.degraded: list[Degraded] = []
        self.failed: set[str] = set()


class Collector:
    """Asks for one query."""

    def __init__(self, sources: Sources, query: Query, options: SearchOptions) -> None:
        self.sources = sources
        self.query = query
        self.options = options
        self.has_text = bool(query.text.strip())
        self.found = Collected()

    async def collect(self) -> Collected:
        """Everything that the strategy needs, checked."""
        if self.options.strategy == "fusion":
            await self._fusion()
        else:
            await self._cascade()
        found = self.found
        found.lists = {name: found.lists[name] for name in self.sources.by_name if name in found.lists}
        return found

    async def _fusion(self) -> None:
        names = [name for name in self.sources.by_name if self._can_ask(name)]
        # Models first: they are at work while the synchronous sources scan.
        names.sort(key=lambda name: name == LEXICAL)
        calls = [self._retrieve(name) for name in names]
        exact = [self._exact(None, self.options.exact_candidates)] if self._wants_exact else []
        route, semantic = self._route(), self.sources.semantic
        if route is not None and semantic is not None:
            await self._ask([self._retrieve(semantic), *exact])
            if semantic in self.found.lists:
                self.found.route = route
                return
            # Fail-open: the source that was to answer alone could not, so the others do.
            calls, exact = [call for call in calls if call.source != semantic], []
        await self._ask([*calls, *exact])

    async def _cascade(self) -> None:
        semantic = cast(str, self.sources.semantic)
        vector_first = self.options.strategy == "vector-first"
        first, second = (semantic, LEXICAL) if vector_first else (LEXICAL, semantic)
        self.found.stages = (first, second)
        if not self._can_ask(first):
            return
        await self._ask([self._retrieve(first)])
        if first in self.found.failed:
            # Fail-open: nothing chose a pool, so the second source answers within its own budget.
            exact = [self._exact(None, self.options.exact_candidates)] if self._wants_exact else []
            await self._ask([*([self._retrieve(second)] if self._can_ask(second) else []), *exact])
            return
        pool = [row.id for row in self.found.lists[first]]
        if not pool:
            return
        calls = [self._rescore(second, pool)] if self._can_ask(second) else []
        if self._wants_exact:
            calls.append(self._exact(pool, len(pool)))
        await self._ask(calls)

    async def _ask(self, calls: Sequence[Call]) -> None:
        options, found = self.options, self.found
        answers = await gather(calls, strict=options.on_error == "raise", timeout=options.timeout)
        found.timings.update(answers.milliseconds)
        found.degraded.extend(answers.degraded)
        found.failed.update(report.source for report in answers.degraded)
        found.literal.extend(answers.values.pop(EXACT_STAGE, ()))
        found.lists.update(answers.values)

    @property
    def _wants_exact(self) -> bool:
        return self.options.exact is not None and self.has_text

    def _can_ask(self, name: str) -> bool:
        """A query without text can only be asked of sources that know what to do with a vector."""
        return self.has_text or name not in (LEXICAL, TOKENS)

    def _retrieve(self, name: str) -> Call:
        source, query, ids = self.sources.by_name[name], self.query, self.options.ids
        limit = self.options.budget(name)
        return Call(
            name,
            lambda: source.retrieve(query, limit=limit, ids=ids),
            lambda rows: check_candidates(name, rows, limit=limit, ids=ids),
        )

    def _rescore(self, name: str, pool: list[str]) -> Call:
        """A score for a given pool: by the source's own ability, else a retrieval within the pool."""
        source, query, scope = self.sources.by_name[name], self.query, frozenset(pool)

        def check(rows: Any) -> list[Candidate]:
            return check_candidates(name, rows, limit=len(pool), ids=scope)

        if (rescorer := self.sources.rescorer(name)) is not None:
            return Call(name, lambda: rescorer.rescore(query, list(pool)), check)
        return Call(name, lambda: source.retrieve(query, limit=len(pool), ids=scope), check)

    def _exact(self, pool: list[str] | None, limit: int) -> Call:
        source, query = cast(ExactMatcher, self.sources.exact_matcher), self.query
        ids = self.options.ids if pool is None else frozenset(pool)
        return Call(
            EXACT_STAGE,
            lambda: source.exact(query, limit=limit, ids=ids),
            lambda answer: check_ids(EXACT_STAGE, answer, limit=limit, ids=ids),
        )

    def _route(self) -> dict[str, Any] | None:
        if self.options.vector_only_below is None or self.sources.semantic is None:
            return None
        if not self._can_ask(self.sources.semantic):
            return None
        measure = getattr(self.sources.lexical, "average_length", None)
        return short_text_route(measure() if callable(measure) else None, self.options.vector_only_below)
