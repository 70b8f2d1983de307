"""The browser: tokenizers and onnxruntime-web through the worker (worker/src/sessions.ts, models/store.ts).

Nothing here imports `js`: the worker hands its objects in. Arrays cross once each way, as bytes; a
model's files and graphs stay in JavaScript, Python only holds a reference to them.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hinny.errors import FetchFailed, IntegrityError, ModelError, OfflineError
from hinny.kernels.base import PackedRows
from hinny.platform.base import ModelData, Platform

if TYPE_CHECKING:
    from hinny.models.pins import ModelPin, Role


class OutputBytes(Protocol):
    """A JavaScript `Uint8Array`."""

    def to_bytes(self) -> bytes:
        """A copy on Python's heap."""


class Outputs(Protocol):
    """What a run gives (sessions.ts)."""

    @property
    def specs(self) -> str:
        """JSON: name, type and dims of each output."""

    @property
    def data(self) -> Sequence[OutputBytes]:
        """Their bytes, in the same order."""


class SessionHost(Protocol):
    """`Sessions` of worker/src/sessions.ts."""

    def take(self, buffer: Any) -> int:
        """Copy a buffer to JavaScript; the key is good for one call."""

    def start(self) -> Awaitable[None]:
        """Make ready what every graph needs; never fails."""

    def loadTokenizer(self, tokenizer: Any, config: Any) -> Awaitable[int]:  # noqa: N802 (JavaScript's name)
        """From the bytes of two JSON files, or keys of `take`."""

    def tokenize(self, handle: int, texts: str, special: bool) -> str:
        """JSON in, JSON out."""

    def loadSession(self, graph: Any, external: str) -> Awaitable[int]:  # noqa: N802
        """`external` is JSON: file names to keys of `take`."""

    def inputNames(self, handle: int) -> str:  # noqa: N802
        """JSON."""

    def run(self, handle: int, specs: str, inputs: Any) -> Awaitable[Outputs]:
        """`specs` is JSON: of each input its name, type, dims and where it begins in the buffer `inputs`."""

    def release(self, handle: int) -> Awaitable[None]:
        """After accepted work; harmless when called again."""


class ScanHost(Protocol):
    """`Scans` of worker/src/scan/scans.ts."""

    def load(self, codes: Any, worths: Any, levels: Any, dim: int, counts: Any) -> int:
        """Copies all of them; a handle."""

    def scores(self, handle: int, query: Any, out: Any) -> None:
        """Writes into the buffer `out`."""

    def release(self, handle: int) -> None:
        """Harmless when called again."""


class ModelHost(Protocol):
    """The part of the worker's host that models need."""

    @property
    def sessions(self) -> SessionHost:
        """Where graphs run."""

    @property
    def scans(self) -> ScanHost:
        """Where packed codes are scanned."""

    def model(self, id: str, role: str) -> Awaitable[ModelData]:
        """A checked file of a model that the bundle's manifest names."""

    def changed(self, factory: str, state: str, message: str) -> None:
        """Tell the page that a factory is `ready`, or `failed` and why."""


