"""The neural factories of an opened bundle: what they are made of is opened once, and shared.

A source needs its parts and its model, a reranker its model. All come in the background, once a search asks
for a factory that uses them; until then, and when one of them fails, the others answer and the answer says
what is missing. A question that the bundle recorded needs no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from hinny.errors import HinnyError
from hinny.factories import ProgressiveSearch, create_progressive_search
from hinny.models.encoders import manifest_pin
from hinny.protocols import PartSource, Retriever, resolve
from hinny.site.factories import RECORDED, SOURCES_OF, model_of, reranker_of
from hinny.site.factory_sources import Member, SectionReranker, Source, TextsOf
from hinny.site.neural import recorded_rows

if TYPE_CHECKING:
    from hinny.dense.ids import IdRows
    from hinny.models.pins import ModelPin
    from hinny.platform.base import Platform

Changed = Callable[[str, str, str], Any]
"""Called with a factory, its state and a message: a `FactoryChange` of worker/src/api.ts."""


class FactorySession:
    """Opens what a bundle's neural factories need, when they are asked for."""

    def __init__(
        self,
        bundle: PartSource,
        models: Mapping[str, Any],
        ids: Callable[[], Sequence[str]],
        lexical: Retriever,
        platform: Platform,
        *,
        texts: TextsOf,
        changed: Changed | None = None,
        questions: Callable[[], Awaitable[Mapping[str, str]]] | None = None,
    ) -> None:
        """`models` is the manifest's; `ids` gives the sections' ids by row, and is asked once.

        `texts` gives what a reranker reads, `questions` the texts of the bundle's recorded questions by id,
        in their order.
        """
        self._bundle = bundle
        self._models = models
        self._ids = ids
        self._lexical = lexical
        self._platform = platform
        self._texts = texts
        self._changed = changed
        self._questions = questions
        self._rows: IdRows | None = None
        self._sources: dict[str, Source] = {}
        self._reranker: SectionReranker | None = None
        self._searches: dict[str, ProgressiveSearch] = {}
        self._coming: dict[str, asyncio.Task[None]] = {}

    def search(self, factory: str) -> ProgressiveSearch:
        """The factory's search, which answers by words until its sources are there."""
        found = self._searches.get(factory)
        if found is None:
            rerank = reranker_of(factory, self._models) is not None
            found = create_progressive_search(
                factory, self._lexical, rerank=rerank, defaults={"exact": "promote"}
            )
            self._searches[factory] = found
            for member in self._members(factory):
                self._attach(found, member)
        return found

    def start(self, factory: str, *, again: bool = False) -> asyncio.Task[None]:
        """Bring what the factory needs here, in the background; harmless when it is.

        With `again`, what failed is tried at once, however recently it failed.
        """
        members = self._members(factory)
        if again:
            for member in members:
                member.forgive()
        coming = self._coming.get(factory)
        if coming is None or (coming.done() and not all(member.is_over for member in members)):
            coming = self._coming[factory] = asyncio.ensure_future(self._bring(factory, members))
        return coming

    async def ready(self, factory: str) -> None:
        """Wait until the factory is ready; what fails is reported by the searches."""
        await asyncio.shield(self.start(factory))

    async def record(self, factory: str) -> None:
        """Have the vectors of the bundle's recorded questions at hand: those need no model."""
        for name in SOURCES_OF[factory]:
            source = self._source(name)
            await source.open()
            await self._record(source)

    async def close(self) -> None:
        """Give back what the members hold, after the accepted work."""
        for coming in self._coming.values():
            coming.cancel()
        for member in (*self._sources.values(), self._reranker):
            if member is not None:
                await member.close()
        self._sources.clear()
        self._searches.clear()
        self._coming.clear()
        self._reranker = None

    def _members(self, factory: str) -> list[Member]:
        members: list[Member] = [self._source(name) for name in SOURCES_OF[factory]]
        id = reranker_of(factory, self._models)
        if id is not None:
            if self._reranker is None:
                self._reranker = SectionReranker(self._pin(id), self._platform, self._texts)
            members.append(self._reranker)
        return members

    def _source(self, name: str) -> Source:
        if name not in self._sources:
            pin = self._pin(model_of(name, self._models) or name)
            self._sources[name] = Source(
                name, pin, self._platform, bundle=self._bundle, rows=self._id_rows, opened=self._opened
            )
        return self._sources[name]

    def _pin(self, id: str) -> ModelPin:
        return manifest_pin(self._models, id)

    def _id_rows(self) -> IdRows:
        if self._rows is None:
            from hinny.dense.ids import IdRows

            self._rows = IdRows(self._ids())
        return self._rows

    async def _bring(self, factory: str, members: Sequence[Member]) -> None:
        on_their_way = [member for member in members if not member.is_over]
        waiting = len(on_their_way)

        async def bring(member: Member) -> None:
            nonlocal waiting
            await asyncio.shield(member.start())
            waiting -= 1
            for search in self._searches.values():
                self._attach(search, member)
            if member.error is None and waiting:
                self._tell(factory, "joined", member.name)

        await asyncio.gather(*map(bring, on_their_way))
        errors = [member.error for member in members if member.error is not None]
        messages = dict.fromkeys(str(error) or type(error).__name__ for error in errors)
        self._tell(factory, "failed" if errors else "ready", "; ".join(messages))

    async def _opened(self, source: Source, retriever: Retriever) -> None:
        for search in self._searches.values():
            self._attach(search, source)
        # The model answers these questions, too; who asks for a recorded one is told what is wrong.
        with suppress(HinnyError):
            await self._record(source)

    async def _record(self, source: Source) -> None:
        name = RECORDED[source.name]
        if source.recorded or name not in self._bundle.names or self._questions is None:
            return
        texts = list((await self._questions()).values())
        rows = recorded_rows(await resolve(self._bundle.read(name)), source.name, source.pin.fingerprint())
        source.recorded = dict(zip(texts, rows, strict=True))

    def _attach(self, search: ProgressiveSearch, member: Member) -> None:
        """Tell a search of what has come or failed."""
        if isinstance(member, SectionReranker):
            if search.reranker is not None and member.error is not None:
                search.reranker.fail(member.error)
            elif search.reranker is not None and member.is_over:
                search.reranker.set(member)
            return
        assert isinstance(member, Source)
        for pending in (search.vector, search.tokens):
            if pending is None or pending.name != member.name:
                continue
            if member.retriever is not None:
                pending.set(member.retriever)
            elif member.error is not None:
                pending.fail(member.error)

    def _tell(self, factory: str, state: str, message: str) -> None:
        if self._changed is not None:
            self._changed(factory, state, message)
