"""The manifest: the same bytes for the same bundle, and every damage named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hinny.bundle.manifest import Manifest, make_part
from hinny.errors import BundleError, UnsupportedVersion

PARTS = {"site/pages": make_part("site/pages", b"\x1f\x8b1"), "lexical/x": make_part("lexical/x", b"PK12")}
MANIFEST = Manifest(
    title="Größe",
    counts={"pages": 1, "sections": 2, "terms": 3},
    parts=PARTS,
    root="../../",
    languages={"de": 1, "en": 1},
    analyzers=("de@1", "en@1"),
    resident=("lexical/x",),
    models={"embedder": {"id": "m"}},
    hinny="0.1.0",
)


def test_it_comes_back_as_it_was() -> None:
    assert Manifest.from_bytes(MANIFEST.to_bytes()) == MANIFEST
    assert MANIFEST.size == 7


def test_the_order_of_parts_does_not_matter() -> None:
    turned = Manifest.from_bytes(MANIFEST.to_bytes())
    assert turned.to_bytes() == MANIFEST.to_bytes()
    assert list(json.loads(MANIFEST.to_bytes())["parts"]) == ["lexical/x", "site/pages"]


@pytest.mark.parametrize(
    ("data", "ending"),
    [(b"PK\3\4", ".npz"), (b"\x1f\x8b", ".jsonz"), (b"{}", ".json"), (b"[]", ".json"), (b"", ".bin")],
)
def test_a_parts_file_says_what_it_is_and_carries_its_hash(data: bytes, ending: str) -> None:
    part = make_part("site/texts.0001", data)
    assert part.file == f"parts/site-texts.0001.{part.sha256[:16]}{ending}"
    assert part.bytes == len(data)


def changed(**changes: Any) -> bytes:
    return json.dumps({**json.loads(MANIFEST.to_bytes()), **changes}).encode()


def part(**changes: Any) -> dict[str, Any]:
    good = {"file": "parts/x.npz", "bytes": 1, "sha256": "0" * 64}
    return {"x": {name: value for name, value in {**good, **changes}.items() if value is not None}}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is no JSON"),
        (b"<!doctype html>", "is no JSON"),
        (b"\xff\xfe", "is no JSON"),
        (b"[]", "not the manifest"),
        (b'{"format": "other"}', "not the manifest"),
        (changed(counts=None), "damaged"),
        (changed(counts={"pages": "many"}), "damaged"),
        (changed(parts={"x": None}), "damaged"),
        (changed(parts=part(file="../../etc/passwd")), "no path inside the bundle"),
        (changed(parts=part(file="/etc/passwd")), "no path inside the bundle"),
        (changed(parts=part(file="a//b")), "no path inside the bundle"),
        (changed(parts=part(file="https://example.org/x")), "no path inside the bundle"),
        (changed(parts=part(bytes=-1)), "no size"),
        (changed(parts=part(sha256="0" * 63)), "no SHA-256"),
        (changed(parts=part(sha256=None)), "damaged"),
    ],
)
def test_a_damaged_manifest_is_named(data: bytes, message: str) -> None:
    with pytest.raises(BundleError, match=message) as caught:
        Manifest.from_bytes(data, "there/manifest.json")
    assert "there/manifest.json" in str(caught.value)


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_version_is_named(version: Any) -> None:
    with pytest.raises(UnsupportedVersion, match="rebuild it or update Hinny") as caught:
        Manifest.from_bytes(changed(version=version))
    assert caught.value.found == version
