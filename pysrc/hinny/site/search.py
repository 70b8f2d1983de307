"""A site's search: a request as the page sends it, an answer as the page shows it.

The same on the command line and in the browser's worker; the shapes are `SearchRequest`, `SearchAnswer` and
`BundleInfo` of worker/src/api.ts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from hinny.errors import InvalidOption
from hinny.lexical.index import LexicalIndex
from hinny.lexical.syntax import ParsedQuery, parse
from hinny.protocols import PartSource, resolve
from hinny.records import SearchResponse, to_plain
from hinny.site.factories import (
    FACTORIES,
    LEXICAL_ONLY,
    QUESTIONS,
    SOURCES_OF,
    check_factory,
    factory_info,
    missing,
)
from hinny.site.highlight import Highlighter
from hinny.site.request import lexical_options, read_page, read_text
from hinny.site.results import facet_counts, query_facts, show
from hinny.site.store import SYNONYMS, SectionStore, section_texts, unpack_json

if TYPE_CHECKING:
    from hinny.lexical.results import LexicalResult
    from hinny.platform.base import Platform
    from hinny.ranking.search import HybridSearch
    from hinny.site.factory_session import Changed, FactorySession
    from hinny.text.synonyms import Synonyms

_STATS = tuple(name for name in SearchResponse.__slots__ if name != "hits")
_EXACT = 10
"""Hits among which a section whose own title is the query comes first."""


class SiteSearch:
    """Search over an opened bundle. Make one with `open`."""

    def __init__(
        self,
        store: SectionStore,
        lexical: LexicalIndex,
        source: PartSource,
        *,
        platform: Callable[[], Platform] | None = None,
        factory: str = LEXICAL_ONLY,
        changed: Changed | None = None,
    ) -> None:
        self.store = store
        self.lexical = lexical
        self.factory = factory
        self._source = source
        self._platform = platform
        self._changed = changed
        self._words: HybridSearch | None = None
        self._neural: FactorySession | None = None
        self._questions: dict[str, str] | None = None
        self._synonyms: Synonyms | None = None
        self._single: Mapping[str, Mapping[str, float]] | None = None

    @classmethod
    async def open(
        cls,
        source: PartSource,
        *,
        platform: Callable[[], Platform] | None = None,
        factory: str = LEXICAL_ONLY,
        changed: Changed | None = None,
    ) -> SiteSearch:
        """Read the resident parts of a bundle. Raises `BundleError` and its descendants.

        `platform` makes what runs the models of the neural factories, once one is asked for;
        `factory` answers requests that name none; `changed` is told when a factory became ready or failed.
        """
        check_factory(factory)
        store = await SectionStore.open(source)
        lexical = await LexicalIndex.open(source)
        search = cls(store, lexical, source, platform=platform, factory=factory, changed=changed)
        if SYNONYMS in source.names:
            from hinny.text.synonyms import Synonyms

            found = unpack_json(await resolve(source.read(SYNONYMS)), SYNONYMS)
            search._synonyms = Synonyms.from_data(found)
            search._single = search._synonyms.single_words()
        return search

    def info(self) -> dict[str, Any]:
        """What the bundle holds: a `BundleInfo`. Whether a model is cached, the platform knows."""
        from hinny import __version__

        info = self.store.info
        manifest = getattr(self._source, "manifest", None)
        return {
            "title": info.title,
            "pages": info.pages,
            "sections": info.sections,
            "terms": info.terms,
            "languages": dict(info.languages),
            "bytes": manifest.size if manifest is not None else 0,
            "factories": [factory_info(name, self._models, self._missing(name)) for name in FACTORIES],
            "facets": list(info.facets),
            "hinny": manifest.hinny if manifest is not None else __version__,
            "base": info.root,
        }

    @property
    def _models(self) -> Mapping[str, Any]:
        """The manifest's models."""
        manifest = getattr(self._source, "manifest", None)
        return manifest.models if manifest is not None else {}

    def _missing(self, factory: str) -> str | None:
        """Why this search cannot serve a factory; None when it can."""
        problem = missing(factory, self._source.names, self._models)
        if problem is None and factory != LEXICAL_ONLY and self._platform is None:
            return "nothing here can run its model"
        return problem

    def prepare(self, factory: str) -> None:
        """Bring what a factory needs here, in the background. Words need nothing.

        It is asked for by that, so what failed is tried again at once; a search waits a while.
        """
        if factory != LEXICAL_ONLY and self._missing(factory) is None:
            self._factories().start(factory, again=True)

    async def ready(self, factory: str) -> None:
        """Wait for what a factory needs; what failed is said by the answers."""
        if factory != LEXICAL_ONLY and self._missing(factory) is None:
            await self._factories().ready(factory)

    async def close(self) -> None:
        """Give back what the models hold."""
        if self._neural is not None:
            await self._neural.close()
            self._neural = None

    async def search(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a `SearchRequest` with a `SearchAnswer`. Raises `InvalidOption` for what it cannot mean."""
        started = perf_counter()
        text, problems = read_text(request)
        limit, offset = read_page(request)
        factory, degraded = self._chosen(request)
        recorded = request.get("recorded")
        if recorded is not None:
            text = await self._question(str(recorded), factory)
        options = lexical_options(request, self._single, self.store.info.facets)
        # The words are asked first, whatever the factory: what the query means and excludes is theirs.
        window = offset + limit if factory == LEXICAL_ONLY else max(limit, self._budget(factory))
        began = perf_counter()
        asked = self._widened(text, options)
        found = await self.lexical.search_async(asked, limit=window, **options)
        searched = perf_counter()
        if factory != LEXICAL_ONLY and recorded is None:
            self._factories().start(factory)
        # A recorded question is ranked by its vectors alone: no model has a say.
        chosen = {"limit": limit, "offset": offset, **({"rerank": False} if recorded is not None else {})}
        response = await self._ranked(factory, text, found, options, chosen)
        ranked = perf_counter()
        hits = response.hits
        known = {hit.id: hit.row for hit in found.hits}
        rows = [known[hit.id] if hit.id in known else self.lexical.row_of(hit.id) for hit in hits]
        texts = await self.store.texts(rows)
        fetched = perf_counter()
        # A plain bag of words is searched without being parsed.
        query = found.query if found.query.clauses else parse(text, fields=tuple(self.lexical.fields))
        highlighter = Highlighter(query, found.also_searched, self.lexical.idf)
        results = [
            show(hit, self.store.entry(row), content, highlighter)
            for hit, row, content in zip(hits, rows, texts, strict=True)
        ]
        if request.get("explain"):
            from hinny.site.explaining import explain

            own = {name: value for name, value in options.items() if name != "facets"}
            for result, hit in zip(results, hits, strict=True):
                result["explanation"] = await explain(self.lexical, asked, hit, own)
        done = perf_counter()
        stats = {name: to_plain(getattr(response, name)) for name in _STATS}
        timings = {name: round(value, 3) for name, value in stats["timings"].items()}
        timings |= {"lexical": _ms(searched - began), "total": _ms(ranked - began)}
        stats["timings"] = timings
        degraded += [
            {"source": item.source, "reason": item.reason, "message": item.message}
            for item in response.degraded
        ]
        return {
            "results": results,
            "total": found.total if factory == LEXICAL_ONLY else response.total_candidates,
            "ms": _ms(done - started),
            "timings": {
                **{name: value for name, value in timings.items() if name != "total"},
                "texts": _ms(fetched - ranked),
                "excerpts": _ms(done - fetched),
            },
            "query": query_facts(text, problems, found),
            "facets": facet_counts(found),
            "factory": factory,
            "degraded": degraded,
            "stats": stats,
        }

    def _widened(self, text: str, options: Mapping[str, Any]) -> str | ParsedQuery:
        """The query with the site's synonyms of several words; the text itself when it has none."""
        if self._synonyms is None:
            return text
        from hinny.lexical.synonyms import widen

        typing = bool(options.get("as_you_type"))
        parsed = parse(text, fields=tuple(self.lexical.fields), as_you_type=typing)
        wider = widen(parsed, self._synonyms)
        return text if wider is parsed else wider

    def _chosen(self, request: Mapping[str, Any]) -> tuple[str, list[dict[str, str]]]:
        """The factory that answers, and why it is not the one that was asked for, where it is not."""
        factory = check_factory(request.get("factory") or self.factory)
        problem = self._missing(factory)
        if problem is None:
            return factory, []
        message = f"the factory {factory} cannot answer here: {problem}"
        lost = [{"source": name, "reason": "error", "message": message} for name in SOURCES_OF[factory]]
        return LEXICAL_ONLY, lost

    def _factories(self) -> FactorySession:
        if self._neural is None:
            from hinny.site.factory_session import FactorySession
            from hinny.site.lexical_source import SiteLexical

            assert self._platform is not None
            self._neural = FactorySession(
                self._source,
                self._models,
                lambda: self.lexical.ids,
                SiteLexical(self.lexical, self.store),
                self._platform(),
                texts=self._read,
                changed=self._changed,
                questions=self._recorded,
            )
        return self._neural

    async def _read(self, ids: Sequence[str]) -> list[str]:
        """What a model reads of sections."""
        return await section_texts(self.store, [self.lexical.row_of(id) for id in ids])

    async def _question(self, id: str, factory: str) -> str:
        """The text of a question that the bundle recorded, its vector at hand for a neural factory."""
        questions = await self._recorded()
        if id not in questions:
            known = ", ".join(list(questions)[:5]) or "none: build with --questions"
            raise InvalidOption("recorded", id, f"a question of this bundle ({known})")
        if factory != LEXICAL_ONLY:
            await self._factories().record(factory)
        return questions[id]

    async def _recorded(self) -> Mapping[str, str]:
        """Texts of the recorded questions by id."""
        if self._questions is None:
            rows: list[Any] = []
            if QUESTIONS in self._source.names:
                rows = unpack_json(await resolve(self._source.read(QUESTIONS)), QUESTIONS)
            self._questions = {str(row["id"]): str(row["text"]) for row in rows}
        return self._questions

    async def _ranked(
        self,
        factory: str,
        text: str,
        found: LexicalResult,
        options: Mapping[str, Any],
        chosen: dict[str, Any],
    ) -> SearchResponse:
        """The page of hits by the factory's search: `options` are the words', `chosen` the search's own."""
        from hinny.site.lexical_source import SiteLexical, SiteQuery

        if factory == LEXICAL_ONLY:
            if self._words is None:
                from hinny.factories import create_lexical_only_search

                self._words = create_lexical_only_search(
                    SiteLexical(self.lexical, self.store),
                    defaults={"exact": "promote", "exact_candidates": _EXACT},
                )
            chosen["lexical_candidates"] = max(1, chosen["limit"] + chosen["offset"])
            return await self._words.search_with_stats(SiteQuery(text, found=found), **chosen)
        search = self._factories().search(factory).search
        query = found.query
        if not query.is_plain:
            # Operators say what is wanted: nothing else may come in, whatever it means.
            text = query.plain_text or text
            chosen |= {"strategy": "lexical-first", "cascade": "fuse"}
        if options.get("where"):
            rows = self.lexical.metadata().where(options["where"]).nonzero()[0].tolist()
            ids = self.lexical.ids
            chosen["ids"] = frozenset(ids[row] for row in rows)
        return await search.search_with_stats(SiteQuery(text, found=found), **chosen)

    def _budget(self, factory: str) -> int:
        """How many hits of the words a neural factory joins with its own."""
        return self._factories().search(factory).search.defaults.lexical_candidates


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
