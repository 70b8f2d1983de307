"""Function words of a question in a language that the index has none of.

Someone asks an English manual in German: names and code find what is meant, but `ist` and `oder` are rare
words of an English index, and rare words weigh most. Where a question is clearly written in another language,
that language's function words are taken for what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hinny.text.detection import guess_language
from hinny.text.languages import LANGUAGES
from hinny.text.segmentation import get_segmenter
from hinny.text.stopwords import listed_words, stop_words
from hinny.text.tokens import WORD

_FEWEST_WORDS = 5
_FEWEST_FOREIGN = 3
_NONE: frozenset[str] = frozenset()


def foreign_stop_words(text: str, own: frozenset[str]) -> frozenset[str]:
    """Stop words (folded) of the language in which `text` is clearly written, where it is no one's here.

    `own` are the stop words of the languages that are here. Empty for a text of fewer than five words, for
    one in which these are as many, and where fewer than three words say what else it is: a keyword that is a
    function word elsewhere (`die hard`) stays a keyword.
    """
    if not may_be_foreign(text.split(), own):
        return _NONE
    words = stop_words(guess_language(text))
    if not words:
        return _NONE
    terms = {token.term for token in get_segmenter().tokens(text) if token.kind == WORD}
    found = len(terms & words)
    return words if found >= _FEWEST_FOREIGN and found > len(terms & own) else _NONE


def may_be_foreign(pieces: Sequence[str], own: frozenset[str]) -> bool:
    """Whether a text, cut at white space, is worth a closer look: nearly none is, at next to no cost."""
    return len(pieces) >= _FEWEST_WORDS and len(_others(own).intersection(pieces)) >= _FEWEST_FOREIGN


@cache
def _others(own: frozenset[str]) -> frozenset[str]:
    """Stop words of all languages but these, as the files spell them: enough to tell who needs a look."""
    return frozenset(word for language in LANGUAGES for word in listed_words(language)) - own
