"""Two models in one pass: an embedder, and a late-interaction model that projects the same token states.

`minilm-l6-late64` is `minilm-l6-int8` with one product at its end, so the states of a text need not be
computed twice. The encoders themselves are the shipped ones; only the session under them is shared, and it
remembers what it answered until it is told to forget.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from numpy.typing import NDArray

from hinny.platform.cpython import CPythonRuntime

Outputs = dict[str, NDArray[np.generic]]


def joined_graph(embedder: bytes, late: bytes) -> bytes | None:
    """The late-interaction graph with the embedder's output beside its own.

    None where the embedder is not, node by node and weight by weight, how the other begins.
    """
    short, long = onnx.load_from_string(embedder), onnx.load_from_string(late)
    weights = {item.name: item.SerializeToString() for item in long.graph.initializer}
    if any(weights.get(item.name) != item.SerializeToString() for item in short.graph.initializer):
        return None
    body, ending = short.graph.node[:-1], short.graph.node[-1]
    begins = [node.SerializeToString() for node in long.graph.node[: len(body)]]
    if begins != [node.SerializeToString() for node in body]:
        return None
    ending.name = ""  # names are unique in a graph, and optional
    long.graph.node.append(ending)
    long.graph.output.extend(short.graph.output)
    joined: bytes = long.SerializeToString()
    return joined


class SharedRuntime(CPythonRuntime):
    """A runtime whose two models are one session where their graphs allow it."""

    def __init__(self, graphs: tuple[bytes, bytes], threads: int | None = None) -> None:
        super().__init__(threads)
        self._graphs = graphs
        self._joined = joined_graph(*graphs)
        self._session: int | None = None
        self._known: dict[tuple[bytes, ...], Outputs] = {}

    @property
    def shares(self) -> bool:
        """Whether one pass serves both models."""
        return self._joined is not None

    async def load_session(
        self, graph: bytes, external: Mapping[str, NDArray[np.generic]] | None = None
    ) -> int:
        """See `ModelRuntime`; both models get the same session."""
        if self._joined is None or graph not in self._graphs:
            return await super().load_session(graph, external)
        if self._session is None:
            self._session = await super().load_session(self._joined, external)
        return self._session

    async def run(self, session: int, inputs: Mapping[str, NDArray[np.generic]]) -> Outputs:
        """See `ModelRuntime`; the same input is computed once until `forget`."""
        if session != self._session:
            return await super().run(session, inputs)
        key: tuple[bytes, ...] = tuple(
            part
            for name in sorted(inputs)
            for part in (str(inputs[name].shape).encode(), inputs[name].tobytes())
        )
        if key not in self._known:
            self._known[key] = await super().run(session, inputs)
        return self._known[key]

    def forget(self) -> None:
        """Let go of what was remembered."""
        self._known.clear()

    async def release(self, handle: int) -> None:
        """See `ModelRuntime`; a shared session goes with its first release, when both models are done."""
        if handle == self._session:
            self._session = None
            self.forget()
        elif handle not in self._workers:
            return  # the shared session, released a second time
        await super().release(handle)
