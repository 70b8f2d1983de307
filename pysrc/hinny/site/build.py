"""Pages to the parts of a bundle. No file system here: the browser builds from dropped files with this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hinny import __version__
from hinny.bundle.manifest import Manifest
from hinny.errors import NothingIndexed
from hinny.records import Document
from hinny.site.language import with_languages
from hinny.site.links import write_links
from hinny.site.metadata import with_uniform_metadata
from hinny.site.sections import FIELDS, Page, Section, site_suffix
from hinny.site.store import PAGES, SYNONYMS, SiteInfo, pack_json, sections_of, write_store
from hinny.site.titles import write_titles

if TYPE_CHECKING:
    from hinny.text.synonyms import Synonyms


@dataclass(frozen=True, slots=True)
class Built:
    """The parts of a bundle, and the manifest that describes them (its list of parts is still empty)."""

    parts: dict[str, bytes]
    manifest: Manifest
    documents: list[Document]
    """The sections as they were indexed, by row: what a model encodes."""


def build_parts(
    pages: Iterable[Page],
    *,
    title: str | None = None,
    root: str = "../",
    language: str | None = None,
    synonyms: Synonyms | None = None,
    phonetic: bool = False,
) -> Built:
    """Index pages, in the order given: the same pages give the same bytes.

    `title` names the site (default: the title of its first page), `root` is the URL of the site's root
    relative to the bundle, `language` (BCP 47) is that of sections whose page names none (default: it is
    guessed from their text). `synonyms` are the site's own, used when it is searched; `phonetic`
    finds English words by their sound, too. Raises `NothingIndexed` without a single section.
    """
    from hinny.lexical.index import LexicalIndex

    kept = [page for page in pages if page.sections]
    if not kept:
        raise NothingIndexed("nothing to index: no page held any text")
    kept = with_languages(_without_site_name(kept), language)
    kept, facets = with_uniform_metadata(kept)
    sections = list(sections_of(kept))
    documents = [section.to_document() for section in sections]
    index = LexicalIndex.build(documents, FIELDS, phonetic=phonetic)
    languages = Counter(section.language or "und" for section in sections)
    info = SiteInfo(
        title=title if title is not None else kept[0].title,
        root=root,
        pages=len(kept),
        sections=len(sections),
        terms=index.terms,
        languages=dict(sorted(languages.items())),
        facets=facets,
    )
    parts = {
        **({SYNONYMS: pack_json(synonyms.to_data())} if synonyms else {}),
        **index.to_parts(),
        **write_store(kept, info),
        **write_titles(kept),
        **write_links(kept),
    }
    manifest = Manifest(
        title=info.title,
        root=root,
        counts={"pages": info.pages, "sections": info.sections, "terms": info.terms},
        languages=info.languages,
        analyzers=tuple(index.analyzers),
        resident=tuple(
            name for name in ("lexical/index", "lexical/dictionary", PAGES, SYNONYMS) if name in parts
        ),
        factory="lexical-only",
        hinny=__version__,
        parts={},
    )
    return Built(parts, manifest, documents)


def pages_of(sections: Iterable[Section]) -> list[Page]:
    """Group sections by page, for those who have no pages: in the order in which pages first occur."""
    found: dict[str, list[Section]] = {}
    for section in sections:
        found.setdefault(section.page, []).append(section)
    return [Page(url, items[0].page_title, tuple(items)) for url, items in found.items()]


def _without_site_name(pages: list[Page]) -> list[Page]:
    suffix = site_suffix(page.title for page in pages)
    if not suffix:
        return pages
    return [
        _renamed(page, page.title[: -len(suffix)])
        if page.title.endswith(suffix) and page.title != suffix
        else page
        for page in pages
    ]


def _renamed(page: Page, title: str) -> Page:
    return replace(page, title=title, sections=tuple(replace(s, page_title=title) for s in page.sections))
