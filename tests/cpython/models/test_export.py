from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from hinny.errors import IntegrityError, UnknownModel
from hinny.models.encoders import manifest_pin
from hinny.models.export import export_model, file_url
from hinny.models.pins import get_pin
from hinny.models.store import ModelStore


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    """A store with a two-file model of the hub's, by a pin of the user's."""
    store = ModelStore(tmp_path / "store", offline=True)
    files = {"onnx/m.onnx": b"graph", "tokenizer.json": b"{}"}
    pin = {
        **get_pin("bge-small-en-v1.5").to_dict(),
        "id": "mine",
        "files": [
            {"role": role, "path": path, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for role, (path, data) in zip(("graph", "tokenizer"), files.items(), strict=True)
        ],
    }
    store.folder.mkdir()
    store.pins_path.write_text(json.dumps({"version": 1, "models": [pin]}))
    for file, data in zip(store.pin("mine").files, files.values(), strict=True):
        store.put(file, data)
    return store


def test_a_model_of_ours_is_copied_beside_the_bundle(tmp_path: Path):
    entry = export_model("word-overlap", tmp_path)
    pin = manifest_pin({"word-overlap": entry}, "word-overlap")
    assert pin == get_pin("word-overlap")
    assert entry["base"] == "models"
    for file in pin.files:
        path = file_url(pin, file.path, entry["base"])
        assert path == f"models/word-overlap/{file.path}"
        assert hashlib.sha256((tmp_path / path).read_bytes()).hexdigest() == file.sha256


def test_a_model_of_the_hub_stays_there_unless_the_site_hosts_it(store: ModelStore, tmp_path: Path):
    entry = export_model("mine", tmp_path / "out", store=store)
    assert entry["base"] == "https://huggingface.co"
    assert not (tmp_path / "out").exists()
    pin = store.pin("mine")
    assert file_url(pin, "onnx/m.onnx", entry["base"]).startswith("https://huggingface.co/Xenova/bge-small")
    entry = export_model("mine", tmp_path / "out", store=store, host="site")
    assert entry["base"] == "models"
    assert (tmp_path / "out" / "models" / "mine" / "onnx" / "m.onnx").read_bytes() == b"graph"
    assert (
        export_model("mine", tmp_path, store=store, host="https://m.example/")["base"] == "https://m.example"
    )


def test_damaged_files_are_not_copied(store: ModelStore, tmp_path: Path):
    store.path(store.pin("mine").files[0]).write_bytes(b"grape")
    with pytest.raises(IntegrityError):
        export_model("mine", tmp_path / "out", store=store, host="site")


def test_a_manifest_without_the_model_says_so():
    with pytest.raises(UnknownModel, match="names no model 'x'; it names none"):
        manifest_pin({}, "x")
