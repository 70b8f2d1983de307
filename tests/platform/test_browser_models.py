"""The browser's runtime against a worker played in Python: what crosses, and how errors come back."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from hinny.errors import FetchFailed, IntegrityError, ModelError, OfflineError
from hinny.kernels.base import PackedRows
from hinny.models.embedder import TextEmbedder
from hinny.models.service import encode_texts
from hinny.platform.browser_models import browser_platform, translate
from hinny.protocols import ModelRuntime
from model_fakes import make_pin
from support import run


class JsBytes:
    """A `Uint8Array` as Pyodide shows it."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def to_bytes(self) -> bytes:
        return self._data


class JsOutputs:
    def __init__(self, specs: list[dict[str, Any]], data: list[bytes]) -> None:
        self.specs = json.dumps(specs)
        self.data = [JsBytes(item) for item in data]


class JsError(Exception):
    """A JavaScript error: its fields are attributes."""

    def __init__(self, message: str, **fields: str) -> None:
        super().__init__(message)
        self.message = message
        for name, value in fields.items():
            setattr(self, name, value)


class FakeSessions:
    """sessions.ts in Python: the fake model's states are (id, 1)."""

    def __init__(self) -> None:
        self.buffers: dict[int, bytes] = {}
        self.calls: list[tuple[str, Any]] = []
        self.released: list[int] = []

    def take(self, buffer: Any) -> int:
        key = 100 + len(self.calls)
        self.buffers[key] = bytes(buffer)
        self.calls.append(("take", key))
        return key

    async def start(self) -> None:
        self.calls.append(("start", None))

    async def loadTokenizer(self, tokenizer: Any, config: Any) -> int:  # noqa: N802
        self.calls.append(("loadTokenizer", (tokenizer, config)))
        return 1

    def tokenize(self, handle: int, texts: str, special: bool) -> str:
        rows = [[ord(c) for c in text] for text in json.loads(texts)]
        return json.dumps([[1, *row, 2] if special else row for row in rows])

    async def loadSession(self, graph: Any, external: str) -> int:  # noqa: N802
        self.calls.append(("loadSession", (graph, json.loads(external))))
        return 2

    def inputNames(self, handle: int) -> str:  # noqa: N802
        return '["input_ids", "attention_mask"]'

    async def run(self, handle: int, specs: str, inputs: Any) -> JsOutputs:
        self.calls.append(("run", (json.loads(specs), bytes(inputs))))
        spec = next(spec for spec in json.loads(specs) if spec["name"] == "input_ids")
        assert all(each["at"] % 8 == 0 for each in json.loads(specs))
        dims = [*spec["dims"], 2]
        ids = np.frombuffer(inputs, dtype=spec["type"], count=dims[0] * dims[1], offset=spec["at"])
        states = np.stack([ids, np.ones_like(ids)], axis=-1).astype(np.float32)
        return JsOutputs([{"name": "out", "type": "float32", "dims": dims}], [states.tobytes()])

    async def release(self, handle: int) -> None:
        self.released.append(handle)


class FakeScans:
    """scans.ts in Python, which keeps what came and answers with the handle."""

    def __init__(self) -> None:
        self.loaded: list[tuple[Any, ...]] = []
        self.released: list[int] = []

    def load(self, *given: Any) -> int:
        self.loaded.append(given)
        return len(self.loaded)

    def scores(self, handle: int, query: Any, out: Any) -> None:
        if handle > len(self.loaded):
            raise JsError(f"there is no scan {handle}: it was released")
        assert query.flags.c_contiguous
        out[:] = handle

    def release(self, handle: int) -> None:
        self.released.append(handle)


class FakeHost:
    def __init__(self) -> None:
        self.sessions = FakeSessions()
        self.scans = FakeScans()
        self.asked: list[tuple[str, str]] = []
        self.models: dict[str, Any] = {}

    async def manifest(self) -> str:
        return json.dumps({"models": self.models})

    async def model(self, id: str, role: str) -> Any:
        self.asked.append((id, role))
        return None if role == "tokenizer_config" else JsBytes(role.encode())


def test_it_is_a_model_runtime():
    platform = browser_platform(FakeHost())
    assert isinstance(platform.runtime, ModelRuntime)
    assert platform.name == "browser"


