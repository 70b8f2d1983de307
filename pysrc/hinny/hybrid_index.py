"""A search that owns its documents: documents and vectors in, an owned snapshot out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hinny.errors import InvalidInput, InvalidOption
from hinny.protocols import Reranker, Retriever
from hinny.ranking.search import HybridSearch
from hinny.records import Document

if TYPE_CHECKING:
    from hinny.lexical.index import LexicalIndex

Options = Mapping[str, Any]


class HybridIndex(HybridSearch):
    """A search that owns its documents. To change it, build a new one and swap the reference."""

    def __init__(self, documents: Mapping[str, Document], **parts: Any) -> None:
        super().__init__(**parts)
        self._documents = documents

    def __len__(self) -> int:
        return len(self._documents)

    def get(self, id: str) -> Document | None:
        """A copy of the document, None where there is none of that id."""
        document = self._documents.get(id)
        return None if document is None else _copy(document)


def create_hybrid_index(
    documents: Iterable[Document],
    *,
    vectors: Any = None,
    embed_query: Callable[[str], Any] | None = None,
    lexical: Options | None = None,
    lexical_search: Options | None = None,
    surface: bool | Options = True,
    reranker: Reranker | None = None,
    defaults: Options | None = None,
    on_error: str = "raise",
    **vector_options: Any,
) -> HybridIndex:
    """An owned snapshot: documents, metadata and vectors are copied, and searched together.

    `vectors` ([n, d] numbers) follow the order of the documents and come from the model that `embed_query`
    asks; that they have one dimension does not prove it. Without vectors, words alone are searched.
    `lexical` are options of `LexicalIndex.build`, `lexical_search` of its retriever (`search`, `exact`),
    `vector_options` of `create_vector_retriever`. `surface`: whether a word as written counts for more than
    its stem. True leaves that to the index, which knows both; False weighs them alike; `{"weight": w}` adds
    an unstemmed companion of that weight to every stemmed field instead.
    """
    from hinny.lexical.index import LexicalIndex

    owned = [_copy(document) for document in documents]
    by_id = {document.id: document for document in owned}
    if len(by_id) != len(owned):
        raise InvalidInput("document ids must be unique")
    options = dict(lexical or {})
    if surface is not True:
        options.update(_surface_options(options, owned, surface))
    index = LexicalIndex.build(owned, **options)
    source: Retriever | None = None
    if vectors is not None:
        from hinny.dense.retriever import create_vector_retriever

        source = create_vector_retriever(
            ids=list(by_id), vectors=vectors, embed_query=embed_query, **vector_options
        )
    elif embed_query is not None or vector_options:
        raise InvalidOption("vectors", None, "vectors in the order of the documents")
    return HybridIndex(
        by_id,
        lexical=lexical_source(index, lexical_search),
        vector=source,
        reranker=reranker,
        defaults=defaults,
        on_error=on_error,
    )


def lexical_source(index: LexicalIndex | Retriever, options: Options | None) -> Retriever:
    """A retriever over an index, or the retriever that was given in its place."""
    given: Any = index
    if callable(getattr(given, "retrieve", None)):
        if options:
            raise InvalidOption("lexical", dict(options), "None with a retriever of your own")
        source: Retriever = given
        return source
    from hinny.lexical.retriever import LexicalRetriever

    return LexicalRetriever(given, **(options or {}))


def _copy(document: Document) -> Document:
    return Document(document.id, dict(document.fields), dict(document.metadata), document.language)


def _surface_options(options: Options, documents: Sequence[Document], surface: Any) -> dict[str, Any]:
    """Build options in which the index itself tells no word from its stem, with companions or without."""
    from dataclasses import replace

    from hinny.lexical.options import Scoring

    changed: dict[str, Any] = {"scoring": replace(options.get("scoring") or Scoring(), exact=0.0)}
    if surface is False:
        return changed
    if not isinstance(surface, Mapping) or set(surface) != {"weight"}:
        raise InvalidOption("surface", surface, "True, False or {'weight': number}")
    from hinny.lexical.surface import with_surface_fields

    fields = options.get("fields")
    if fields is None:
        fields = list(dict.fromkeys(name for document in documents for name in document.fields))
    return {**with_surface_fields({**options, "fields": fields}, weight=surface["weight"]), **changed}
