"""A scan that is made when it is first asked for, once, and falls back in plain sight."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from hinny.kernels.base import Sessions
from hinny.kernels.choice import Kernel, check_kernel
from hinny.protocols import resolve


class Scan(Protocol):
    """DenseScan or MaxSimScan."""

    @property
    def kernel(self) -> str:
        """`numpy` or `onnx`."""

    def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32] | Awaitable[NDArray[np.float32]]:
        """All scores for a query."""

    async def close(self) -> None:
        """Give back what the runtime holds."""


S = TypeVar("S", bound=Scan)


class LazyScan(Generic[S]):
    """Makes the scan on first use. With kernel="auto", a graph that cannot be made leaves numpy to do it."""

    def __init__(
        self,
        make: Callable[[Kernel, Sessions | None], Awaitable[S]],
        kernel: Kernel,
        runtime: Sessions | None,
    ) -> None:
        check_kernel(kernel, runtime)
        self._make = make
        self._kernel = kernel
        self._runtime = runtime
        self._scan: S | None = None
        self._lock = asyncio.Lock()
        self.problem: str | None = None
        """Why the automatic choice fell back to numpy, where it did."""

    @property
    def kernel(self) -> str:
        """What scans: `numpy`, `onnx`, or before the first use what was asked for."""
        return self._kernel if self._scan is None else self._scan.kernel

    async def get(self) -> S:
        """The scan, made now if need be; two tasks that ask at once get one scan."""
        if self._scan is None:
            async with self._lock:
                if self._scan is None:
                    self._scan = await self._made()
        return self._scan

    async def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """All scores for a query, float32."""
        return await resolve((await self.get()).scores(query))

    async def close(self) -> None:
        """Give back what the runtime holds; a later use makes the scan again."""
        scan, self._scan = self._scan, None
        if scan is not None:
            await scan.close()

    async def _made(self) -> S:
        try:
            return await self._make(self._kernel, self._runtime)
        except Exception as problem:
            if self._kernel != "auto":
                raise
            self.problem = f"{type(problem).__name__}: {problem}"
            return await self._make("numpy", None)
