from __future__ import annotations

import json

import pytest

from hinny.errors import BundleError, UnsupportedVersion
from hinny.lexical.snapshot import SNAPSHOT, parts_of_snapshot, to_snapshot


def test_parts_come_back() -> None:
    parts = {"b": b"\x00\xff", "a": b""}
    data = json.loads(json.dumps(to_snapshot(parts, ["en@1"])))
    assert data["analyzers"] == ["en@1"]
    assert list(data["parts"]) == ["a", "b"]
    assert parts_of_snapshot(data) == parts


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ({}, BundleError),
        ({"format": SNAPSHOT, "version": 2}, UnsupportedVersion),
        ({"format": SNAPSHOT, "version": 1}, BundleError),
        ({"format": SNAPSHOT, "version": 1, "parts": []}, BundleError),
        ({"format": SNAPSHOT, "version": 1, "parts": {"a": "no base64!"}}, BundleError),
    ],
)
def test_what_is_no_snapshot_is_named(data: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        parts_of_snapshot(data)
