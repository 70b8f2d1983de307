from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from hinny.cli.main import main
from hinny.models.pins import load_pins
from hub_server import serve

GRAPH, TOKENIZER, CONFIG = b"g" * 5000, b'{"added_tokens": []}', b'{"model_type": "bert", "hidden_size": 8}'
REVISION = "ab" * 20
REPO = "owner/Fresh-Model"


def blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def test_list_names_every_model_and_what_is_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["models", "--models", str(tmp_path), "list"]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == len(load_pins())
    assert "bge-small-en-v1.5" in out
    assert "unconfirmed" in out
    assert " here " not in out


def test_verify_fails_on_a_damaged_cache_and_names_both_hashes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    pin = load_pins()["word-overlap"]
    for file in pin.files:
        path = tmp_path / "sha256" / file.sha256
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"\0" * file.bytes)
    assert main(["models", "--models", str(tmp_path), "verify"]) == 1
    captured = capsys.readouterr()
    assert captured.out.count("damaged: expected SHA-256 ") == len(pin.files)
    assert pin.files[0].sha256 in captured.out
    assert hashlib.sha256(b"\0" * pin.files[0].bytes).hexdigest() in captured.out
    assert "are missing or damaged" in captured.err


def test_fetch_without_a_network_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["models", "--models", str(tmp_path), "--offline", "fetch", "lateon-code-edge"]) == 1
    assert "offline mode is on" in capsys.readouterr().err
    assert main(["models", "--models", str(tmp_path), "fetch", "no-such-model"]) == 1
    assert "no model 'no-such-model'" in capsys.readouterr().err


def test_pin_asks_the_hub_and_fetch_then_brings_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with serve() as hub:
        files = {
            "onnx/model_quantized.onnx": GRAPH,
            "tokenizer.json": TOKENIZER,
            "config.json": CONFIG,
            "1_Pooling/config.json": b'{"pooling_mode_cls_token": true}',
            "config_sentence_transformers.json": b'{"prompts": {"query": "q: "}}',
        }
        hub.files = {f"/{REPO}/resolve/{REVISION}/{name}": data for name, data in files.items()}
        siblings = []
        for name, data in files.items():
            entry: dict[str, object] = {"rfilename": name, "size": len(data), "blobId": blob(data)}
            if name.endswith(".onnx"):
                entry["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
            siblings.append(entry)
        hub.api[f"/api/models/{REPO}/revision/main?blobs=true"] = {
            "sha": REVISION,
            "cardData": {"license": "mit"},
            "siblings": siblings,
        }
        options = ["models", "--models", str(tmp_path), "--model-base-url", hub.url]
        assert main([*options, "pin", REPO]) == 0
        assert f"{REPO}@{REVISION} (embedder" in capsys.readouterr().out
        assert not any(path.endswith(".onnx") for path, _ in hub.requests), "LFS names the graph's hash"
        pin = load_pins(tmp_path / "pins.json")["fresh-model"]
        assert (pin.pooling, pin.query_prefix, pin.dimensions, pin.licence) == ("cls", "q: ", 8, "mit")
        assert pin.inputs == ("input_ids", "attention_mask", "token_type_ids")
        assert (pin.files[1].bytes, pin.files[1].sha256) == (
            len(TOKENIZER),
            hashlib.sha256(TOKENIZER).hexdigest(),
        )
        assert main([*options, "fetch", "fresh-model"]) == 0
        assert main([*options, "verify", "fresh-model"]) == 0


def test_pin_refuses_bytes_that_are_not_the_commits(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with serve() as hub:
        hub.files = {f"/{REPO}/resolve/{REVISION}/{n}": b"{}" for n in ("tokenizer.json", "config.json")}
        hub.api[f"/api/models/{REPO}/revision/v1?blobs=true"] = {
            "sha": REVISION,
            "siblings": [
                {"rfilename": "model.onnx", "lfs": {"sha256": "a" * 64, "size": 5}},
                {"rfilename": "tokenizer.json", "blobId": "0" * 40},
            ],
        }
        options = ["models", "--models", str(tmp_path), "--model-base-url", hub.url]
        assert main([*options, "pin", REPO, "--revision", "v1", "--kind", "embedder"]) == 1
        assert "expected Git blob 0000" in capsys.readouterr().err
        assert not (tmp_path / "pins.json").exists()
        assert main([*options, "pin", "owner/absent"]) == 1
        assert "answered 404" in capsys.readouterr().err


def test_pin_reads_a_colbert_models_own_settings(tmp_path: Path):
    config = (
        b'{"embedding_dim": 48, "query_length": 32, "document_length": 180, "query_prefix_id": 5,'
        b' "document_prefix_id": 6, "mask_token_id": 7, "pad_token_id": 8, "do_query_expansion": true,'
        b' "attend_to_expansion": false, "do_lower_case": true, "skiplist_words": ["!", "."]}'
    )
    with serve() as hub:
        files = {"tokenizer.json": TOKENIZER, "onnx_config.json": config}
        hub.files = {f"/{REPO}/resolve/{REVISION}/{name}": data for name, data in files.items()}
        hub.api[f"/api/models/{REPO}/revision/main?blobs=true"] = {
            "sha": REVISION,
            "siblings": [
                {"rfilename": "model_int8.onnx", "lfs": {"sha256": "a" * 64, "size": 5}},
                *({"rfilename": name, "blobId": blob(data)} for name, data in files.items()),
            ],
        }
        arguments = [
            "models",
            "--models",
            str(tmp_path),
            "--model-base-url",
            hub.url,
            "pin",
            REPO,
            "--id",
            "c",
        ]
        assert main(arguments) == 0
    pin = load_pins(tmp_path / "pins.json")["c"]
    assert (pin.kind, pin.dimensions, pin.query_length, pin.document_length) == ("colbert", 48, 32, 180)
    assert (pin.query_marker, pin.document_marker, pin.mask_id, pin.pad_id) == (5, 6, 7, 8)
    assert (pin.query_expansion, pin.lowercase, pin.skiplist, pin.truncate) == (True, True, ("!", "."), False)
