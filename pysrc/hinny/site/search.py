"""A site's search: a request as the page sends it, an answer as the page shows it.

The same on the command line and in the browser's worker; the shapes are `SearchRequest`, `SearchAnswer` and
`BundleInfo` of worker/src/api.ts.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from hinny.errors import InvalidOption
from hinny.lexical.index import LexicalIndex
from hinny.lexical.syntax import parse
from hinny.protocols import PartSource
from hinny.records import to_plain
from hinny.site.highlight import Highlighter
from hinny.site.store import SectionStore

FACTORIES = ("lexical-only", "tiny", "semantic")
LONGEST_QUERY = 2000
"""Characters of a query that are read; what follows them is left out, and said so."""
MOST_RESULTS = 100
EXCERPT = 240


class SiteSearch:
    """Search over an opened bundle. Make one with `open`."""

    def __init__(self, store: SectionStore, lexical: LexicalIndex, source: PartSource) -> None:
        self.store = store
        self.lexical = lexical
        self._source = source

    @classmethod
    async def open(cls, source: PartSource, **_: Any) -> SiteSearch:
        """Read the resident parts of a bundle. Raises `BundleError` and its descendants."""
        store = await SectionStore.open(source)
        return cls(store, await LexicalIndex.open(source), source)

    def info(self) -> dict[str, Any]:
        """What the bundle holds: a `BundleInfo`."""
        from hinny import __version__

        info = self.store.info
        manifest = getattr(self._source, "manifest", None)
        missing = "this bundle was built without vectors"
        return {
            "title": info.title,
            "pages": info.pages,
            "sections": info.sections,
            "terms": info.terms,
            "languages": dict(info.languages),
            "bytes": manifest.size if manifest is not None else 0,
            "factories": [
                {"id": name, "available": True, "models": []}
                if name == "lexical-only"
                else {"id": name, "available": False, "reason": missing, "models": []}
                for name in FACTORIES
            ],
            "facets": list(info.facets),
            "hinny": manifest.hinny if manifest is not None else __version__,
            "base": info.root,
        }

    async def search(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a `SearchRequest` with a `SearchAnswer`. Raises `InvalidOption` for what it cannot mean."""
        started = perf_counter()
        text, problems = _text(request)
        limit = _whole(request, "limit", 10, MOST_RESULTS)
        offset = _whole(request, "offset", 0, 10_000 - MOST_RESULTS)
        degraded = _degraded(request)
        options = self._options(request)
        found = await self.lexical.search_async(text, limit=limit, offset=offset, **options)
        searched = perf_counter()
        texts = await self.store.texts([hit.row for hit in found.hits])
        fetched = perf_counter()
        # A plain bag of words is searched without being parsed.
        query = found.query if found.query.clauses else parse(text, fields=tuple(self.lexical.fields))
        highlighter = Highlighter(query, found.also_searched, self.lexical.idf)
        results = [
            self._result(offset + place + 1, hit, content, highlighter)
            for place, (hit, content) in enumerate(zip(found.hits, texts, strict=True))
        ]
        if request.get("explain"):
            await self._explain(results, text, options)
        done = perf_counter()
        return {
            "results": results,
            "total": found.total,
            "ms": _ms(done - started),
            "timings": {
                "lexical": _ms(searched - started),
                "texts": _ms(fetched - searched),
                "excerpts": _ms(done - fetched),
            },
            "query": {
                "text": text,
                "problems": [*problems, *found.problems],
                "didYouMean": found.did_you_mean,
                "alsoSearched": list(found.also_searched),
            },
            "facets": {
                name: [{"value": str(c.value), "before": c.before, "after": c.after} for c in counts]
                for name, counts in found.facets.items()
            },
            "factory": "lexical-only",
            "degraded": degraded,
            "stats": {},
        }

    async def _explain(self, results: list[dict[str, Any]], text: str, options: Mapping[str, Any]) -> None:
        """Add an `Explanation` to each result; its contributions sum to the score."""
        chosen = {name: value for name, value in options.items() if name != "facets"}
        for result in results:
            found = await self.lexical.explain_async(text, result["id"], **chosen)
            reasons = [
                f"{name}: +{value:.3f}"
                for name, value in (
                    ("its title covers the query", found.title),
                    ("its title is the query", found.exact_title),
                )
                if value
            ]
            result["explanation"] = {
                "sources": [
                    {
                        "name": "lexical",
                        "rank": result["rank"],
                        "score": found.score,
                        "contribution": None,
                    }
                ],
                "terms": [
                    {
                        "word": term.word,
                        "match": term.match,
                        "field": term.field,
                        "tf": term.tf,
                        "idf": term.idf,
                        "weight": term.weight,
                        "contribution": term.contribution,
                    }
                    for term in found.terms
                ],
                "rerank": {},
                "reasons": reasons,
            }

    def _options(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The lexical index's options that a request asks for."""
        options: dict[str, Any] = {"as_you_type": bool(request.get("asYouType", False))}
        filters = request.get("filters") or {}
        if not isinstance(filters, Mapping):
            raise InvalidOption("filters", filters, "a mapping of facets to lists of values")
        if filters:
            options["where"] = {name: {"any": list(values)} for name, values in filters.items() if values}
        if self.store.info.facets:
            options["facets"] = tuple(self.store.info.facets)
        return options

    def _result(self, rank: int, hit: Any, text: str, highlighter: Highlighter) -> dict[str, Any]:
        entry = self.store.entry(hit.row)
        return {
            "id": entry.id,
            "rank": rank,
            "score": hit.score,
            "scoreKind": "bm25f",
            "url": entry.url,
            "page": entry.page,
            "pageTitle": highlighter.mark(entry.page_title, entry.language),
            "headings": [highlighter.mark(heading, entry.language) for heading in entry.headings],
            "excerpt": highlighter.excerpt(text, entry.language, EXCERPT),
            "language": entry.language,
            "exact": hit.tier == "exact",
            "reasons": [],
            "metadata": to_plain(entry.metadata),
        }


def _text(request: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The query's text, and what is wrong with it."""
    text = request.get("text", "")
    if not isinstance(text, str):
        raise InvalidOption("text", text, "a string")
    if len(text) <= LONGEST_QUERY:
        return text, []
    return text[:LONGEST_QUERY], [f"only the first {LONGEST_QUERY} characters of the query were read"]


def _degraded(request: Mapping[str, Any]) -> list[dict[str, str]]:
    """What a request asks for and this search cannot give."""
    factory = request.get("factory") or "lexical-only"
    if factory not in FACTORIES:
        raise InvalidOption("factory", factory, f"one of {', '.join(FACTORIES)}")
    if factory == "lexical-only":
        return []
    message = f"this bundle cannot serve the factory {factory}: it was built without vectors"
    return [{"source": "vector", "reason": "error", "message": message}]


def _whole(request: Mapping[str, Any], name: str, default: int, most: int) -> int:
    value = request.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise InvalidOption(name, value, f"a whole number from 0 to {most}")
    return value


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
