"""A guess at an untagged text's language: by its script, then by which language's function words it holds.

A script used by one of our languages decides at once. Latin, Cyrillic, Arabic and Devanagari are shared:
there the share of a text's words that are stop words decides, and a text shorter than a sentence, in a
language without a list, or without a clear winner, is left unknown. Close neighbours (Danish and Norwegian,
Czech and Slovak) are told apart only by long texts, Indonesian and Malay hardly ever. Tag your pages where
you can.
"""

from __future__ import annotations

from collections import Counter

from hinny.text.characters import classes_of
from hinny.text.languages import LANGUAGES
from hinny.text.segmentation import get_segmenter
from hinny.text.stopwords import stop_words
from hinny.text.tokens import WORD

_SAMPLE = 4000
_FEWEST_WORDS = 5
_LEAST_SHARE = 0.1
_CLEAR = 1.15

# First code point after the script, its name, or the one language of ours that it is written in.
_SCRIPTS = (
    (0x0250, "latin"), (0x0370, ""), (0x0400, "el"), (0x0530, "cyrillic"), (0x0590, "hy"), (0x0600, "hebrew"),
    (0x0780, "arabic"), (0x0900, ""), (0x0980, "devanagari"), (0x0A00, "bn"), (0x0B80, ""), (0x0C00, "ta"),
    (0x1E00, ""), (0x1F00, "latin"), (0x2000, "el"),
)  # fmt: skip
_SHARED = {
    "arabic": ("ar", "fa"),
    "cyrillic": ("bg", "ru", "sr", "uk"),
    "devanagari": ("hi", "ne"),
    "hebrew": ("he", "yi"),
}
# Letters that the other languages of a shared script lack: as good as a fifth of the words.
_TELLING = {"ыэё": "ru", "іїєґ": "uk", "јљњћђџ": "sr", "پچژگ": "fa", "ײַױײ": "yi"}
_TELLS = 0.2
_OTHER = {"ar", "bg", "bn", "cjk", "el", "fa", "he", "hi", "hy", "ko", "ne", "ru", "ta", "uk", "yi"}
_LATIN = tuple(language for language in LANGUAGES if language not in _OTHER)


def guess_language(text: str) -> str | None:
    """A key of `LANGUAGES`, or None when the first few thousand characters do not say clearly."""
    sample = text[:_SAMPLE]
    script = _main_script(sample)
    if script in LANGUAGES or not script:
        return script or None
    terms = [token.term for token in get_segmenter().tokens(sample) if token.kind == WORD]
    if len(terms) < _FEWEST_WORDS:
        return None
    scores = {
        language: sum(term in words for term in terms) / len(terms)
        for language in _SHARED.get(script, _LATIN)
        if (words := stop_words(language))
    }
    for letters, language in _TELLING.items():
        if language in scores and any(letter in sample for letter in letters):
            scores[language] += _TELLS
    (best, score), (next_best, next_score) = Counter(scores).most_common(2)
    stemmer = LANGUAGES[best].stemmer
    alike = stemmer is not None and stemmer == LANGUAGES[next_best].stemmer  # a wrong guess costs nothing
    return best if score >= _LEAST_SHARE and (alike or score >= next_score * _CLEAR) else None


def _main_script(sample: str) -> str:
    """The script of most letters: a language of ours, a key of `_SHARED`, `latin`, or nothing."""
    counts: Counter[str] = Counter()
    for character, letter in zip(sample, classes_of(sample), strict=True):
        if letter in "ht":
            counts["cjk"] += 2  # one character says as much as two letters
        elif letter == "k":
            counts["ko"] += 2
        elif letter in "aA":
            code = ord(character)
            counts[next((name for end, name in _SCRIPTS if code < end), "")] += 1
    return counts.most_common(1)[0][0] if counts else ""