class BrowserRuntime:
    """A `ModelRuntime` on onnxruntime-web."""

    def __init__(self, sessions: SessionHost, scans: ScanHost) -> None:
        self._sessions = sessions
        self.packed_scans = BrowserScans(scans)

    async def start(self) -> None:
        """Load onnxruntime while a model's bytes are still on their way."""
        await self._sessions.start()

    async def load_tokenizer(self, data: ModelData, config: ModelData = None) -> int:
        """See `ModelRuntime`."""
        try:
            return await self._sessions.loadTokenizer(
                self._give(data), None if config is None else self._give(config)
            )
        except Exception as error:
            raise translate(error) from None

    async def tokenize(
        self, tokenizer: int, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> list[list[int]]:
        """See `ModelRuntime`."""
        try:
            answer = self._sessions.tokenize(tokenizer, json.dumps(list(texts)), add_special_tokens)
        except Exception as error:
            raise translate(error) from None
        ids: list[list[int]] = json.loads(answer)
        return ids

    async def load_session(
        self, graph: ModelData, external: Mapping[str, NDArray[np.generic]] | None = None
    ) -> int:
        """See `ModelRuntime`."""
        keys = {name: self._take(array) for name, array in (external or {}).items()}
        try:
            return await self._sessions.loadSession(self._give(graph), json.dumps(keys))
        except Exception as error:
            raise translate(error) from None

    async def run(
        self, session: int, inputs: Mapping[str, NDArray[np.generic]]
    ) -> dict[str, NDArray[np.generic]]:
        """See `ModelRuntime`."""
        specs, pieces, at = [], [], 0
        for name, array in inputs.items():
            specs.append({"name": name, "type": array.dtype.name, "dims": list(array.shape), "at": at})
            pieces.append(array.tobytes().ljust(-(-array.nbytes // 8) * 8, b"\0"))
            at += len(pieces[-1])
        try:
            # One buffer for all: each that crosses costs more than a query's numbers.
            outputs = await self._sessions.run(session, json.dumps(specs), b"".join(pieces))
        except Exception as error:
            raise translate(error) from None
        found = zip(json.loads(outputs.specs), outputs.data, strict=True)
        return {
            spec["name"]: np.frombuffer(data.to_bytes(), dtype=spec["type"]).reshape(spec["dims"])
            for spec, data in found
        }

    async def input_names(self, session: int) -> list[str]:
        """See `ModelRuntime`."""
        try:
            names: list[str] = json.loads(self._sessions.inputNames(session))
        except Exception as error:
            raise translate(error) from None
        return names

    async def release(self, handle: int) -> None:
        """See `ModelRuntime`."""
        await self._sessions.release(handle)

    def _take(self, array: NDArray[np.generic]) -> int:
        flat = np.ascontiguousarray(array).reshape(-1)
        return self._sessions.take(flat.view(np.uint8))

    def _give(self, data: ModelData) -> ModelData:
        """JavaScript's own bytes as they are; Python's by way of `take`."""
        if isinstance(data, bytes | bytearray | memoryview):
            return self._sessions.take(np.frombuffer(data, dtype=np.uint8))
        return data


class BrowserScans:
    """`PackedScans` of the worker. A buffer crosses as a view of Python's memory, once."""

    def __init__(self, scans: ScanHost) -> None:
        self._scans = scans

    def load(self, rows: PackedRows, counts: NDArray[np.int32] | None) -> int:
        """See `PackedScans`."""
        codes, worth = np.ascontiguousarray(rows.codes), np.ascontiguousarray(rows.worth)
        try:
            return self._scans.load(codes, worth, rows.levels, rows.dim, counts)
        except Exception as error:
            raise translate(error) from None

    def scores(self, handle: int, query: NDArray[np.float32], out: NDArray[np.float32]) -> None:
        """See `PackedScans`."""
        try:
            self._scans.scores(handle, np.ascontiguousarray(query), out)
        except Exception as error:
            raise translate(error) from None

    def release(self, handle: int) -> None:
        """See `PackedScans`."""
        self._scans.release(handle)


class BrowserFiles:
    """`ModelFiles` that the worker fetches, checks and keeps."""

    def __init__(self, host: ModelHost) -> None:
        self._host = host

    async def read(self, pin: ModelPin, role: Role) -> ModelData:
        """See `ModelFiles`."""
        try:
            return await self._host.model(pin.id, role)
        except Exception as error:
            raise translate(error) from None


def browser_platform(host: ModelHost) -> Platform:
    """The platform of a page's worker."""
    return Platform("browser", BrowserRuntime(host.sessions, host.scans), BrowserFiles(host))


def translate(error: Exception) -> Exception:
    """The worker's error as one of ours; Pyodide puts a JavaScript error's own fields on the exception."""
    message = str(getattr(error, "message", "")) or str(error)
    found = [getattr(error, name, None) for name in ("file", "source", "expected", "found")]
    if None not in found:
        return IntegrityError(*map(str, found))
    reason = getattr(error, "reason", None)
    if reason == "offline" or getattr(error, "kind", None) == "offline":
        return OfflineError(message)
    if isinstance(reason, str) and reason != "unknown":
        return FetchFailed(message)
    return ModelError(message)
