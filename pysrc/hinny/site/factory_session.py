"""The neural factories of an opened bundle: their sources are opened once, and shared.

A source needs its parts and its model. Both come in the background, once a search asks for a factory that
uses them; until then, and when one of them fails, words alone answer and the answer says why. A question
that the bundle recorded needs no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from hinny.errors import HinnyError, SourceLoading
from hinny.factories import ProgressiveSearch, create_progressive_search
from hinny.models.encoders import make_encoder, manifest_pin
from hinny.protocols import PartSource, Retriever, resolve
from hinny.records import Query
from hinny.site.factories import RECORDED, SOURCE_OF, VECTOR, model_of
from hinny.site.neural import recorded_rows

if TYPE_CHECKING:
    from hinny.dense.ids import IdRows
    from hinny.models.pins import ModelPin
    from hinny.platform.base import Platform

_RETRY = 15.0
"""Seconds after which a model that failed is tried again, when a search asks for it."""

Changed = Callable[[str, str, str], Any]
"""Called with a factory, `ready` or `failed`, and a message."""


class _Source:
    """One of the sources, on its way."""

    def __init__(self, name: str, pin: ModelPin, platform: Platform) -> None:
        self.name = name
        self.pin = pin
        self.encoder: Any = make_encoder(pin, platform, truncate=True)
        self.retriever: Retriever | None = None
        self.opening: asyncio.Task[Retriever] | None = None
        self.loading: asyncio.Task[None] | None = None
        self.error: Exception | None = None
        self.failed_at = 0.0
        self.recorded: dict[str, Any] = {}
        """Text to its vector or token matrix, for questions that the bundle recorded."""

    async def encode(self, text: str) -> Any:
        """A query's vector or token matrix; `SourceLoading` while the model is on its way."""
        if text in self.recorded:
            return self.recorded[text]
        if self.error is not None:
            raise self.error
        if not self.ready:
            raise SourceLoading(self.name, f"the model {self.pin.id} is still loading")
        if self.name == VECTOR:
            return await self.encoder.embed_query(text, truncate=True)
        return (await self.encoder.encode_queries([text], truncate=True))[0]

    @property
    def ready(self) -> bool:
        """Whether any text can be asked."""
        return self.retriever is not None and bool(self.encoder.loaded)


