"""The archive of our package that the worker loads."""

import io
import zipfile

from hinny.runtime import core_archive


def test_the_same_sources_give_the_same_bytes():
    assert core_archive.build() == core_archive.build()


def test_it_holds_what_a_query_needs_and_not_what_only_a_build_needs():
    names = zipfile.ZipFile(io.BytesIO(core_archive.build())).namelist()
    assert "hinny/browser_entry.py" in names
    assert "hinny/lexical/bm25f.py" in names
    assert names == sorted(names)
    assert not [name for name in names if name.startswith(("hinny/cli/", "hinny/assets/"))]
    assert "hinny/runtime/runtime.lock.json" not in names
    assert not [name for name in names if "__pycache__" in name]


def test_neither_order_nor_age_of_the_files_matters(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    for folder, names in (("one", ["a.py", "b.json"]), ("two", ["b.json", "a.py"])):
        for name in names:
            (tmp_path / folder / name).write_text(name)
    assert core_archive.build(tmp_path / "one") == core_archive.build(tmp_path / "two")
    archive = zipfile.ZipFile(io.BytesIO(core_archive.build(tmp_path / "one")))
    assert archive.namelist() == ["hinny/a.py", "hinny/b.json"]
    assert archive.read("hinny/b.json") == b"b.json"
    assert {entry.date_time[0] for entry in archive.infolist()} == {1980}