def test_an_embedder_runs_on_it_and_the_models_bytes_never_pass_through_python():
    host = FakeHost()
    embedder = TextEmbedder(make_pin(normalize=False), browser_platform(host))
    # [1, "a", "c", 2]: mean id (1 + 97 + 99 + 2) / 4
    np.testing.assert_allclose(run(embedder.embed_query("ac")), [49.75, 1])
    assert sorted(host.asked) == [("fake", "graph"), ("fake", "tokenizer"), ("fake", "tokenizer_config")]
    assert host.sessions.calls[0] == ("start", None), "before the bytes are there"
    given = dict(call for call in host.sessions.calls if call[0].startswith("load"))
    assert isinstance(given["loadTokenizer"][0], JsBytes)
    assert given["loadTokenizer"][1] is None
    assert isinstance(given["loadSession"][0], JsBytes)
    run(embedder.dispose())
    assert sorted(host.sessions.released) == [1, 2]


def test_pythons_own_bytes_and_weights_are_copied_over():
    host = FakeHost()
    runtime = browser_platform(host).runtime
    weight = np.array([[1, 2], [3, 4]], dtype=np.float32).T
    run(runtime.load_session(b"graph", {"weights": weight, "empty": np.zeros(0, dtype=np.uint8)}))
    graph, external = host.sessions.calls[-1][1]
    assert host.sessions.buffers[graph] == b"graph"
    assert host.sessions.buffers[external["weights"]] == np.array([1, 3, 2, 4], dtype="<f4").tobytes()
    assert host.sessions.buffers[external["empty"]] == b""


def test_packed_codes_cross_as_views_of_whole_buffers():
    host = FakeHost()
    runtime = browser_platform(host).runtime
    codes = np.arange(24, dtype=np.uint8).reshape(4, 6)[:, ::2]
    levels, worth = np.arange(16, dtype=np.uint8), np.ones(4, dtype=np.float32)
    handle = runtime.packed_scans.load(PackedRows(codes, worth, levels, 6), None)
    given = host.scans.loaded[0]
    assert given[0].tolist() == codes.tolist()
    assert given[0].flags.c_contiguous
    assert given[3:] == (6, None)
    out = np.zeros(4, dtype=np.float32)
    runtime.packed_scans.scores(handle, np.ones((6, 2), dtype=np.float32).T[0], out)
    assert out.tolist() == [1, 1, 1, 1]
    runtime.packed_scans.release(handle)
    assert host.scans.released == [1]
    with pytest.raises(ModelError, match="it was released"):
        runtime.packed_scans.scores(2, out, out)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (JsError("gone", kind="offline", reason="offline"), OfflineError),
        (JsError("404", kind="model", reason="not-found"), FetchFailed),
        (JsError("bad graph", kind="model", reason="unknown"), ModelError),
        (JsError("bytes", kind="model", file="m", source="s", expected="a", found="b"), IntegrityError),
        (RuntimeError("other"), ModelError),
    ],
)
def test_the_workers_errors_become_ours(error: Exception, kind: type[Exception]):
    found = translate(error)
    assert type(found) is kind
    assert str(error) in str(found) or kind is IntegrityError

    class Failing(FakeHost):
        async def model(self, id: str, role: str) -> Any:
            raise error

    with pytest.raises(kind):
        run(browser_platform(Failing()).files.read(make_pin(), "graph"))


def test_a_page_encodes_texts_and_the_model_is_loaded_once():
    host = FakeHost()
    host.models = {"fake": {**make_pin(document_prefix="d").to_dict(), "base": "models"}}

    async def check() -> tuple[dict[str, Any], dict[str, Any]]:
        first = await encode_texts(host, {"model": "fake", "texts": ["a", ""], "as": "query"})
        return first, await encode_texts(host, {"model": "fake", "texts": ["a"]})

    query, document = run(check())
    assert query["tokens"] == [[1, 97, 2], [1, 2]]
    assert len(query["vectors"]) == 2
    assert query["fingerprint"].startswith("fake@")
    assert query["vectors"][0] != document["vectors"][0], "documents have a prefix"
    assert [call for call, _ in host.sessions.calls].count("loadSession") == 1
    with pytest.raises(Exception, match="query or document"):
        run(encode_texts(host, {"model": "fake", "texts": [], "as": "poem"}))
    with pytest.raises(Exception, match="names no model 'x'; it names fake"):
        run(encode_texts(host, {"model": "x", "texts": []}))
