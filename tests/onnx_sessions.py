"""Sessions for kernel tests on CPython: onnxruntime with external weights given as arrays."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np


class NativeSessions:
    """The part of a ModelRuntime that kernels use."""

    def __init__(self):
        self.released = []
        self.loaded = 0
        self.runs = 0
        self._sessions = {}

    async def load_session(self, graph, external=None):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            (path / "graph.onnx").write_bytes(graph)
            for name, array in (external or {}).items():
                (path / name).write_bytes(np.ascontiguousarray(array).tobytes())
            session = onnxruntime.InferenceSession(
                str(path / "graph.onnx"), options, providers=["CPUExecutionProvider"]
            )
        self.loaded += 1
        self._sessions[self.loaded] = session
        return self.loaded

    async def run(self, session, inputs):
        self.runs += 1
        loaded = self._sessions[session]
        names = [output.name for output in loaded.get_outputs()]
        return dict(zip(names, loaded.run(names, dict(inputs)), strict=True))

    async def release(self, handle):
        self.released.append(handle)
        self._sessions.pop(handle, None)
