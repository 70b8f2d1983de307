"""A model's tokenizer and session, loaded at the first use and let go of in order.

Calls that come while the first one loads share that load; one that failed is forgotten, so the next
call tries again. `dispose()` takes no new work, waits for the accepted, then frees both handles.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hinny.errors import ModelError
from hinny.models.pins import ModelPin
from hinny.platform.base import Platform
from hinny.protocols import ModelRuntime

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class LoadedModel:
    """What the three encoders stand on."""

    def __init__(self, pin: ModelPin, platform: Platform) -> None:
        self.pin = pin
        self._platform = platform
        self._handles: _Handles | None = None
        self._loading: asyncio.Task[_Handles] | None = None
        self._working = 0
        self._idle: list[asyncio.Future[None]] = []
        self._disposed = False

    @property
    def loaded(self) -> bool:
        """Whether the session is ready."""
        return self._handles is not None

    async def load(self) -> None:
        """Load now what the first call would load."""
        async with _Work(self):
            await self._ready()

    async def tokenize(self, texts: Sequence[str], *, add_special_tokens: bool = True) -> list[list[int]]:
        """Token ids of each text, neither cut nor filled."""
        async with _Work(self):
            handles = await self._ready()
            return await self._platform.runtime.tokenize(
                handles.tokenizer, texts, add_special_tokens=add_special_tokens
            )

    async def run(
        self, ids: NDArray[np.int64], mask: NDArray[np.int64], types: NDArray[np.int64] | None = None
    ) -> NDArray[np.float32]:
        """The pinned output for token ids, mask and types [n, tokens]; types default to zeros."""
        import numpy as np

        async with _Work(self):
            handles = await self._ready()
            offered: dict[str, NDArray[np.int64]] = {
                "input_ids": ids,
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(ids) if types is None else types,
            }
            feed: Mapping[str, NDArray[Any]] = {name: offered[name] for name in handles.inputs}
            outputs = await self._platform.runtime.run(handles.session, feed)
            if self.pin.output not in outputs:
                raise ModelError(
                    f"{self.pin.id} has no output {self.pin.output!r}, it gives {', '.join(sorted(outputs))}"
                )
            return np.asarray(outputs[self.pin.output], dtype=np.float32)

    async def dispose(self) -> None:
        """Free the model after the work that was accepted; harmless when called again."""
        self._disposed = True
        while self._working:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._idle.append(waiter)
            await waiter
        loading, self._loading = self._loading, None
        if loading is not None and loading.get_loop() is asyncio.get_running_loop():
            # Everyone who waited for this load gave up; it may still be under way, or just done.
            loading.cancel()
            await asyncio.wait([loading])
            if not loading.cancelled() and loading.exception() is None:
                self._handles = loading.result()
        handles, self._handles = self._handles, None
        if handles is not None:
            await self._platform.runtime.release(handles.session)
            await self._platform.runtime.release(handles.tokenizer)

    async def _ready(self) -> _Handles:
        if self._handles is not None:
            return self._handles
        loading = self._loading
        if loading is None or loading.get_loop() is not asyncio.get_running_loop():
            loading = asyncio.ensure_future(_load(self.pin, self._platform))
            self._loading = loading
        try:
            # Shielded: one caller that gives up must not take the load from the others.
            self._handles = await asyncio.shield(loading)
        finally:
            if loading.done() and self._loading is loading:
                self._loading = None
        return self._handles

    def _begin(self) -> None:
        if self._disposed:
            raise ModelError(f"{self.pin.id} was disposed: make a new one")
        self._working += 1

    def _end(self) -> None:
        self._working -= 1
        if not self._working:
            for waiter in self._idle:
                if not waiter.done():
                    waiter.set_result(None)
            self._idle.clear()


class _Work:
    """Counts a call in and out, so that `dispose` knows when the last has ended."""

    def __init__(self, model: LoadedModel) -> None:
        self._model = model

    async def __aenter__(self) -> None:
        self._model._begin()

    async def __aexit__(self, *details: object) -> None:
        self._model._end()


class _Handles:
    def __init__(self, tokenizer: int, session: int, inputs: list[str]) -> None:
        self.tokenizer = tokenizer
        self.session = session
        self.inputs = inputs


async def _load(pin: ModelPin, platform: Platform) -> _Handles:
    """Everything at once: the runtime's own start, the tokenizer, the graph."""
    runtime = platform.runtime
    starting = asyncio.ensure_future(_start(runtime))
    parts = [asyncio.ensure_future(each) for each in (_tokenizer(pin, platform), _session(pin, platform))]
    try:
        tokenizer, session = await asyncio.gather(*parts)
    except BaseException:
        for part in parts:
            part.cancel()
        for done in await asyncio.gather(*parts, return_exceptions=True):
            if not isinstance(done, BaseException):
                await runtime.release(done)
        raise
    finally:
        starting.cancel()
    names = await runtime.input_names(session)
    unknown = sorted(set(names) - {"input_ids", "attention_mask", "token_type_ids"})
    if unknown or "input_ids" not in names:
        await runtime.release(session)
        await runtime.release(tokenizer)
        raise ModelError(f"{pin.id} takes {', '.join(names)}: only text models are run here")
    return _Handles(tokenizer, session, names)


async def _start(runtime: ModelRuntime) -> None:
    """Some runtimes have work to do before any model comes."""
    start = getattr(runtime, "start", None)
    if start is not None:
        await start()


async def _tokenizer(pin: ModelPin, platform: Platform) -> int:
    files = platform.files
    data = await files.read(pin, "tokenizer")
    handle = await platform.runtime.load_tokenizer(data, await files.read(pin, "tokenizer_config"))
    from hinny.models.pooling import rehearse

    rehearse(pin.dimensions)  # the graph takes longer to come: there is time now, and none later
    return handle


async def _session(pin: ModelPin, platform: Platform) -> int:
    return await platform.runtime.load_session(await platform.files.read(pin, "graph"))