class FactorySession:
    """Opens what a bundle's neural factories need, when they are asked for."""

    def __init__(
        self,
        bundle: PartSource,
        models: Mapping[str, Any],
        ids: Callable[[], Sequence[str]],
        lexical: Retriever,
        platform: Platform,
        changed: Changed | None = None,
        questions: Callable[[], Awaitable[Mapping[str, str]]] | None = None,
    ) -> None:
        """`models` is the manifest's; `ids` gives the sections' ids by row, and is asked once.

        `questions` gives the texts of the bundle's recorded questions by id, in their order.
        """
        self._bundle = bundle
        self._models = models
        self._ids = ids
        self._lexical = lexical
        self._platform = platform
        self._changed = changed
        self._questions = questions
        self._rows: IdRows | None = None
        self._sources: dict[str, _Source] = {}
        self._searches: dict[str, ProgressiveSearch] = {}

    def search(self, factory: str) -> ProgressiveSearch:
        """The factory's search, which answers by words until its source is there."""
        found = self._searches.get(factory)
        if found is None:
            found = create_progressive_search(factory, self._lexical, defaults={"exact": "promote"})
            self._searches[factory] = found
            source = self._source(factory)
            if source.retriever is not None:
                self._set(found, source.retriever)
            elif source.error is not None:
                for pending in self._pending(source.name):
                    pending.fail(source.error)
        return found

    def start(self, factory: str) -> asyncio.Task[None]:
        """Bring the factory's model and parts here, in the background; harmless when they are."""
        source = self._source(factory)
        if source.error is not None and monotonic() - source.failed_at >= _RETRY:
            source.error, source.loading = None, None
        if source.loading is None:
            source.loading = asyncio.ensure_future(self._load(factory, source))
        return source.loading

    async def ready(self, factory: str) -> None:
        """Wait until the factory is ready; what fails is reported by the searches."""
        await asyncio.shield(self.start(factory))

    async def record(self, factory: str) -> None:
        """Have the vectors of the bundle's recorded questions at hand: those need no model."""
        source = self._source(factory)
        name = RECORDED[source.name]
        if source.recorded or name not in self._bundle.names or self._questions is None:
            return
        await self._open(source)
        texts = list((await self._questions()).values())
        rows = recorded_rows(await resolve(self._bundle.read(name)), source.name, source.pin.fingerprint())
        source.recorded = dict(zip(texts, rows, strict=True))

    async def close(self) -> None:
        """Give back what the sources hold, after the accepted work."""
        for source in self._sources.values():
            for task in (source.loading, source.opening):
                if task is not None and not task.done():
                    task.cancel()
            await source.encoder.dispose()
            close = getattr(source.retriever, "close", None)
            if close is not None:
                await resolve(close())
        self._sources.clear()
        self._searches.clear()

    def _source(self, factory: str) -> _Source:
        name = SOURCE_OF[factory]
        if name not in self._sources:
            pin = manifest_pin(self._models, model_of(name, self._models) or name)
            self._sources[name] = _Source(name, pin, self._platform)
        return self._sources[name]

    async def _load(self, factory: str, source: _Source) -> None:
        try:
            await asyncio.gather(self._parts(factory, source), source.encoder.load())
            # The first question makes the scan's session: ask it before a reader does.
            await resolve(self._retriever(source).retrieve(Query(source.pin.id), limit=1))
        except Exception as error:
            source.error, source.failed_at = error, monotonic()
            self._tell(factory, "failed", str(error) or type(error).__name__)
            if source.retriever is None:
                for pending in self._pending(source.name):
                    pending.fail(error)
        else:
            self._tell(factory, "ready", "")

    async def _parts(self, factory: str, source: _Source) -> None:
        await self._open(source)
        # The model answers these questions, too; who asks for a recorded one is told what is wrong.
        with suppress(HinnyError):
            await self.record(factory)

    async def _open(self, source: _Source) -> Retriever:
        """The retriever over the source's parts; opened once, and again after a failure."""
        if source.retriever is not None:
            return source.retriever
        if source.opening is None or source.opening.done():
            source.opening = asyncio.ensure_future(self._opened(source))
        source.retriever = await asyncio.shield(source.opening)
        for name, progress in self._searches.items():
            if SOURCE_OF.get(name) == source.name:
                self._set(progress, source.retriever)
        return source.retriever

    async def _opened(self, source: _Source) -> Retriever:
        from hinny.dense.ids import IdRows

        if self._rows is None:
            self._rows = IdRows(self._ids())
        options: dict[str, Any] = {
            "ids": self._rows,
            "fingerprint": source.pin.fingerprint(),
            "runtime": self._platform.runtime,
        }
        if source.name == VECTOR:
            from hinny.dense.retriever import VectorRetriever

            return await VectorRetriever.open(self._bundle, embed_query=source.encode, **options)
        from hinny.late.retriever import ColbertRetriever

        return await ColbertRetriever.open(self._bundle, encode_query=source.encode, **options)

    def _retriever(self, source: _Source) -> Retriever:
        assert source.retriever is not None
        return source.retriever

    def _pending(self, name: str) -> list[Any]:
        found = [
            getattr(progress, name)
            for factory, progress in self._searches.items()
            if SOURCE_OF.get(factory) == name
        ]
        return [pending for pending in found if pending is not None]

    def _set(self, progress: ProgressiveSearch, retriever: Retriever) -> None:
        for pending in (progress.vector, progress.tokens):
            if pending is not None and pending.name == retriever.name:
                pending.set(retriever)

    def _tell(self, factory: str, state: str, message: str) -> None:
        if self._changed is not None:
            self._changed(factory, state, message)
