"""The worker's scans (worker/assembly/scan.ts) in numpy: the same rounding, one row after another."""

from __future__ import annotations

import numpy as np


class PackedScans:
    """A `PackedScans` that also says what it holds."""

    def __init__(self):
        self.held = {}

    def load(self, rows, counts):
        handle = len(self.held) + 1
        low, high = rows.codes & 15, rows.codes >> 4
        codes = np.stack([low, high], axis=2).reshape(len(rows.codes), -1)[:, : rows.dim]
        decoded = (rows.levels[codes].astype(np.int32) - 64) * rows.worth[:, None]
        self.held[handle] = (decoded, counts)
        return handle

    def scores(self, handle, query, out):
        decoded, counts = self.held[handle]
        query = np.atleast_2d(query)
        largest = np.abs(query).max(axis=1, keepdims=True)
        products = decoded @ (np.rint(query / largest * 127) * largest / 127).T
        if counts is None:
            out[:] = products[:, 0]
        else:
            starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
            out[:] = np.maximum.reduceat(products, starts).mean(axis=1)

    def release(self, handle):
        self.held.pop(handle, None)


class WorkerRuntime:
    """A runtime of the browser's kind that runs no graph."""

    def __init__(self):
        self.packed_scans = PackedScans()

    async def load_session(self, graph, external=None):
        raise AssertionError("no graph was wanted")
