"""Our model's files as transformers.js wants them."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "bench"), str(ROOT / "bench" / "browser")]

import json  # noqa: E402

from embed_rivals import EMBEDDER, layout  # noqa: E402


def test_the_same_files_stand_where_each_side_looks(tmp_path: Path) -> None:
    ours = tmp_path / "models" / EMBEDDER
    ours.mkdir(parents=True)
    (ours / "model.onnx").write_bytes(b"graph")
    (ours / "tokenizer.json").write_text("{}")
    layout(tmp_path)
    about = json.loads((tmp_path / "embed.json").read_text())
    theirs = tmp_path / about["models"].removeprefix("/site/") / about["model"]
    assert (theirs / "onnx" / "model_quantized.onnx").read_bytes() == b"graph"
    assert (theirs / "tokenizer.json").read_text() == "{}"
    assert json.loads((theirs / "config.json").read_text())["hidden_size"] == 384
