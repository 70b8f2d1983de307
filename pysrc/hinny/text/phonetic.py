"""Phonetic keys: words that sound alike in English share one (Double Metaphone, L. Philips, 2000).

The package `metaphone` is pure Python, so the build and the browser agree.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

from hinny.errors import MissingExtra

_SHORTEST = 3


@lru_cache(maxsize=100_000)
def phonetic_keys(term: str) -> tuple[str, ...]:
    """One or two keys of a folded word, lower case and marked by a leading `~`, the likelier first.

    None for a short word, one with digits or signs, or one of another script.
    `MissingExtra` when the package is not installed.
    """
    if len(term) < _SHORTEST or not (term.isascii() and term.isalpha()):
        return ()
    try:
        module: Any = importlib.import_module("metaphone")
    except ImportError:
        raise MissingExtra("metaphone", "phonetic", "phonetic matching") from None
    keys: list[str] = [key.lower() for key in module.doublemetaphone(term) if key]
    return tuple(f"~{key}" for key in dict.fromkeys(keys))
