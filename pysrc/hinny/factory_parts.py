"""What a factory needs, written into a bundle and opened from one.

    parts = await build_factory_parts("semantic", documents, embedder=model)      # when the site is built
    progress = create_progressive_search("semantic", index)                       # when it is opened
    await attach_sources(progress, bundle, ids=index.ids, embedder=model)         # when the model has come

Token indexes and vectors travel quantised, 4 bits a coordinate unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hinny.errors import InvalidOption, ModelError
from hinny.factories import (
    FACTORIES,
    Options,
    ProgressiveSearch,
    Texts,
    create_token_source,
    create_vector_source,
    query_encoder,
    texts_by_id,
)
from hinny.protocols import Embedder, PartSource, Retriever, TextResolver, TokenEncoder

if TYPE_CHECKING:
    from hinny.sources.pending import PendingRetriever


async def build_factory_parts(
    factory: str,
    documents: Texts,
    *,
    embedder: Embedder | None = None,
    colbert: TokenEncoder | None = None,
    full: str = "none",
    vector_options: Options | None = None,
    token_options: Options | None = None,
) -> dict[str, bytes]:
    """Encode the documents and write the parts that the factory's sources open; none for `lexical-only`.

    `semantic` needs an `embedder`, `tiny` a `colbert`, `three-source` both. `full` is what the vectors take
    along to be rescored from (`none`, `bytes`, `floats`).
    """
    if factory not in FACTORIES:
        raise InvalidOption("factory", factory, f"one of {', '.join(FACTORIES)}")
    texts, parts = texts_by_id(documents), dict[str, bytes]()
    if factory in ("semantic", "three-source"):
        options = {"strategy": "turboquant", **(vector_options or {})}
        vectors: Any = await create_vector_source(texts, embedder, **options)
        parts.update(vectors.to_parts(full=full))
    if factory in ("tiny", "three-source"):
        tokens: Any = await create_token_source(texts, colbert, **(token_options or {}))
        parts.update(tokens.to_parts())
    return parts


async def attach_sources(
    progress: ProgressiveSearch,
    source: PartSource,
    *,
    ids: Sequence[str],
    embedder: Embedder | None = None,
    colbert: TokenEncoder | None = None,
    text_for: TextResolver | None = None,
    **options: Any,
) -> None:
    """Open from a bundle what the search is still waiting for and set it.

    `ids` are the index's, by row; `options` (`kernel`, `runtime`) go to each source. What cannot be opened
    is failed with its error, which the next search reports; a model that is not given leaves its source
    loading. With a `colbert` and a `text_for` the reranker is set, too.
    """
    if embedder is not None and progress.vector is not None and not progress.vector.ready:
        await _set(progress.vector, _open_vectors(source, ids, embedder, options))
    if colbert is not None and progress.tokens is not None and not progress.tokens.ready:
        await _set(progress.tokens, _open_tokens(source, ids, colbert, options))
    if progress.reranker is not None and colbert is not None and text_for is not None:
        from hinny.ranking.rerankers import ColbertReranker

        progress.reranker.set(ColbertReranker(colbert, text_for, truncate=True))


async def _set(pending: PendingRetriever, opening: Any) -> None:
    try:
        pending.set(await opening)
    except Exception as error:
        pending.fail(error)


async def _open_vectors(
    source: PartSource, ids: Sequence[str], embedder: Embedder, options: dict[str, Any]
) -> Retriever:
    from hinny.dense.retriever import VectorRetriever

    if not any(name.startswith("vectors/") for name in source.names):
        raise ModelError("this bundle was built without vectors: hinny build --factory semantic")
    return await VectorRetriever.open(
        source, ids=ids, embed_query=embedder.embed_query, fingerprint=embedder.fingerprint, **options
    )


async def _open_tokens(
    source: PartSource, ids: Sequence[str], colbert: TokenEncoder, options: dict[str, Any]
) -> Retriever:
    from hinny.late.retriever import ColbertRetriever

    if not any(name.startswith("tokens/") for name in source.names):
        raise ModelError("this bundle was built without tokens: hinny build --factory tiny")
    return await ColbertRetriever.open(
        source, ids=ids, encode_query=query_encoder(colbert), fingerprint=colbert.fingerprint, **options
    )
