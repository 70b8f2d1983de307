"""Extension modules that are loaded when something of theirs is first used.

numpy imports its linear algebra library (2 MB of WebAssembly) whether or not anyone decomposes a matrix; a
query does not. Before a snapshot is made a stand-in takes the library's place.
"""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any


class LaterModule(ModuleType):
    """Loads the module of its name when an attribute is first asked for; `ImportError` without its file."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(_load(self.__name__), name)


_loaded: dict[str, ModuleType] = {}


def _load(name: str) -> ModuleType:
    if name not in _loaded:
        package = sys.modules[name.rpartition(".")[0]]
        spec = PathFinder.find_spec(name, package.__path__)
        if spec is None or spec.loader is None:
            raise ImportError(f"the file of {name} is not loaded yet", name=name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        _loaded[name] = module
    return _loaded[name]


def stand_in(name: str) -> None:
    """Put a `LaterModule` in the place of the module of this name, which must not be imported yet."""
    if name in sys.modules:
        raise RuntimeError(f"{name} is imported already")
    sys.modules[name] = LaterModule(name)
