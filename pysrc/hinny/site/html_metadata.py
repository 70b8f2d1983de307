"""What a page says about itself: title, language, dates, tags, and what its author marked for the search.

<meta name="date" content="2026-05-01">          a value to sort by
<meta name="keywords" content="backup, disk">    tags
<p data-hinny-filter="edition:community">        a facet; several values may stand in one page
<p data-hinny-meta="weight:3">                   a value that comes back with each hit
"""

from __future__ import annotations

from dataclasses import dataclass, field
from re import compile as regex

from hinny.records import MetadataValue
from hinny.site.chrome import Attributes
from hinny.site.tree import Node, text_of

_DATES = (
    "date",
    "article:published_time",
    "article:modified_time",
    "dcterms.date",
    "dcterms.modified",
    "dc.date",
    "last-modified",
)
_ISO_DATE = regex(r"\d{4}-\d{2}-\d{2}")
_NUMBER = regex(r"-?\d{1,15}(?:\.\d{1,9})?")


@dataclass(slots=True)
class Head:
    """The page's own data."""

    title: str = ""
    language: str | None = None
    ignored: str | None = None
    """Why the page is not to be indexed, when it is not."""
    date: str | None = None
    description: str | None = None
    tags: list[str] = field(default_factory=list)
    filters: dict[str, list[str]] = field(default_factory=dict)
    values: dict[str, MetadataValue] = field(default_factory=dict)

    def metadata(self) -> dict[str, MetadataValue]:
        """As a `Document` carries it; absent things are left out."""
        found: dict[str, MetadataValue] = {}
        if self.date:
            found["date"] = self.date
        if self.tags:
            found["tags"] = tuple(dict.fromkeys(self.tags))
        found.update(self.values)
        found.update({name: tuple(dict.fromkeys(values)) for name, values in self.filters.items()})
        return found


def read_head(root: Node) -> Head:
    """Title, language and `<meta>` of a parsed page."""
    head = Head()
    for html in root.children or ():
        if html.name != "html":
            continue
        attributes = html.attrs or {}
        head.language = _language(attributes)
        if "data-hinny-ignore" in attributes:
            head.ignored = "marked data-hinny-ignore"
        for part in html.children or ():
            if part.name == "body":
                if "data-hinny-ignore" in (part.attrs or {}):
                    head.ignored = "marked data-hinny-ignore"
                head.language = _language(part.attrs or {}) or head.language
            elif part.name == "head":
                for node in part.children or ():
                    if node.name == "title":
                        head.title = head.title or text_of(node)
                    elif node.name == "meta":
                        _read_meta(head, node.attrs or {})
    return head


def _language(attributes: Attributes) -> str | None:
    return (attributes.get("lang") or attributes.get("xml:lang") or "").strip() or None


def _read_meta(head: Head, attributes: Attributes) -> None:
    content = (attributes.get("content") or "").strip()
    name = (attributes.get("name") or attributes.get("property") or "").lower()
    if (attributes.get("http-equiv") or "").lower() == "refresh" and "url" in content.lower():
        head.ignored = "redirects elsewhere"
    elif name in _DATES:
        found = _ISO_DATE.match(content)
        if found and head.date is None:
            head.date = found[0]
    elif name == "description":
        head.description = content or None
    elif name == "keywords":
        head.tags.extend(filter(None, map(str.strip, content.split(","))))
    elif name == "article:tag" and content:
        head.tags.append(content)
    read_marks(head, attributes)


def read_marks(head: Head, attributes: Attributes) -> None:
    """`data-hinny-filter` and `data-hinny-meta` of one element."""
    marked = attributes.get("data-hinny-filter")
    if marked:
        for name, value in _pairs(marked, attributes):
            head.filters.setdefault(name, []).append(value)
    marked = attributes.get("data-hinny-meta")
    if marked:
        for name, value in _pairs(marked, attributes):
            head.values[name] = _value(value)


def _pairs(marked: str, attributes: Attributes) -> list[tuple[str, str]]:
    """`name:value, other:value`; a name alone takes the element's `content` attribute."""
    found = []
    for piece in marked.split(","):
        name, colon, value = (part.strip() for part in piece.partition(":"))
        value = value if colon else (attributes.get("content") or "").strip()
        if name and value:
            found.append((name, value))
    return found


def _value(text: str) -> MetadataValue:
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text
