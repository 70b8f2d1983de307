"""Languages of pages that name none: guessed, page by page, with the site's own as the fallback."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hinny.site.sections import Page, Section
from hinny.text.detection import guess_language

_ENOUGH = 400
"""Characters of text from which on a page's own guess counts."""


def with_languages(pages: Sequence[Page], language: str | None = None) -> list[Page]:
    """The pages, each section with a language where one is named or can be told.

    `language`, where given, is that of all sections that name none. Otherwise a page of some length has the
    language that its text looks like, and the others have the one that most such pages have.
    """
    if all(section.language for page in pages for section in page.sections):
        return list(pages)
    guesses = [language or _guess(page) for page in pages]
    votes = Counter(guess for guess in guesses if guess)
    usual = max(votes, key=lambda tag: (votes[tag], tag), default=None)
    return [
        replace(page, sections=tuple(_in_language(section, guess or usual) for section in page.sections))
        for page, guess in zip(pages, guesses, strict=True)
    ]


def _guess(page: Page) -> str | None:
    text = "\n".join(section.text for section in page.sections if not section.language)
    return guess_language(text) if len(text) >= _ENOUGH else None


def _in_language(section: Section, language: str | None) -> Section:
    return section if section.language or language is None else replace(section, language=language)
