"""HTML bytes to a page of sections, by the HTML parsing standard, without a file system.

The parser follows the standard, so broken pages come apart as in a browser, and there is one in pure Python
(`hinny.site.tree`), so that the same code indexes files that a reader drops on a page.

A heading's anchor is, in this order: its own id; an id or name inside it; the nearest of the elements that
begin with it (`<section id>`) and the empty anchors just before it (`<a name>`). A term of a description list
(`<dt id>`: settings, functions, glossaries) is a heading too, below the ones around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import unquote

from hinny.site.chrome import Attributes, holds_text, is_body, is_chrome, names
from hinny.site.drafts import Draft, Drafts, tidy
from hinny.site.encoding import decode
from hinny.site.html_metadata import Head, read_head, read_marks
from hinny.site.sections import SEPARATORS, Page
from hinny.site.tree import Node, parse, text_of
from hinny.site.urls import resolve

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_TERM_LEVEL = 7
_LONGEST_HEADING = 300
_BLOCKS = names(
    "address article aside blockquote body br caption center dd details dialog div dl dt fieldset "
    "figcaption figure form h1 h2 h3 h4 h5 h6 header hgroup hr li main ol p pre section summary table "
    "tbody tfoot thead tr ul"
)
_CELLS = frozenset(("td", "th"))
# Inside these a heading without an anchor is part of the text: the title of a note, a cell, a quotation.
_BOXES = frozenset(("table", "blockquote", "figure", "li", "aside", "details"))
_BOX_CLASSES = names(
    "note tip warning caution important admonition example figure sidebar callout alert theme-admonition"
)
_PERMALINKS = frozenset(("#", "¶", "§", "🔗", "¶︎"))


class NoText(Exception):
    """The page holds nothing to index; the message is the reason for the list of skipped pages."""


def parse_html(data: bytes, url: str) -> Page:
    """Cut one HTML page. `url` is relative to the site's root, as `hinny.site.sections` describes.

    Raises `NoText` with the reason when there is nothing to index, `MissingExtra` without a parser.
    """
    text, problem = decode(data)
    return cut_html(text, url, (problem,) if problem else ())


def cut_html(
    text: str,
    url: str,
    problems: tuple[str, ...] = (),
    *,
    title: str | None = None,
    resolver: Callable[[str], str | None] | None = None,
    parser: str | None = None,
) -> Page:
    """As `parse_html`, from decoded text, with a title and a way to follow links in place of the page's.

    `parser` names one of `hinny.site.tree.PARSERS`.
    """
    root = parse(text, parser)
    head = read_head(root)
    if head.ignored is not None:
        raise NoText(head.ignored)
    if title is not None:
        head.title = title
    cutter = _Cutter(url, head, resolver or partial(resolve, url))
    for start in _starts(root):
        cutter.walk(start)
    return cutter.finish(problems)


def _starts(root: Node) -> list[Node]:
    """Where the page's text lies: what the author marked, else `main`, else the whole body."""
    bodies, mains = [], []
    for node in _elements(root):
        attributes: Attributes = node.attrs or {}
        if is_body(attributes):
            bodies.append(node)
        elif node.name == "main" or attributes.get("role") == "main":
            mains.append(node)
    return _outermost(bodies) or _outermost(mains) or [root]


