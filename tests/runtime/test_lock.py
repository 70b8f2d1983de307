"""The lock that ships, and reading locks."""

import json
import re

import pytest

from hinny.errors import InvalidOption, UnsupportedVersion
from hinny.runtime.lock import GROUPS, LOCK, ON_DEMAND, load_lock, parse_lock


def test_every_locked_file_has_a_hash_a_size_and_a_source():
    lock = load_lock()
    assert lock.files
    for file in lock.files:
        assert re.fullmatch("[0-9a-f]{64}", file.sha256), file.name
        assert file.bytes > 0
        assert file.group in GROUPS
        assert file.sources, file.name


def test_names_are_unique():
    names = [file.name for file in load_lock().files]
    assert len(names) == len(set(names))


def test_packages_are_pinned_and_addresses_are_not_those_of_registries():
    for file in load_lock().files:
        for source in file.sources:
            if source.kind == "npm":
                assert re.fullmatch(r"(@[\w-]+/)?[\w-]+@\d+\.\d+\.\d+", source.place)
                assert source.member
            elif source.kind == "pypi":
                assert "==" in source.place
            else:
                assert source.place.startswith("https://cdn.jsdelivr.net/")


def test_the_numpy_wheel_is_the_one_of_pyodides_own_lock_file():
    expected = "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08"
    assert load_lock().find("numpy-").sha256 == expected


def test_groups_choose_files():
    lock = load_lock()
    core = {file.name for file in lock.of(["core"])}
    assert {"pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"} <= core
    assert not any(name.startswith("pytest") for name in core)
    default = lock.of(None)
    assert {file.group for file in default} == set(GROUPS) - set(ON_DEMAND)
    assert len(default) + len(lock.of(ON_DEMAND)) == len(lock.files)
    with pytest.raises(InvalidOption, match="'nothing'"):
        lock.of(["nothing"])


def test_a_file_is_found_by_name_and_by_how_it_starts():
    lock = load_lock()
    assert lock.named("pyodide.asm.js").type == "text/javascript"
    assert lock.find("snowballstemmer-").name.endswith(".whl")
    with pytest.raises(KeyError):
        lock.named("pyodide")
    with pytest.raises(KeyError):
        lock.find("no-such-file")


def test_a_file_without_an_address_of_its_own_has_no_url():
    lock = load_lock()
    assert lock.find("snowballstemmer-").url is None
    assert lock.named("pyodide.asm.wasm").url.endswith("/pyodide@0.27.7/pyodide.asm.wasm")


@pytest.mark.parametrize("change", [{"version": 2}, {"format": "other"}])
def test_another_format_is_refused(change):
    raw = {**json.loads(LOCK.read_bytes()), **change}
    with pytest.raises(UnsupportedVersion):
        parse_lock(json.dumps(raw))


def test_a_source_of_an_unknown_kind_is_refused():
    raw = json.loads(LOCK.read_bytes())
    raw["files"][0]["sources"] = [{"ftp": "somewhere"}]
    with pytest.raises(ValueError, match="ftp"):
        parse_lock(json.dumps(raw))
