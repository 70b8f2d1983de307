"""What a site is cut into: pages, and the sections under their headings.

A page's first section is its introduction: the text before the first heading that is not the page's own
title; its URL is the page's. Every further heading opens a section, whose URL ends in the heading's
anchor where the page has one. URLs are relative to the site's root, percent-encoded, without a leading
slash; the root's own index page is `./`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from re import compile as regex

from hinny.records import Document, MetadataValue

FIELDS = ("title", "headings", "text")
"""The fields of a section's `Document`, in the order in which an index keeps them."""


@dataclass(frozen=True, slots=True)
class Section:
    """The text between two headings."""

    url: str
    """URL of the page with the anchor of the nearest heading that has one."""
    page: str
    page_title: str
    headings: tuple[str, ...]
    """Heading path below the page's title, the section's own heading last; empty for an introduction."""
    text: str
    language: str | None = None
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    copy: int = 1
    """Counts the sections of one URL: a heading without an anchor shares the URL of the one above it."""

    @property
    def id(self) -> str:
        """Unique in the site: the URL, and `~2`, `~3` ... for further sections of the same URL."""
        return self.url if self.copy == 1 else f"{self.url}~{self.copy}"

    def to_document(self) -> Document:
        """The section as an index takes it; numbers of chapters and sections are left out of its titles."""
        return Document(
            id=self.id,
            fields={
                "title": without_number(self.page_title),
                "headings": "\n".join(without_number(heading) for heading in self.headings),
                "text": self.text,
            },
            metadata=self.metadata,
            language=self.language,
        )


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a section (its position in the page) to a URL of the site, with anchor."""

    section: int
    target: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page, cut."""

    url: str
    title: str
    sections: tuple[Section, ...]
    links: tuple[Link, ...] = ()
    anchors: Mapping[str, int] = field(default_factory=dict)
    """Every anchor of the page's text to the position of the section that it lies in."""
    problems: tuple[str, ...] = ()
    """What was wrong with the page and could be helped, such as a wrongly declared encoding."""


# "Chapter 11. Indexes", "9.13. Text Search", "3.2 Usage", "E.21. Release 15", "Part IV. Client Interfaces".
# A lone letter or Roman numeral counts only after its word: "C. elegans" and "I. Asimov" are no numbers.
_NUMBER = regex(
    r"(?:(?:chapter|appendix|part|section|kapitel|anhang|teil|chapitre|annexe|partie|cap[ií]tulo)\s+"
    r"(?:\d{1,3}|[A-Z]|[IVXLC]{1,7})(?:\.\d{1,3})*[.:]\s+"
    r"|[A-Z](?:\.\d{1,3})+\.\s+"
    r"|\d{1,3}(?:\.\d{1,3})*\.\s+"
    r"|\d{1,3}(?:\.\d{1,3})+\s+)",
    2,  # re.IGNORECASE
)


def without_number(title: str) -> str:
    """The title without the number of its chapter or section, so that its name alone is its exact title.

    >>> without_number("9.13. Text Search Functions"), without_number("Chapter 12. Full Text Search")
    ('Text Search Functions', 'Full Text Search')
    """
    found = _NUMBER.match(title)
    return title[found.end() :] if found and found.end() < len(title) else title


def model_text(page_title: str, headings: Iterable[str], text: str) -> str:
    """What a model reads of a section: the fields of its document, a line each."""
    return "\n".join((without_number(page_title), "\n".join(map(without_number, headings)), text))


SEPARATORS = (" | ", " — ", " – ", " - ", " · ", " :: ", " » ", " « ", " • ")


def site_suffix(titles: Iterable[str]) -> str:
    """What most titles of a site end in: separator and site name, or an empty string.

    A suffix counts when at least three titles and three in five of them end in it.
    """
    counts: dict[str, int] = {}
    total = 0
    for title in titles:
        total += 1
        cut = max((title.rfind(separator) for separator in SEPARATORS), default=-1)
        if cut > 0:
            counts[title[cut:]] = counts.get(title[cut:], 0) + 1
    suffix = max(counts, key=lambda item: (counts[item], item), default="")
    return suffix if counts.get(suffix, 0) >= max(3, total * 3 / 5) else ""
