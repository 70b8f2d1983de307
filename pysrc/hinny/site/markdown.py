"""Markdown to a page of sections: CommonMark with tables, front matter, and GitHub's heading anchors.

The Markdown is rendered to HTML and cut by `hinny.site.html`, so that HTML inside Markdown, ids and the
author's marks mean the same in both. Front matter is YAML between `---` lines or TOML between `+++` lines:
`title`, `date`, `tags` / `keywords` / `categories`, `description`, `lang` / `language`, `permalink` / `url`,
`draft` and `published` are understood; a mapping `hinny` may hold `ignore: true`, `filters` and `meta`.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from html import escape
from re import compile as regex
from typing import TYPE_CHECKING, Any
from unicodedata import category

from hinny.errors import MissingExtra
from hinny.site.encoding import decode
from hinny.site.html import NoText, cut_html
from hinny.site.sections import Page
from hinny.site.urls import MarkdownUrls, resolve
from hinny.site.urls import escape as escape_path

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

_YAML = regex(r"\A---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", 8 | 16)  # MULTILINE | DOTALL
_TOML = regex(r"\A\+\+\+[ \t]*\r?\n(.*?)^\+\+\+[ \t]*(?:\r?\n|\Z)", 8 | 16)
_OWN_ID = regex(r"\s*\{\s*#([^\s{}]+)[^{}]*\}\s*$")


def parse_markdown(data: bytes, url: str, *, source: str = "", urls: MarkdownUrls = "folder") -> Page:
    """Cut one Markdown page. `url` is that of the page as it will be read, which front matter may override;
    links to other Markdown files are followed from `source`, the file's path in the site.

    Raises `NoText` with the reason when there is nothing to index (a draft, an empty page), `MissingExtra`
    without markdown-it-py.
    """
    text, problem = decode(data)
    problems = [problem] if problem else []
    matter, body = front_matter(text.removeprefix("\ufeff"), problems)
    if matter.get("draft") is True or matter.get("published") is False:
        raise NoText("a draft")
    own = matter.get("hinny")
    own = own if isinstance(own, Mapping) else {}
    if own.get("ignore") is True:
        raise NoText("marked hinny: ignore")
    title = matter.get("title")
    html = f"<!doctype html>{_head(matter, own)}<body>{_renderer().render(body)}"
    page_url = _permalink(matter) or url
    resolver = partial(resolve, page_url, source=source or None, markdown=urls)
    return cut_html(html, page_url, tuple(problems), title=str(title) if title else None, resolver=resolver)


def front_matter(text: str, problems: list[str]) -> tuple[dict[str, Any], str]:
    """The page's data and the text after them; what cannot be read is named in `problems` and left out."""
    found = _YAML.match(text)
    if found:
        return _mapping(_yaml(found[1], problems)), text[found.end() :]
    found = _TOML.match(text)
    if found:
        import tomllib

        try:
            return tomllib.loads(found[1]), text[found.end() :]
        except tomllib.TOMLDecodeError as broken:
            problems.append(f"front matter is no TOML: {broken}")
            return {}, text[found.end() :]
    return {}, text


def _yaml(text: str, problems: list[str]) -> object:
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError
    except ImportError as missing:
        raise MissingExtra("ruamel.yaml", "site", "reading front matter") from missing
    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError) as broken:
        first = str(broken).strip().splitlines()[0]
        problems.append(f"front matter is no YAML: {first}")
        return {}


def _mapping(value: object) -> dict[str, Any]:
    return {str(name): item for name, item in value.items()} if isinstance(value, Mapping) else {}


def _head(matter: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """Front matter in the form in which HTML pages say the same things."""
    lines = []
    language = matter.get("lang") or matter.get("language")
    tags = [tag for name in ("tags", "keywords", "categories") for tag in _words(matter.get(name))]
    date = matter.get("date")
    if isinstance(date, datetime.date):
        date = date.isoformat()
    for name, content in (("date", date), ("description", matter.get("description"))):
        if content:
            lines.append(f'<meta name="{name}" content="{escape(str(content))}">')
    lines.extend(f'<meta property="article:tag" content="{escape(tag)}">' for tag in tags)
    for attribute, values in (("filter", own.get("filters")), ("meta", own.get("meta"))):
        for name, value in _mapping(values).items():
            opening = f'<meta data-hinny-{attribute}="{escape(name)}" content='
            lines.extend(f'{opening}"{escape(item)}">' for item in _words(value))
    opening = f'<html lang="{escape(str(language))}">' if language else "<html>"
    return f"{opening}<head>{''.join(lines)}</head>"


def _words(value: object) -> list[str]:
    if value is None or isinstance(value, bool | Mapping):
        return []
    if isinstance(value, str):
        return [part for part in map(str.strip, value.split(",")) if part]
    if isinstance(value, Sequence):
        return [str(item) for item in value if item is not None]
    return [str(value)]


def _permalink(matter: Mapping[str, Any]) -> str | None:
    for name in ("permalink", "url"):
        value = matter.get(name)
        if isinstance(value, str) and value.startswith("/"):
            return escape_path(value.lstrip("/")) or "./"
    return None


@lru_cache(maxsize=1)
def _renderer() -> MarkdownIt:
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.deflist import deflist_plugin
        from mdit_py_plugins.footnote import footnote_plugin
    except ImportError as missing:
        raise MissingExtra("markdown-it-py", "site", "reading Markdown") from missing
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    renderer.use(deflist_plugin).use(footnote_plugin)
    renderer.core.ruler.push("heading_anchors", _add_anchors)
    return renderer


def _add_anchors(state: StateCore) -> None:
    """Give each heading the id that GitHub would, or the one it names itself: `## Usage {#use}`."""
    taken: dict[str, int] = {}
    for opening, content in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type != "heading_open":
            continue
        own = _OWN_ID.search(content.content)
        if own:
            opening.attrSet("id", own[1])
            for child in reversed(content.children or []):
                if child.type == "text":
                    child.content = _OWN_ID.sub("", child.content)
                    break
            continue
        text = "".join(
            child.content
            for child in content.children or []
            if child.type in ("text", "code_inline", "image")
        )
        anchor = slug(text)
        count = taken.get(anchor, 0)
        taken[anchor] = count + 1
        opening.attrSet("id", f"{anchor}-{count}" if count else anchor)


def slug(heading: str) -> str:
    """GitHub's anchor of a heading: lower case, letters, digits, `-` and `_` kept, blanks to `-`.

    >>> slug("What's new in v2.0?")
    'whats-new-in-v20'
    """
    kept = (
        "-" if sign == " " else sign
        for sign in heading.strip().lower()
        if sign in " -_" or category(sign)[0] in "LNM"
    )
    return "".join(kept)
