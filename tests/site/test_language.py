"""Languages of pages that name none."""

from __future__ import annotations

from hinny.site.language import with_languages
from hinny.site.sections import Page, Section

ENGLISH = (
    "The mule is the offspring of a donkey and a horse, and it is one of the strongest of the animals. " * 6
)
GERMAN = (
    "Das Maultier ist eine Kreuzung aus einem Esel und einem Pferd, und es ist stärker als die beiden. " * 6
)


def page(url: str, *texts: str, language: str | None = None) -> Page:
    sections = tuple(Section(f"{url}#{n}", url, url, (), text, language) for n, text in enumerate(texts))
    return Page(url, url, sections)


def languages(pages: list[Page]) -> list[list[str | None]]:
    return [[section.language for section in page.sections] for page in pages]


def test_long_pages_are_guessed_and_short_ones_follow_the_site() -> None:
    pages = [page("a", ENGLISH, "1"), page("b", ENGLISH), page("c", GERMAN), page("d", "Ok.")]
    assert languages(with_languages(pages)) == [["en", "en"], ["en"], ["de"], ["en"]]


def test_the_language_given_is_that_of_all_that_name_none() -> None:
    pages = [page("a", ENGLISH), page("b", GERMAN, language="de-AT"), page("c", "?")]
    assert languages(with_languages(pages, "fr")) == [["fr"], ["de-AT"], ["fr"]]


def test_nothing_is_guessed_from_nothing() -> None:
    pages = [page("a", "1 2 3"), page("b", "x" * 500)]
    assert languages(with_languages(pages)) == [[None], [None]]
    assert with_languages([page("a", GERMAN, language="en")]) == [page("a", GERMAN, language="en")]
