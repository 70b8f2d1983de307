"""runtime.json names what was asked for, and no more."""

import json

import pytest

from hinny.runtime import boot_assets
from hinny.runtime.lock import load_lock


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a runtime for which every locked file is four bytes long; its files by name."""
    small = tmp_path / "small"
    small.write_bytes(b"file")
    asked = []

    def runtime_file(name):
        asked.append(name)
        return small

    monkeypatch.setattr(boot_assets, "runtime_file", runtime_file)

    def write(**options):
        asked.clear()
        boot_assets.write_runtime(tmp_path / "out", boot=tmp_path / "none", **options)
        return json.loads((tmp_path / "out" / "app" / "runtime.json").read_text())["files"], asked

    return write


def names(group):
    return {file.name for file in load_lock().of([group])}


@pytest.mark.parametrize(
    ("options", "there", "absent"),
    [
        ({}, [], ["onnx", "webgpu"]),
        ({"models": True}, ["onnx"], ["webgpu"]),
        ({"models": True, "webgpu": True}, ["onnx", "webgpu"], []),
    ],
)
@pytest.mark.parametrize("offline", [True, False])
def test_models_and_webgpu_come_when_asked_for(written, options, there, absent, offline):
    files, asked = written(offline=offline, **options)
    for group in there:
        assert names(group) <= set(files)
    for group in absent:
        assert not names(group) & (set(files) | set(asked))


def test_large_files_stay_where_they_are_unless_the_site_is_to_ask_nobody(written):
    name = "ort-wasm-simd-threaded.asyncify.wasm"
    files, asked = written(offline=False, models=True, webgpu=True)
    locked = load_lock().named(name)
    assert files[name]["url"] == locked.url
    assert files[name]["sha256"] == locked.sha256
    assert name not in asked
    assert "ort.webgpu.min.mjs" in asked, "scripts are always the site's own"
    files, _ = written(offline=True, models=True, webgpu=True)
    assert files[name]["url"].startswith("../runtime/")
