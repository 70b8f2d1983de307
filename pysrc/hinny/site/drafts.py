"""Sections in the making: headings open them, text flows into them, small ones are given back.

`Drafts` knows nothing of HTML. It is told in reading order what a page holds, and answers with the
page's sections.
"""

from __future__ import annotations

from collections.abc import Mapping
from re import compile as regex

from hinny.records import MetadataValue
from hinny.site.sections import Link, Page, Section
from hinny.site.urls import escape

SMALLEST = 40
"""A section of fewer characters whose heading has no anchor, or of a term in a list, joins the one above."""

_BLANKS = regex(r"[^\S\n]+")
_BREAKS = regex(r" ?\n[ \n]*")


def tidy(text: str) -> str:
    """Runs of blanks to one space, runs of line breaks to one, nothing at the ends."""
    return _BREAKS.sub("\n", _BLANKS.sub(" ", text)).strip()


class Draft:
    """One section being written."""

    __slots__ = (
        "anchor",
        "anchors",
        "heading",
        "languages",
        "level",
        "links",
        "merged",
        "own",
        "parent",
        "parts",
    )

    def __init__(self, heading: str, level: int, anchor: str, parent: Draft | None, *, own: bool) -> None:
        self.heading = heading
        self.level = level
        self.anchor = anchor
        """The anchor to link to: its own, or the nearest above."""
        self.own = own
        self.parent = parent
        self.parts: list[str] = []
        self.languages: dict[str | None, int] = {}
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.merged: Draft | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """Headings from the top down to this one, the page's title left out."""
        path: list[str] = []
        at: Draft | None = self
        while at is not None and at.parent is not None:
            path.append(at.heading)
            at = at.parent
        return tuple(reversed(path))

    def add(self, text: str, language: str | None) -> None:
        """Append text in a language."""
        self.parts.append(text)
        self.languages[language] = self.languages.get(language, 0) + len(text)

    @property
    def language(self) -> str | None:
        """The language of most of the text."""
        return max(self.languages, key=lambda tag: self.languages[tag], default=None)


class Drafts:
    """The sections of one page, in reading order."""

    def __init__(self) -> None:
        self.intro = Draft("", 0, "", None, own=True)
        self.current = self.intro
        self.all = [self.intro]

    def open(self, heading: str, level: int, anchor: str | None) -> None:
        """A heading of a level (1 outermost) with its own anchor, if it has one."""
        parent = self.current
        while parent.parent is not None and parent.level >= level:
            parent = parent.parent
        nearest = anchor if anchor is not None else parent.anchor
        self.current = Draft(heading, level, nearest, parent, own=anchor is not None)
        self.all.append(self.current)

    def back_to(self, draft: Draft) -> None:
        """Go on with an earlier section: a list of terms has ended."""
        self.current = draft

    def finish(
        self,
        url: str,
        title: str,
        language: str | None,
        metadata: Mapping[str, MetadataValue],
        problems: tuple[str, ...] = (),
    ) -> Page:
        """The page, its empty and tiny sections merged into the ones above them."""
        kept = self._kept()
        seen: dict[str, int] = {}
        sections: list[Section] = []
        for draft, text in kept:
            where = f"{url}#{escape(draft.anchor)}" if draft.anchor else url
            seen[where] = seen.get(where, 0) + 1
            tongue = draft.language or language
            sections.append(Section(where, url, title, draft.path, text, tongue, metadata, seen[where]))
        position = {id(draft): place for place, (draft, _) in enumerate(kept)}
        links: dict[Link, None] = {}
        anchors: dict[str, int] = {}
        for draft in self.all:
            home = draft
            while home.merged is not None:
                home = home.merged
            place = position.get(id(home), 0)
            for anchor in [draft.anchor, *draft.anchors] if draft.own and draft.anchor else draft.anchors:
                anchors.setdefault(anchor, place)
            for target in draft.links:
                links[Link(place, target)] = None
        return Page(url, title, tuple(sections), tuple(links), anchors, problems)

    def _kept(self) -> list[tuple[Draft, str]]:
        texts = {id(draft): tidy("".join(draft.parts)) for draft in self.all}
        joined: dict[int, list[str]] = {}
        first_child: dict[int, Draft] = {}
        # Last to first, so that the children of a section are settled before it is.
        for draft in reversed(self.all):
            below = joined.pop(id(draft), [])
            text = texts[id(draft)] = "\n".join(filter(None, [texts[id(draft)], *reversed(below)]))
            if draft.parent is None:
                continue
            if not text and id(draft) in first_child:
                draft.merged = first_child[id(draft)]  # its heading lives on in the paths below it
            elif not text or (len(text) < SMALLEST and (not draft.own or draft.level > 6)):
                draft.merged = draft.parent
                joined.setdefault(id(draft.parent), []).append(f"{draft.heading}\n{text}".strip())
                continue
            first_child[id(draft.parent)] = draft
        return [
            (draft, texts[id(draft)])
            for draft in self.all
            if draft.merged is None and (draft.parent is not None or texts[id(draft)] or draft.heading)
        ]
