"""Writing a bundle: whole or not at all, over nothing that is not ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from hinny.bundle.manifest import NAME, Manifest
from hinny.bundle.reader import BundleReader
from hinny.bundle.writer import check_output, is_bundle, write_bundle
from hinny.errors import OutputExists
from support import run

MANIFEST = Manifest("T", {"pages": 1, "sections": 1, "terms": 1}, {})
PARTS = {"site/pages": b"\x1f\x8bpages", "lexical/x": b"PKx"}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    manifest = write_bundle(tmp_path / "deep" / "out", MANIFEST, PARTS)
    assert set(manifest.parts) == set(PARTS)
    reader = run(BundleReader.open(str(tmp_path / "deep" / "out")))
    assert reader.manifest == manifest
    assert run(reader.verify()) == []
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]


def test_the_same_parts_give_the_same_files(tmp_path: Path) -> None:
    write_bundle(tmp_path / "a", MANIFEST, PARTS)
    write_bundle(tmp_path / "b", MANIFEST, dict(reversed(PARTS.items())))
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_bundle_is_replaced_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_bundle(out, MANIFEST, {**PARTS, "old": b"old"})
    (out / "stray.txt").write_text("stray")
    manifest = write_bundle(out, MANIFEST, PARTS)
    assert set(files(out)) == {NAME, *(part.file for part in manifest.parts.values())}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    write_bundle(tmp_path / "out", MANIFEST, PARTS)
    assert is_bundle(tmp_path / "out")


def test_what_is_not_ours_is_not_overwritten_without_force(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("years of work")
    with pytest.raises(OutputExists, match="--force"):
        write_bundle(out, MANIFEST, PARTS)
    assert files(out) == {"thesis.txt": b"years of work"}
    write_bundle(out, MANIFEST, PARTS, force=True)
    assert "thesis.txt" not in files(out)


def test_a_manifest_of_something_else_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text('{"name": "My web app"}')
    assert not is_bundle(tmp_path)
    with pytest.raises(OutputExists):
        check_output(tmp_path)


def test_a_file_is_never_replaced_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(OutputExists, match="is a file"):
        write_bundle(tmp_path / "out", MANIFEST, PARTS, force=True)


def test_a_failure_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_bundle(out, MANIFEST, PARTS)
    before = files(out)

    def fail(folder: Path) -> None:
        (folder / "half.txt").write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_bundle(out, MANIFEST, {"other": b"other"}, more=fail)
    assert files(out) == before
    with pytest.raises(OSError, match="disk full"):
        write_bundle(tmp_path / "new", MANIFEST, PARTS, more=fail)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
