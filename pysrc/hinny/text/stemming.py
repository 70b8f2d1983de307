"""Snowball stemmers (M. F. Porter, "Snowball: a language for stemming algorithms", 2001).

`snowballstemmer` is pure Python and is what runs in the browser; `PyStemmer` is the same algorithms in C.
An index made with one is asked with the other, so PyStemmer serves a language only when it stems that
language's probe words as snowballstemmer does.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from hinny.errors import MissingExtra

_ALIAS = "hinny.text._snowball"


@cache
def get_stemmer(algorithm: str) -> Callable[[str], str]:
    """The stemming function of a Snowball algorithm such as `english`: a lower-case word in, a stem out.

    `MissingExtra` when neither package is installed.
    """
    fast = pystemmer(algorithm)
    if fast is None:
        pure = snowball(algorithm)
        if pure is None:
            raise MissingExtra("snowballstemmer", "site", f"stemming ({algorithm})")
        return pure
    if _trusted(algorithm, fast):
        return fast
    return snowball(algorithm) or fast


def _trusted(algorithm: str, fast: Callable[[str], str]) -> bool:
    from hinny.text.stopwords import probe_words

    pure = snowball(algorithm)
    return pure is None or all(fast(word) == pure(word) for word in probe_words(algorithm))


def pystemmer(algorithm: str) -> Callable[[str], str] | None:
    """PyStemmer's function, None where it is not installed or too old to know the algorithm."""
    try:
        module: Any = importlib.import_module("Stemmer")
        stemmer = module.Stemmer(algorithm, 0)
    except (ImportError, KeyError):
        return None
    stem: Callable[[str], str] = stemmer.stemWord
    return stem


def snowball(algorithm: str) -> Callable[[str], str] | None:
    """snowballstemmer's function, None where it is not installed or does not know the algorithm."""
    package = _snowball_package()
    if package is None:
        return None
    try:
        module: Any = importlib.import_module(f"{package}.{algorithm}_stemmer")
    except ImportError:
        return None
    name = "".join(part.title() for part in algorithm.split("_")) + "Stemmer"
    stem: Callable[[str], str] = getattr(module, name)().stemWord
    return stem


@cache
def _snowball_package() -> str | None:
    """A package of our own name over snowballstemmer's folder.

    Importing `snowballstemmer` itself loads all thirty-six languages, or PyStemmer in their place.
    """
    spec = importlib.util.find_spec("snowballstemmer")
    if spec is None or not spec.submodule_search_locations:
        return None
    package = ModuleType(_ALIAS)
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[_ALIAS] = package
    return _ALIAS
