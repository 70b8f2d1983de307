"""Phonetic keys: words that sound alike in English share one (Metaphone, L. Philips, 1990).

The keys come from jellyfish's Python module and not from its compiled one, so that the browser and the build
agree; the compiled one need not be importable.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from types import ModuleType
from typing import Any

from hinny.errors import MissingExtra

_ALIAS = "hinny.text._jellyfish"
_SHORTEST = 3


@lru_cache(maxsize=100_000)
def phonetic_keys(term: str) -> tuple[str, ...]:
    """The folded word's keys, lower case, marked by a leading `~`.

    None for a short word, one with digits or signs, or one of another script.
    `MissingExtra` when jellyfish is not installed.
    """
    if len(term) < _SHORTEST or not (term.isascii() and term.isalpha()):
        return ()
    key = _metaphone()(term)
    return (f"~{key.lower()}",) if key else ()


@cache
def _metaphone() -> Callable[[str], str]:
    spec = importlib.util.find_spec("jellyfish")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra("jellyfish", "phonetic", "phonetic matching")
    package = ModuleType(_ALIAS)  # importing jellyfish itself would need its compiled module
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[_ALIAS] = package
    try:
        module: Any = importlib.import_module(f"{_ALIAS}._jellyfish")
    except ImportError as error:
        raise MissingExtra("jellyfish>=1.1", "phonetic", "phonetic matching") from error
    metaphone: Callable[[str], str] = module.metaphone
    return metaphone
