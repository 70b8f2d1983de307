"""HTML text to a tree, by either of two parsers that follow the HTML standard.

`justhtml` is pure Python and runs in the browser too; `lexbor`, through selectolax, is C and takes a fifth
of the time (the PostgreSQL manual, 16 MB: 1.5 s against 8 s). Where both are installed lexbor is taken. The
tests hold them to the same sections, on the manual and on broken pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from hinny.errors import MissingExtra

PARSERS = ("lexbor", "justhtml")


class Node(Protocol):
    """An element, a text, or something else (a comment, the document), whose name begins with `#`."""

    @property
    def name(self) -> str:
        """Tag name in lower case, or `#text`, `#document` ..."""

    @property
    def attrs(self) -> dict[str, str | None] | None:
        """Attributes of an element, else None."""

    @property
    def children(self) -> Sequence[Any] | None:
        """Nodes below, in order."""

    @property
    def parent(self) -> Any:
        """The node above, None for the document."""

    @property
    def data(self) -> Any:
        """The text of a `#text` node."""


def parse(text: str, parser: str | None = None) -> Node:
    """The document. `parser` names one of `PARSERS`; None takes the first that is installed.

    Raises `MissingExtra` when none is.
    """
    for name in PARSERS if parser is None else (parser,):
        found = _PARSERS[name](text)
        if found is not None:
            return found
    raise MissingExtra("justhtml", "site", "reading HTML")


def text_of(node: Node) -> str:
    """All text below a node."""
    pieces = []
    stack = [node]
    while stack:
        at = stack.pop()
        if at.name == "#text":
            pieces.append(at.data or "")
        elif at.children:
            stack.extend(reversed(at.children))
    return "".join(pieces)


def _justhtml(text: str) -> Node | None:
    try:
        from justhtml import JustHTML
    except ImportError:
        return None
    root: Node = JustHTML(text, sanitize=False, scripting_enabled=False).root
    return root


class _Copy:
    """A lexbor node, copied: a walk over lexbor's own would make a Python object at each step."""

    __slots__ = ("attrs", "children", "data", "name", "parent")

    def __init__(self, name: str, attrs: dict[str, str | None] | None, parent: _Copy | None) -> None:
        self.name = name
        self.attrs = attrs
        self.parent = parent
        self.children: list[_Copy] = []
        self.data: str | None = None


def _lexbor(text: str) -> Node | None:
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        return None
    # A lone surrogate, which JSON can hold, has no place in a document.
    tree = LexborHTMLParser(text.encode("utf-8", "replace").decode())
    document = _Copy("#document", None, None)
    if tree.root is None:
        return document
    html = _Copy("html", tree.root.attributes, document)
    document.children.append(html)
    stack = [(tree.root, html)]
    while stack:
        source, parent = stack.pop()
        child = source.first_child
        while child is not None:
            name = child.tag or "-"
            if name == "-text":
                copy = _Copy("#text", None, parent)
                copy.data = child.text_content
                parent.children.append(copy)
            elif name[0] not in "-!":
                copy = _Copy(name, child.attributes, parent)
                parent.children.append(copy)
                stack.append((child, copy))
            child = child.next
    return document


_PARSERS: dict[str, Callable[[str], Node | None]] = {"lexbor": _lexbor, "justhtml": _justhtml}
