from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from hinny.errors import FetchFailed, IntegrityError, ModelError, OfflineError
from hinny.models.pins import ModelPin
from hinny.models.store import ModelStore, default_folder
from hub_server import Hub, serve
from support import run

GRAPH, TOKENIZER = b"graph" * 1000, b'{"model": {}}'
REVISION = "0123456789" * 4


def make_pin(source: str = "hub") -> ModelPin:
    return ModelPin.from_dict(
        {
            "id": "tiny",
            "kind": "embedder",
            "source": source,
            "repository": "owner/tiny",
            "revision": REVISION,
            "licence": "MIT",
            "files": [
                {
                    "role": role,
                    "path": path,
                    "bytes": len(data),
                    "sha256": hashlib.sha256(data).hexdigest(),
                }
                for role, path, data in (
                    ("graph", "onnx/model.onnx", GRAPH),
                    ("tokenizer", "tokenizer.json", TOKENIZER),
                )
            ],
            "inputs": ["input_ids"],
            "output": "out",
        }
    )


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serve() as hub:
        hub.files = {
            f"/owner/tiny/resolve/{REVISION}/onnx/model.onnx": GRAPH,
            f"/owner/tiny/resolve/{REVISION}/tokenizer.json": TOKENIZER,
        }
        yield hub


@pytest.fixture
def store(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelStore:
    monkeypatch.setattr("hinny.models.fetch.time.sleep", lambda _: None)
    return ModelStore(tmp_path / "models", base_url=hub.url, offline=False)


def names(store: ModelStore) -> set[str]:
    return {path.name for path in (store.folder / "sha256").iterdir()}


def test_a_file_is_fetched_once_and_read_from_disk_after(hub: Hub, store: ModelStore):
    pin = make_pin()
    assert run(store.read(pin, "graph")) == GRAPH
    assert run(store.read(pin, "graph")) == GRAPH
    assert run(store.read(pin, "tokenizer_config")) is None
    assert len(hub.requests) == 1
    assert names(store) == {pin.files[0].sha256}
    assert not store.has(pin)
    store.fetch(pin)
    assert store.has(pin)


def test_wrong_bytes_are_refused_with_both_hashes_and_nothing_is_kept(hub: Hub, store: ModelStore):
    pin = make_pin()
    hub.faults = ["flip"]
    found = hashlib.sha256(bytes([GRAPH[0] ^ 1]) + GRAPH[1:]).hexdigest()
    with pytest.raises(IntegrityError) as caught:
        run(store.read(pin, "graph"))
    assert (caught.value.expected, caught.value.found) == (f"SHA-256 {pin.files[0].sha256}", found)
    assert names(store) == set()
    assert run(store.read(pin, "graph")) == GRAPH, "the next attempt starts afresh"


def test_a_damaged_file_on_disk_is_replaced(hub: Hub, store: ModelStore):
    pin = make_pin()
    store.fetch(pin)
    store.path(pin.files[0]).write_bytes(b"graph" * 999 + b"grape")
    assert run(store.read(pin, "graph")) == GRAPH
    assert len(hub.requests) == 3


def test_a_damaged_file_is_an_error_where_it_cannot_be_replaced(store: ModelStore, tmp_path: Path):
    pin = make_pin()
    store.fetch(pin)
    store.path(pin.files[0]).write_bytes(b"x")
    offline = ModelStore(store.folder, offline=True)
    with pytest.raises(IntegrityError, match=f"expected {len(GRAPH)} bytes, found 1 bytes"):
        run(offline.read(pin, "graph"))
    with pytest.raises(OfflineError, match="offline mode is on"):
        run(offline.read(pin, "graph"))


def test_offline_mode_never_asks_the_network(hub: Hub, store: ModelStore):
    offline = ModelStore(store.folder, base_url=hub.url, offline=True)
    with pytest.raises(OfflineError, match="owner/tiny"):
        offline.fetch(make_pin())
    assert hub.requests == []
    store.fetch(make_pin())
    asked = len(hub.requests)
    assert run(offline.read(make_pin(), "graph")) == GRAPH
    assert len(hub.requests) == asked


def test_a_broken_download_goes_on_in_the_next_run(hub: Hub, store: ModelStore):
    pin = make_pin()
    hub.faults = ["cut", "500", "500", "500"]
    with pytest.raises(FetchFailed, match="what arrived is kept"):
        store.fetch(pin)
    assert names(store) == {f"{pin.files[0].sha256}.part"}
    hub.requests.clear()
    store.fetch(pin)
    assert hub.requests[0][1] == f"bytes={len(GRAPH) // 2}-"
    assert store.has(pin)


def test_another_process_download_is_left_alone(hub: Hub, store: ModelStore):
    pin = make_pin()
    other = store.path(pin.files[0]).with_name(f"{pin.files[0].sha256}.part")
    other.parent.mkdir(parents=True)
    other.write_bytes(b"half of something")
    store.fetch_file(pin, pin.files[0])
    assert other.read_bytes() == b"half of something"
    assert store.path(pin.files[0]).read_bytes() == GRAPH


def test_a_model_of_ours_is_built_and_not_asked_for(hub: Hub, store: ModelStore):
    pin = make_pin("site")
    with pytest.raises(ModelError, match=r"python -m hinny\.models\.make"):
        store.fetch(pin)
    assert hub.requests == []
    store.put(pin.files[0], GRAPH)
    assert run(store.read(pin, "graph")) == GRAPH
    with pytest.raises(IntegrityError):
        store.put(pin.files[1], b"something else")
    assert names(store) == {pin.files[0].sha256}


def test_verify_names_what_is_missing_and_what_is_damaged(store: ModelStore):
    pin = make_pin()
    assert [state for _, state in store.verify(pin)] == ["missing", "missing"]
    store.fetch(pin)
    assert [state for _, state in store.verify(pin)] == ["ok", "ok"]
    damaged = bytearray(GRAPH)
    damaged[7] ^= 4
    store.path(pin.files[0]).write_bytes(damaged)
    (_, state), _ = store.verify(pin)
    assert state == (
        f"damaged: expected SHA-256 {pin.files[0].sha256}, found {hashlib.sha256(damaged).hexdigest()}"
    )
    assert store.path(pin.files[0]).exists(), "verify deletes nothing"


def test_progress_tells_model_file_and_bytes(hub: Hub, store: ModelStore):
    seen = []
    told = ModelStore(
        store.folder,
        base_url=hub.url,
        progress=lambda pin, file, have: seen.append((pin.id, file.path, have)),
    )
    told.fetch(make_pin())
    assert seen[0][:2] == ("tiny", "onnx/model.onnx")
    assert ("tiny", "onnx/model.onnx", len(GRAPH)) in seen
    assert seen[-1] == ("tiny", "tokenizer.json", len(TOKENIZER))


def test_the_environment_names_folder_mirror_and_offline_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("HINNY_MODELS", "HINNY_MODEL_BASE_URL", "HF_ENDPOINT", "HINNY_OFFLINE", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HINNY_CACHE", str(tmp_path / "cache"))
    assert default_folder() == tmp_path / "cache" / "models"
    store = ModelStore()
    assert (store.base_url, store.offline) == (None, False)
    monkeypatch.setenv("HINNY_MODELS", str(tmp_path / "m"))
    monkeypatch.setenv("HF_ENDPOINT", "https://a.example")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    store = ModelStore()
    assert (store.folder, store.base_url, store.offline) == (tmp_path / "m", "https://a.example", True)
    monkeypatch.setenv("HINNY_MODEL_BASE_URL", "https://b.example")
    assert ModelStore().base_url == "https://b.example"
