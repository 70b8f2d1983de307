"""CPython: `tokenizers` and `onnxruntime`, each session on a thread of its own.

One worker thread a session serves its calls in the order they came, from any event loop, and leaves
the loop free meanwhile (onnxruntime works without the GIL).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from hinny.errors import MissingExtra, ModelError
from hinny.platform.base import Platform

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hinny.models.store import ModelStore

T = TypeVar("T")


class _Worker:
    """A tokenizer or a session, and the thread that works on it."""

    def __init__(self, thing: Any, executor: ThreadPoolExecutor) -> None:
        self.thing = thing
        self._executor = executor

    async def call(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def close(self) -> None:
        # A last task runs after all accepted ones; shutting down then has nothing to wait for.
        await self.call(lambda: None)
        self._executor.shutdown(wait=False)


class CPythonRuntime:
    """A `ModelRuntime`. `threads` is what one session may use; None leaves it to onnxruntime."""

    def __init__(self, threads: int | None = None) -> None:
        self._threads = threads
        self._workers: dict[int, _Worker] = {}
        self._handles = itertools.count(1)

    async def load_tokenizer(self, data: bytes, config: bytes | None = None) -> int:
        """See `ModelRuntime`. All that matters is in `data`; `config` is read by the browser's library."""
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtra("tokenizers", "models", "running a model") from None

        def load() -> Any:
            tokenizer = Tokenizer.from_buffer(data)
            # A tokenizer.json may carry its author's settings; cutting and filling are done above.
            tokenizer.no_padding()
            tokenizer.no_truncation()
            return tokenizer

        return await self._start("tokenizer", load)

    async def tokenize(
        self, tokenizer: int, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> list[list[int]]:
        """See `ModelRuntime`."""
        worker = self._worker(tokenizer)
        batch = list(texts)

        def work() -> list[list[int]]:
            encoded = worker.thing.encode_batch(batch, add_special_tokens=add_special_tokens)
            return [list(item.ids) for item in encoded]

        return await worker.call(work)

    async def load_session(
        self, graph: bytes, external: Mapping[str, NDArray[np.generic]] | None = None
    ) -> int:
        """See `ModelRuntime`."""
        try:
            import onnxruntime
        except ImportError:
            raise MissingExtra("onnxruntime", "models", "running a model") from None
        import numpy as np

        def load() -> Any:
            options = onnxruntime.SessionOptions()
            options.log_severity_level = 3  # warnings here speak of how a graph was written
            if self._threads is not None:
                options.intra_op_num_threads = self._threads
            if external:
                # onnxruntime copies nothing here: it reads the arrays while the session is made.
                arrays = {name: np.ascontiguousarray(array) for name, array in external.items()}
                options.add_external_initializers_from_files_in_memory(
                    list(arrays),
                    [a.reshape(-1).view(np.uint8) for a in arrays.values()],
                    [a.nbytes for a in arrays.values()],
                )
            return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

        return await self._start("graph", load)

    async def run(
        self, session: int, inputs: Mapping[str, NDArray[np.generic]]
    ) -> dict[str, NDArray[np.generic]]:
        """See `ModelRuntime`."""
        worker = self._worker(session)
        feed = dict(inputs)

        def work() -> dict[str, NDArray[np.generic]]:
            names = [output.name for output in worker.thing.get_outputs()]
            return dict(zip(names, worker.thing.run(names, feed), strict=True))

        try:
            return await worker.call(work)
        except Exception as error:
            raise ModelError(f"the model failed: {error}") from error

    async def input_names(self, session: int) -> list[str]:
        """See `ModelRuntime`."""
        return [item.name for item in self._worker(session).thing.get_inputs()]

    async def release(self, handle: int) -> None:
        """See `ModelRuntime`."""
        worker = self._workers.pop(handle, None)
        if worker is not None:
            await worker.close()

    async def _start(self, what: str, load: Callable[[], Any]) -> int:
        executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"hinny-{what}")
        try:
            thing = await asyncio.get_running_loop().run_in_executor(executor, load)
        except Exception as error:
            executor.shutdown(wait=False)
            raise ModelError(f"the {what} cannot be loaded: {error}") from error
        handle = next(self._handles)
        self._workers[handle] = _Worker(thing, executor)
        return handle

    def _worker(self, handle: int) -> _Worker:
        try:
            return self._workers[handle]
        except KeyError:
            raise ModelError(f"there is no tokenizer or session {handle}: it was released") from None


def cpython_platform(store: ModelStore | None = None, *, threads: int | None = None) -> Platform:
    """The platform of scripts and builds; `store` defaults to the user's model cache."""
    from hinny.models.store import ModelStore

    return Platform("cpython", CPythonRuntime(threads), store or ModelStore())
