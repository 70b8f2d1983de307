from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hinny.errors import FingerprintMismatch, InvalidInput, UnknownModel, UnsupportedVersion
from hinny.models.pins import ModelPin, check_fingerprint, get_pin, load_pins, save_pins
from model_fakes import make_pin

SHIPPED = {
    "winzling-a8m-64k": ("kyr0/Winzling-Embed-a8m-64k", "bfa8af8a8fbf3beb12a93a14d6f5b51875a36214"),
    "all-minilm-l6-v2": ("Xenova/all-MiniLM-L6-v2", "751bff37182d3f1213fa05d7196b954e230abad9"),
    "bge-small-en-v1.5": ("Xenova/bge-small-en-v1.5", "ea104dacec62c0de699686887e3f920caeb4f3e3"),
    "multilingual-e5-small": (
        "Xenova/multilingual-e5-small",
        "761b726dd34fb83930e26aab4e9ac3899aa1fa78",
    ),
    "snowflake-arctic-embed-xs": (
        "Snowflake/snowflake-arctic-embed-xs",
        "d8c86521100d3556476a063fc2342036d45c106f",
    ),
    "mxbai-edge-colbert-v0-32m": (
        "lightonai/mxbai-edge-colbert-v0-32m-onnx",
        "149441b7fd4f7a85cd73f050a4216f9fb96132a3",
    ),
    "lateon-code-edge": ("lightonai/LateOn-Code-edge", "07ef20f406c86badca122464808f4cac2f6e4b25"),
    "ms-marco-minilm-l6-v2": (
        "Xenova/ms-marco-MiniLM-L-6-v2",
        "a09144355adeed5f58c8ed011d209bf8ee5a1fec",
    ),
    "ms-marco-tinybert-l2-v2": (
        "Xenova/ms-marco-TinyBERT-L-2-v2",
        "b76bb5e1fefd66aa36cd108622d768e86c015ff1",
    ),
}


def test_every_hub_model_is_pinned_at_its_full_revision_and_marked_unconfirmed():
    hub = {pin.id: pin for pin in load_pins().values() if pin.source == "hub"}
    assert {id: (pin.repository, pin.revision) for id, pin in hub.items()} == SHIPPED
    assert not any(pin.confirmed for pin in hub.values())


def test_winzling_is_used_as_its_authors_say():
    pin = get_pin("winzling-a8m-64k")
    assert (pin.kind, pin.dimensions, pin.pooling, pin.normalize) == ("embedder", 384, "mean", True)
    assert (pin.query_prefix, pin.document_prefix, pin.document_length) == ("", "", 8192)
    assert pin.inputs == ("input_ids", "attention_mask")
    assert [(f.bytes, f.sha256[:8]) for f in pin.files] == [
        (30_464_606, "68ebb344"),
        (9_292_544, "1500c16e"),
        (2_448, "0ec4307a"),
    ]


def test_models_that_want_prefixes_and_markers_get_them():
    e5, bge = get_pin("multilingual-e5-small"), get_pin("bge-small-en-v1.5")
    assert (e5.query_prefix, e5.document_prefix) == ("query: ", "passage: ")
    assert bge.query_prefix.startswith("Represent this sentence")
    assert (bge.document_prefix, bge.pooling) == ("", "cls")
    colbert = get_pin("mxbai-edge-colbert-v0-32m")
    assert (colbert.query_marker, colbert.document_marker) == (50368, 50369)
    assert (colbert.dimensions, len(colbert.skiplist), colbert.query_expansion) == (64, 32, False)


def test_the_address_of_a_file_holds_the_revision_and_a_mirror_replaces_the_host():
    pin = get_pin("all-minilm-l6-v2")
    graph = pin.file("graph")
    assert graph is not None
    tail = f"Xenova/all-MiniLM-L6-v2/resolve/{pin.revision}/onnx/model_quantized.onnx"
    assert pin.url(graph) == f"https://huggingface.co/{tail}"
    assert pin.url(graph, "https://mirror.example/hf/") == f"https://mirror.example/hf/{tail}"
    site = get_pin("minilm-l6-int8")
    assert site.url(site.files[0], "https://a.example/models") == (
        "https://a.example/models/minilm-l6-int8/model.onnx"
    )


def test_an_unknown_model_is_named_with_those_there_are():
    with pytest.raises(UnknownModel, match=r"'minilm'.*all-minilm-l6-v2"):
        get_pin("minilm")


def test_a_pin_survives_json():
    for pin in load_pins().values():
        assert ModelPin.from_dict(json.loads(json.dumps(pin.to_dict()))) == pin


def test_the_fingerprint_follows_what_changes_a_vector_and_nothing_else():
    pin = make_pin()
    changes = {
        "pooling": "cls",
        "normalize": False,
        "query_prefix": "q: ",
        "document_prefix": "d: ",
        "query_length": 7,
        "document_length": 7,
        "lowercase": True,
        "dimensions": 3,
        "query_marker": 5,
        "skiplist": (",",),
        "query_expansion": True,
        "files": (replace(pin.files[0], sha256="c" * 64), pin.files[1]),
    }
    seen = {replace(pin, **{name: value}).fingerprint() for name, value in changes.items()}
    assert len(seen | {pin.fingerprint()}) == len(changes) + 1
    for name, value in {"licence": "GPL", "confirmed": True, "truncate": False, "revision": "x"}.items():
        assert replace(pin, **{name: value}).fingerprint() == pin.fingerprint()


def test_an_index_of_another_model_is_refused_by_name():
    check_fingerprint("the index", "m@1", "m@1")
    with pytest.raises(FingerprintMismatch, match="the index was made with the model m@1, this is m@2"):
        check_fingerprint("the index", "m@1", "m@2")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "a/b"}, "an id is a name"),
        ({"kind": "llm"}, "kind 'llm'"),
        ({"source": "hub", "repository": "a/b", "revision": "main"}, "never a branch"),
        ({"kind": "cross-encoder"}, "start_id"),
        ({"query_expansion": True}, "mask_id"),
        ({"files": []}, "a graph and a tokenizer"),
        ({"files": [{"role": "graph", "path": "../x", "bytes": 1, "sha256": "a" * 64}]}, "leaves"),
        ({"files": [{"role": "graph", "path": "x", "bytes": None, "sha256": "a" * 64}]}, "not a model pin"),
        ({"files": [{"role": "graph", "path": "x", "bytes": 1, "sha256": "ab"}]}, "a size and a SHA-256"),
        ({"files": [{"role": "graph"}]}, "path"),
    ],
)
def test_a_pin_that_cannot_be_right_is_refused(change, problem):
    with pytest.raises(InvalidInput, match=problem):
        make_pin(**change)


def test_the_users_pins_add_to_the_shipped_and_replace_them(tmp_path: Path):
    path = tmp_path / "deep" / "pins.json"
    mine, better = make_pin(), replace(get_pin("bge-small-en-v1.5"), document_length=100)
    save_pins(path, [mine, better])
    pins = load_pins(path, tmp_path / "absent.json")
    assert pins["fake"] == mine
    assert pins["bge-small-en-v1.5"].document_length == 100
    assert get_pin("bge-small-en-v1.5").document_length == 512
    assert set(pins) == {*load_pins(), "fake"}


def test_a_file_of_pins_from_the_future_or_of_something_else_is_named(tmp_path: Path):
    path = tmp_path / "pins.json"
    path.write_text('{"version": 2, "models": []}')
    with pytest.raises(UnsupportedVersion):
        load_pins(path)
    path.write_text("[]")
    with pytest.raises(InvalidInput, match="no list of pins"):
        load_pins(path)
