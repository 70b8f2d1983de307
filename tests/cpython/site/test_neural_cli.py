"""Building and asking by meaning on the command line, with the real models (`make models`)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hinny.cli.main import main
from hinny.models.pins import ModelPin
from hinny.models.store import ModelStore

PAGES = {
    "vacuum": "VACUUM reclaims the space of rows that were deleted. " * 40,
    "indexes": "CREATE INDEX builds a structure on a column of a table so that lookups are fast.",
    "backup": "pg_dump writes the whole database into a file from which it can be restored later.",
    "locks": "A transaction waits until another one ends when both want to change one row.",
}
MODELS = {"tiny": "minilm-l6-late64", "semantic": "minilm-l6-int8"}
FACTORIES = (*MODELS, "three-source")
RERANKER = "word-overlap"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for id in (*MODELS.values(), RERANKER):
        assert ModelStore().has(ModelStore().pin(id)), "run `make models`"
    folder = tmp_path_factory.mktemp("pages")
    for name, text in PAGES.items():
        page = f"<!doctype html><html lang=en><title>{name}</title><main><h1>{name}</h1><p>{text}</p></main>"
        (folder / f"{name}.html").write_text(page, "utf-8")
    return folder


@pytest.fixture(scope="module")
def bundle(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "search"
    questions = out.parent / "questions.jsonl"
    questions.write_text('{"id": "copy", "text": "keep a copy of my data"}\n', "utf-8")
    built = ["build", str(source), "--out", str(out), "--factory", "all", "--tokens", "64"]
    assert main([*built, "--questions", str(questions), "--rerank", RERANKER]) == 0
    return out


def test_a_build_says_what_was_encoded_and_cut(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "search"
    assert main(["build", str(source), "--out", str(out), "--factory", "semantic", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    pin = ModelStore().pin(MODELS["semantic"])
    assert summary["models"] == {
        pin.id: {
            "serves": "vector",
            "sections": 4,
            "truncated": 1,
            "tokens": 256,
            "bytes": pin.bytes,
            "source": "models",
        }
    }
    assert main(["build", str(source), "--out", str(out), "--factory", "semantic"]) == 0
    assert f"{pin.id}: 4 sections encoded, 1 of them cut at 256 tokens" in capsys.readouterr().out


def test_the_manifest_names_the_models_and_the_site_has_their_files(bundle: Path) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text("utf-8"))
    assert manifest["factory"] == "three-source"
    assert {entry["serves"]: id for id, entry in manifest["models"].items()} == {
        "tokens": MODELS["tiny"],
        "vector": MODELS["semantic"],
        "rerank": RERANKER,
    }
    for id, entry in manifest["models"].items():
        pin = ModelPin.from_dict(entry)
        assert entry["fingerprint"] == pin.fingerprint()
        assert pin.document_length == 64 or id == RERANKER  # which encodes no section
        for file in pin.files:
            assert (bundle / entry["base"] / id / file.path).stat().st_size == file.bytes


@pytest.mark.parametrize("factory", FACTORIES)
def test_what_the_words_do_not_say_is_found(
    factory: str, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask = ["search", str(bundle), "saving", "everything", "to", "disk", "--limit", "1"]
    assert main(ask) == 0
    assert "0 hits" in capsys.readouterr().out
    assert main([*ask, "--factory", factory, "--explain"]) == 0
    said = capsys.readouterr()
    assert "backup.html" in said.out
    assert "strategy fusion: 4 candidates (lexical 0, " in said.out
    assert said.err == ""


@pytest.mark.parametrize("factory", FACTORIES)
def test_a_recorded_question_needs_no_model(
    factory: str, bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unasked(*_: object) -> None:
        raise AssertionError("the model was loaded")

    monkeypatch.setattr("hinny.site.model_files.SiteModelFiles.read", unasked)
    assert main(["search", str(bundle), "copy", "--recorded", "--factory", factory, "--limit", "1"]) == 0
    said = capsys.readouterr()
    assert "backup.html" in said.out
    assert said.err == ""


def test_a_damaged_model_leaves_the_words_and_is_named(
    bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import shutil

    copy = tmp_path / "search"
    shutil.copytree(bundle, copy)
    graph = copy / "models" / MODELS["tiny"] / "model.onnx"
    data = bytearray(graph.read_bytes())
    data[1000] ^= 1
    graph.write_bytes(data)
    assert main(["search", str(copy), "lookups", "--factory", "tiny"]) == 0
    said = capsys.readouterr()
    assert "indexes.html" in said.out
    assert "model.onnx" in said.err
    assert "SHA-256" in said.err


def test_inspect_names_the_models(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(bundle)]) == 0
    said = capsys.readouterr().out
    assert "factories lexical-only, tiny, semantic, three-source" in said
    assert f"model {MODELS['tiny']}@" in said
    assert main(["inspect", str(bundle), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["factories"] == ["lexical-only", *FACTORIES]
    assert "tokens/index" in said


def test_words_alone_load_nothing_neural(bundle: Path) -> None:
    program = """
import asyncio, sys
from hinny.bundle.reader import BundleReader
from hinny.site.search import SiteSearch
async def ask():
    search = await SiteSearch.open(await BundleReader.open(sys.argv[1]), platform=lambda: 1 / 0)
    assert [f["available"] for f in search.info()["factories"]] == [True] * 4
    answer = await search.search({"text": "lookups", "explain": True})
    assert answer["results"][0]["url"] == "indexes.html"
    await search.close()
asyncio.run(ask())
unwanted = tuple("hinny." + name for name in ("dense", "late", "quant", "kernels", "models", "platform"))
print([name for name in sys.modules if name.startswith(unwanted)])
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(bundle)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