def _elements(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.attrs is not None:
            yield node
        if node.children:
            stack.extend(child for child in reversed(node.children) if child.name[0] != "#")


def _outermost(nodes: list[Node]) -> list[Node]:
    chosen = {id(node) for node in nodes}
    kept = []
    for node in nodes:
        above = node.parent
        while above is not None and id(above) not in chosen:
            above = above.parent
        if above is None:
            kept.append(node)
    return kept


class _Open:
    """An element whose end has not been reached."""

    __slots__ = ("box", "draft", "emitted", "id", "language", "name", "order")

    def __init__(self, name: str, id: str | None, emitted: int, order: int) -> None:
        self.name = name
        self.id = id
        self.emitted = emitted
        self.order = order
        self.language: str | None = None
        self.box = False
        self.draft: Draft | None = None


class _Cutter:
    """Walks a page in reading order and tells `Drafts` what it sees."""

    def __init__(self, url: str, head: Head, resolver: Callable[[str], str | None]) -> None:
        self.url = url
        self.resolve = resolver
        self.head = head
        self.drafts = Drafts()
        self.language = head.language
        self.emitted = 0  # visible characters so far: says what began where a heading begins
        self.order = 0
        self.open: list[_Open] = []
        self.boxes = 0
        self.pre = 0
        self.lists = 0
        self.empty_anchor: tuple[str, int, int, bool] | None = None
        self.heading: list[str] | None = None
        self.heading_anchor: str | None = None
        self.title_heading: str | None = None
        self.first_heading: str | None = None

    def walk(self, start: Node) -> None:
        """Everything below and including `start`."""
        stack: list[tuple[Any, _Open | None]] = [(start, None)]
        inside: list[_Open] = []  # open elements that hold the page's text
        while stack:
            node, closing = stack.pop()
            if closing is not None:
                if inside and inside[-1] is closing:
                    inside.pop()
                self._leave(closing)
                continue
            name = node.name
            if name[0] == "#":
                if name == "#text" and node.data:
                    self._text(node.data)
                elif node.children:
                    stack.extend((child, None) for child in reversed(node.children))
                continue
            attributes: Attributes = node.attrs or {}
            if is_chrome(name, attributes, inside_text=bool(inside)) and name not in ("html", "body"):
                continue
            if name == "a" and self.heading is not None and _is_permalink(node):
                self.heading_anchor = self.heading_anchor or _target(attributes)
                continue
            opened = self._enter(name, attributes)
            if holds_text(name, attributes):
                inside.append(opened)
            stack.append((node, opened))
            if node.children:
                stack.extend((child, None) for child in reversed(node.children))

    def finish(self, problems: tuple[str, ...]) -> Page:
        title = self._title()
        if not self.emitted:
            raise NoText("no text")
        intro = self.drafts.intro
        intro.heading = title if self.title_heading is not None else ""
        if intro.heading and self.head.description and not "".join(intro.parts).strip():
            intro.add(self.head.description, self.head.language)  # a hit for the page has something to show
        metadata = self.head.metadata()
        return self.drafts.finish(self.url, title, self.head.language, metadata, problems)

    def _title(self) -> str:
        title = tidy(self.head.title).replace("\n", " ")
        shown = self.title_heading or self.first_heading or ""
        if not title:
            return shown or unquote(self.url.rstrip("/").rsplit("/", 1)[-1]) or self.url
        # "Installation | Frobnicate" over the heading "Installation".
        if shown and title.startswith(shown) and title[len(shown) :].startswith(SEPARATORS):
            return shown
        return title

    def _enter(self, name: str, attributes: Attributes) -> _Open:
        self.order += 1
        anchor = attributes.get("id") or (attributes.get("name") if name == "a" else None) or None
        opened = _Open(name, anchor, self.emitted, self.order)
        self.open.append(opened)
        language = attributes.get("lang") or attributes.get("xml:lang")
        if language:
            opened.language, self.language = self.language or "", language.strip()
        if name in _BLOCKS:
            self._break("\n")
        elif name in _CELLS:
            self._break(" ")
        classes = attributes.get("class")
        if name in _BOXES or (classes and not _BOX_CLASSES.isdisjoint(classes.split())):
            opened.box = True
            self.boxes += 1
        if name == "pre":
            self.pre += 1
        elif name == "dl":
            self.lists += 1
            opened.draft = self.drafts.current
        if attributes:
            read_marks(self.head, attributes)
        if name in _HEADINGS or name == "dt":
            self._start_heading(name, anchor)
        elif anchor:
            self._see_anchor(anchor, attributes, empty=name in ("a", "span"))
        if name == "a" and attributes.get("href"):
            self._see_link(attributes["href"] or "")
        return opened

    def _leave(self, opened: _Open) -> None:
        while self.open and self.open.pop() is not opened:
            pass
        name = opened.name
        if (name in _HEADINGS or name == "dt") and self.heading is not None:
            self._end_heading(name, opened)
        if opened.language is not None:
            self.language = opened.language or None
        if opened.box:
            self.boxes -= 1
        if name == "pre":
            self.pre -= 1
        elif name == "dl":
            self.lists -= 1
            if opened.draft is not None and self.drafts.current is not opened.draft:
                self._back_to(opened.draft)
        if name in _BLOCKS:
            self._break("\n")
        elif name in _CELLS:
            self._break(" ")

    def _back_to(self, draft: Draft) -> None:
        at: Draft | None = self.drafts.current
        while at is not None and at is not draft:
            at = at.parent
        if at is draft:  # only terms were opened in the list, no headings above them
            self.drafts.back_to(draft)

    def _text(self, data: str) -> None:
        if not data.isspace():
            self.emitted += len(data)
        elif not self.pre:
            data = " "
        if not self.pre and "\n" in data:
            data = data.replace("\n", " ")
        if self.heading is not None:
            self.heading.append(data)
        else:
            self.drafts.current.add(data, self.language)

    def _break(self, gap: str) -> None:
        if self.heading is not None:
            self.heading.append(" ")
        else:
            parts = self.drafts.current.parts
            if parts and parts[-1] != "\n":
                parts.append(gap)

    def _see_anchor(self, anchor: str, attributes: Attributes, *, empty: bool) -> None:
        if self.heading is not None:
            self.heading_anchor = self.heading_anchor or anchor
            return
        self.drafts.current.anchors.append(anchor)
        if empty:
            weak = "indexterm" in (attributes.get("class") or "")
            kept = self.empty_anchor
            if weak and kept is not None and kept[1] == self.emitted and not kept[3]:
                return
            self.empty_anchor = (anchor, self.emitted, self.order, weak)

    def _see_link(self, href: str) -> None:
        target = self.resolve(href)
        if target is not None:
            self.drafts.current.links.append(target)

    def _start_heading(self, name: str, anchor: str | None) -> None:
        if self.heading is not None:
            return  # a heading inside a heading is part of it
        self.heading = []
        self.heading_anchor = anchor
        if anchor is None and name != "dt":
            self.heading_anchor = self._anchor_before()

    def _anchor_before(self) -> str | None:
        """The anchor of what begins here: an enclosing element's, or an empty one just before."""
        found: tuple[int, str] | None = None
        for opened in reversed(self.open[:-1]):
            if opened.emitted != self.emitted or opened.name in ("body", "html", "main"):
                break
            if opened.id:
                found = (opened.order, opened.id)
                break
        if self.empty_anchor is not None and self.empty_anchor[1] == self.emitted:
            anchor, _, order, weak = self.empty_anchor
            if found is None or (order > found[0] and not weak):
                return anchor
        return found[1] if found else None

    def _end_heading(self, name: str, opened: _Open) -> None:
        assert self.heading is not None
        text = tidy("".join(self.heading)).replace("\n", " ")
        anchor, self.heading, self.heading_anchor = self.heading_anchor, None, None
        if not text:
            return
        if name == "dt":
            self._term(text, opened.id or anchor)
        elif (self.boxes and opened.id is None) or len(text) > _LONGEST_HEADING:
            self.drafts.current.add(f"\n{text}\n", self.language)
            if anchor:
                self.drafts.current.anchors.append(anchor)
        elif self._is_title(name, text):
            self.title_heading = text
            if anchor:
                self.drafts.intro.anchors.append(anchor)
        else:
            self.first_heading = self.first_heading or text
            self.drafts.open(text, _HEADINGS[name], anchor)

    def _is_title(self, name: str, text: str) -> bool:
        """True for the heading that repeats the page's title: the first one, before any other."""
        if self.first_heading is not None or self.title_heading is not None:
            return False
        title = tidy(self.head.title).replace("\n", " ")
        return (
            name == "h1"
            or not title
            or title == text
            or (title.startswith(text) and len(text) > len(title) / 3)
        )

    def _term(self, text: str, anchor: str | None) -> None:
        if anchor is None or self.boxes > self.lists or len(text) > _LONGEST_HEADING:
            self.drafts.current.add(f"\n{text}\n", self.language)
            return
        current = self.drafts.current
        level = _TERM_LEVEL + self.lists
        if current.level == level and not "".join(current.parts).strip():
            current.heading = f"{current.heading}, {text}"  # several terms, one description
            current.anchors.append(anchor)
        else:
            self.drafts.open(text, level, anchor)


def _is_permalink(node: Node) -> bool:
    """True for the little sign beside a heading that links to the heading."""
    return text_of(node).strip() in _PERMALINKS


def _target(attributes: Attributes) -> str | None:
    href = attributes.get("href") or ""
    return (
        attributes.get("id")
        or attributes.get("name")
        or (unquote(href[1:]) if href.startswith("#") else None)
    )
