"""Phonetic keys: words that sound alike in English share one.

The key is a Metaphone (L. Philips, Computer Language 7(12), 1990): consonants by their sound, `0` for th and
`x` for sh, and vowels only at the beginning, where all are `a`. A word is read from left to right; the first
rule that fits takes its letters. A few rules are ours: `gh` is f in words such as laugh and tough, `ch` is k
in words from Greek. It is pure Python, so the build and the browser agree.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

_SHORTEST = 3
_RULES = (
    ("[aeiou]", ""),
    ("^[kgpm]n", "n"),
    ("^ps", "s"),
    ("^wr", "r"),
    ("^x", "s"),
    ("^wh(?=o)", "h"),
    ("^wh", "w"),
    ("(?<=m)b$", ""),
    ("b", "b"),
    ("sch", "sk"),
    ("^ch(?=l|aos|em|or[di]|ara)|ch(?=r|n[aeio])|(?<=psy)ch|(?<=^ar)ch(?=i[ptv]|a[ei])", "k"),
    ("t?ch|sh", "x"),
    ("sc(?=[eiy])", "s"),
    ("[cst](?=i[ao])", "x"),
    ("c(?=[eiy])", "s"),
    ("c(?=c[eiy])", "k"),
    ("que?s?$", "k"),
    ("c?qu(?=[aeiou])", "kw"),
    ("c[ckq]?|q|k|x(?=c[eiy])", "k"),
    ("x", "ks"),
    ("dg(?=[eiy])|dj", "j"),
    ("th", "0"),
    ("[dt]", "t"),
    ("^gh", "k"),
    ("(?<=lau)gh|(?<=cou)gh|(?<=tou)gh|(?<=nou)gh(?!t)|(?<=^rou)gh|ph|[fv]", "f"),
    ("gh|g(?=ne?[ds]?$)", ""),
    ("g(?=[eiy])|j", "j"),
    ("g", "k"),
    ("rh|r", "r"),
    ("w(?=[aeiou])", "w"),
    ("y(?=[aeiou])", "y"),
    ("h(?=[aeiouy])", "h"),
    ("[sz]", "s"),
    ("l", "l"),
    ("m", "m"),
    ("n", "n"),
    ("p", "p"),
    (".", ""),
)
_BEGINNINGS = {
    "a": "aeiou",
    "f": "fpv",
    "h": "hw",
    "j": "dgj",
    "k": "ckqg",
    "n": "ngkpm",
    "r": "rw",
    "s": "scpxz",
    "t": "td",
    "0": "t",
    "x": "cst",
}
"""First sound to the letters that words with it begin with, where those are not the sound's own."""


@lru_cache(maxsize=100_000)
def phonetic_key(term: str) -> str:
    """The key of a folded word; empty for a short one, one with digits or signs, or of another script.

    A word of one consonant sound and nothing before it has none either: it is like too many.
    """
    if len(term) < _SHORTEST or not (term.isascii() and term.isalpha()):
        return ""
    rules = _compiled()
    word = _TWICE.sub(r"\1", term)
    sounds = [_RULES[match.lastindex - 1][1] for match in rules.finditer(word) if match.lastindex]
    key = ("a" if word[0] in "aeiou" else "") + "".join(sounds)
    return key if len(key) > 1 else ""


def first_letters(key: str) -> str:
    """The letters that words of a key may begin with."""
    return _BEGINNINGS.get(key[0], key[0])


@cache
def _compiled() -> re.Pattern[str]:
    """All rules as one pattern, a group each: most sites never ask."""
    return re.compile("|".join(f"({pattern})" for pattern, _ in _RULES))


_TWICE = re.compile(r"([^c])\1")
