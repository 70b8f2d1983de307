"""A small site for the tests: three pages, two languages, facets, links."""

from __future__ import annotations

from typing import Any

from hinny.bundle.reader import Parts
from hinny.site.build import Built, build_parts
from hinny.site.html import parse_html
from hinny.site.search import SiteSearch
from hinny.site.sections import Page

HTML = {
    "index.html": (
        "./",
        "<html lang=en><title>Mules</title><h1>Mules</h1><p>All about mules and hinnies. "
        "<a href='care.html#hooves'>Hooves</a> <a href='care.html'>Care</a> <a href='gone.html'>x</a></p>",
    ),
    "care.html": (
        "care.html",
        "<html lang=en><title>Care</title><meta data-hinny-filter=topic content=health><h1>Care</h1>"
        "<p>A mule needs water, hay and company.</p>"
        "<h2 id=hooves>Hooves</h2><p>Trim the hooves every six weeks. Look at the hooves daily. "
        "<a href='index.html'>Back</a></p>"
        "<h2 id=teeth>Teeth</h2><p>A vet should rasp the teeth of a mule once a year.</p>",
    ),
    "de.html": (
        "de.html",
        "<html lang=de><title>Maultiere</title><meta data-hinny-filter=topic content=overview>"
        "<h1>Maultiere</h1>"
        "<p>Ein Maultier ist stärker als ein Esel; Maultiere brauchen Heu.</p>",
    ),
}


def make_pages() -> list[Page]:
    return [parse_html(html.encode(), url) for url, html in HTML.values()]


def make_site(**options: Any) -> Built:
    return build_parts(make_pages(), **options)


async def open_site(built: Built | None = None) -> SiteSearch:
    return await SiteSearch.open(Parts((built or make_site()).parts))
