"""Which elements of a page are not its text: scripts, controls, and the site's furniture around it.

Rules name elements, ARIA roles and exact class names, never parts of names. An author's own words win:
`data-hinny-ignore` drops an element, `data-hinny-body` keeps nothing but the elements that carry it.
"""

from __future__ import annotations

from collections.abc import Mapping

Attributes = Mapping[str, str | None]


def names(text: str) -> frozenset[str]:
    """The words of a text: how long sets of names are written here."""
    return frozenset(text.split())


# Never text, wherever they stand.
_NEVER = names(
    "script style template noscript nav footer iframe frame frameset object embed applet audio video "
    "canvas svg math picture map button select option datalist input textarea meter progress dialog "
    "head title"
)
# Furniture of the site, unless the page's own text holds them.
_OUTER = frozenset(("header", "aside"))
_HOLDERS = frozenset(("main", "article", "section"))
_ROLES = names(
    "navigation banner contentinfo search menu menubar toolbar tablist dialog alertdialog doc-toc "
    "doc-pagelist doc-backlink"
)
# Class names of DocBook, Sphinx, MkDocs, Docusaurus, VitePress, mdBook, MediaWiki and common themes.
_CLASSES = names(
    "navheader navfooter toc table-of-contents toctree-wrapper breadcrumb breadcrumbs pagination "
    "pagination-nav headerlink hash-link header-anchor heading-anchor anchorjs-link skip-link "
    "skip-to-content skip-nav sr-only visually-hidden screen-reader-text sphinxsidebar md-sidebar "
    "md-source-file theme-doc-toc-mobile theme-edit-this-page edit-this-page edit-link mw-editsection "
    "mw-jump-link navbox catlinks printfooter linenos lineno line-number no-print cookie-banner "
    "cookie-notice"
)


def is_chrome(name: str, attributes: Attributes, *, inside_text: bool) -> bool:
    """True for an element to drop with all that it holds.

    `inside_text` says that an enclosing element is `main`, `article` or `section`.
    """
    if name in _NEVER or (name in _OUTER and not inside_text):
        return True
    if not attributes:
        return False
    if "data-hinny-ignore" in attributes or "data-pagefind-ignore" in attributes:
        return True
    if (attributes.get("hidden", "no") or "") not in ("no", "until-found"):
        return True
    if attributes.get("aria-hidden") == "true" or attributes.get("role") in _ROLES:
        return True
    classes = attributes.get("class")
    return classes is not None and not _CLASSES.isdisjoint(classes.split())


def holds_text(name: str, attributes: Attributes) -> bool:
    """True for an element inside which `header` and `aside` belong to the text."""
    return name in _HOLDERS or attributes.get("role") in ("main", "article")


def is_body(attributes: Attributes) -> bool:
    """True for an element that its author marked as the page's text."""
    return "data-hinny-body" in attributes or "data-pagefind-body" in attributes
