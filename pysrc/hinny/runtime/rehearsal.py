"""A rehearsal before a snapshot is made: a small site, asked in every way.

What a first question would import, compile and look up is then in the snapshot already. What a query needs
and the rehearsal does not touch costs the reader a download of the standard library.
"""

from __future__ import annotations

from typing import Any

from hinny.runtime.blocking_loop import run_blocking

_PAGES = (
    (
        "routine.html",
        "Routine Maintenance",
        ("Vacuuming",),
        "Regular vacuuming removes dead rows. The table some_schema.some_table is rewritten by VACUUM FULL; "
        "pg_stat_activity shows who waits, and parseHTTPRequest2 is an identifier in camel case.",
    ),
    (
        "index.html#usage",
        "Indexes",
        ("Usage", "Partial Indexes"),
        "An index finds rows quickly. Create one concurrently where others write; it takes longer, but it "
        "does not lock them out. Die Stra\u00dfe, caf\u00e9, na\u00efve, \u00c5ngstr\u00f6m, 3.14, v15.2.",
    ),
    (
        "cjk.html",
        "\u691c\u7d22",
        ("\u5168\u6587\u691c\u7d22",),
        "\u5168\u6587\u691c\u7d22\u306f\u6587\u66f8\u304b\u3089\u8a9e\u3092\u63a2\u3059\u3002"
        "\u0e10\u0e32\u0e19\u0e02\u0e49\u0e2d\u0e21\u0e39\u0e25",
    ),
)

_REQUESTS: tuple[dict[str, Any], ...] = (
    {"text": "vacuum", "limit": 10},
    {"text": "vacuming table", "limit": 10},
    {"text": "index conc", "asYouType": True, "limit": 5},
    {"text": '"dead rows" -camel', "limit": 10},
    {"text": "title:indexes usage", "limit": 10},
    {"text": "pg_stat_activity parseHTTP", "limit": 10, "explain": True},
    # At most four words: five have all languages' stop words read (text/foreign.py), 0.2 MB of a snapshot.
    {"text": "why does this lock?", "limit": 10},
    {"text": "\u5168\u6587\u691c\u7d22", "limit": 10},
    {"text": "stra\u00dfe cafe", "limit": 10},
    {"text": "", "limit": 10},
)


async def _rehearse() -> int:
    from hinny.bundle.manifest import Manifest
    from hinny.bundle.reader import BundleReader
    from hinny.bundle.storage import MappingStorage
    from hinny.bundle.writer import bundle_files, with_parts
    from hinny.site.build import build_parts
    from hinny.site.search import SiteSearch
    from hinny.site.sections import Page, Section

    pages = [
        Page(
            url.partition("#")[0], title, (Section(url, url.partition("#")[0], title, headings, text, "en"),)
        )
        for url, title, headings, text in _PAGES
    ]
    built = build_parts(pages, title="Rehearsal")
    manifest: Manifest = with_parts(built.manifest, built.parts)
    search = await SiteSearch.open(
        await BundleReader.open(MappingStorage(bundle_files(manifest, built.parts)))
    )
    search.info()
    found = 0
    for request in _REQUESTS:
        found += len((await search.search(request))["results"])
    return found


def rehearse() -> int:
    """Build and ask; the number of hits. Raises what a query would: a broken build makes no snapshot."""
    return run_blocking(_rehearse())
