"""Modules that wait until something of theirs is used."""

import importlib
import sys

import pytest

from hinny.runtime import later


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package whose module `user` imports the module `heavy` beside it."""
    folder = tmp_path / "waiting"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "user.py").write_text("from waiting import heavy\n\n\ndef answer():\n    return heavy.ANSWER\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield folder
    later._loaded.pop("waiting.heavy", None)
    for name in ("waiting", "waiting.heavy", "waiting.user"):
        sys.modules.pop(name, None)


def test_the_file_is_loaded_when_something_of_it_is_used(package):
    later.stand_in("waiting.heavy")
    user = importlib.import_module("waiting.user")
    with pytest.raises(ImportError, match=r"waiting\.heavy is not loaded yet"):
        user.answer()
    (package / "heavy.py").write_text("ANSWER = 42\n")
    importlib.invalidate_caches()
    assert user.answer() == 42
    (package / "heavy.py").unlink()
    assert user.answer() == 42, "loaded once"


def test_what_the_interpreter_looks_for_loads_nothing(package):
    later.stand_in("waiting.heavy")
    importlib.import_module("waiting.user")
    assert not hasattr(sys.modules["waiting.heavy"], "__path__")


def test_a_module_that_is_there_is_not_replaced():
    with pytest.raises(RuntimeError, match="imported already"):
        later.stand_in("sys")
