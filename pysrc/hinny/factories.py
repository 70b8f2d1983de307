"""Ready-made searches around an existing lexical index, and one that owns its whole corpus.

    create_lexical_only_search            words alone, no model
    create_lexical_semantic_tiny_search   words and late interaction (ColBERT tokens)
    create_lexical_semantic_search        words and single vectors, and a ColBERT reranker on request
    create_three_source_search            words, single vectors and late interaction
    create_hybrid_index                   documents and vectors in, an owned snapshot out
    create_progressive_search             for a page: words at once, the rest when it has arrived

Each takes options of the lexical retriever (`lexical`) and `defaults` that override the factory's own
options name by name. Several searches that differ in their lexical options only share one index and one
vector source: build the source once and pass it as `vector`. The caller makes, keeps and disposes of
models. Whatever needs vectors is imported when it is called: a program that searches words only loads
none of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from hinny.errors import InvalidInput, InvalidOption
from hinny.hybrid_index import HybridIndex, Options, create_hybrid_index, lexical_source
from hinny.protocols import Embedder, Reranker, Retriever, TokenEncoder, resolve
from hinny.ranking.presets import search_preset
from hinny.ranking.search import HybridSearch
from hinny.records import Document

if TYPE_CHECKING:
    from hinny.lexical.index import LexicalIndex
    from hinny.sources.pending import PendingReranker, PendingRetriever

FACTORIES: Final = ("lexical-only", "tiny", "semantic", "three-source")
BATCH: Final = 64
"""Documents that a model is given at a time."""
TINY_GAP: Final = 0.1

__all__ = [
    "BATCH",
    "FACTORIES",
    "TINY_GAP",
    "HybridIndex",
    "Options",
    "ProgressiveSearch",
    "Texts",
    "create_hybrid_index",
    "create_lexical_only_search",
    "create_lexical_semantic_search",
    "create_lexical_semantic_tiny_search",
    "create_progressive_search",
    "create_three_source_search",
    "create_token_source",
    "create_vector_source",
    "query_encoder",
    "texts_by_id",
    "three_source_options",
    "tiny_options",
]

Texts = Mapping[str, str] | Iterable[Document | tuple[str, str]]


def create_lexical_only_search(
    index: LexicalIndex | Retriever,
    *,
    lexical: Options | None = None,
    defaults: Options | None = None,
    on_error: str = "raise",
) -> HybridSearch:
    """Words alone: BM25F order with the hits and responses of the hybrid searches, and no model."""
    words = lexical_source(index, lexical)
    return HybridSearch(lexical=words, defaults={"rerank": False, **(defaults or {})}, on_error=on_error)


async def create_lexical_semantic_tiny_search(
    index: LexicalIndex | Retriever,
    *,
    documents: Texts | None = None,
    colbert: TokenEncoder | None = None,
    matrices: Sequence[Any] | None = None,
    vector: Retriever | None = None,
    quantization: str = "turboquant",
    lexical: Options | None = None,
    defaults: Options | None = None,
    on_error: str = "raise",
) -> HybridSearch:
    """Words and late interaction, by the `efficient` preset with a weak-lexical gap of 0.1.

    `documents` are encoded in batches of 64; `matrices` (float32 [tokens, d] each, in their order) stand
    for an encoding made earlier. Or `vector` is a source made earlier, and neither documents nor model are
    needed. Text past the model's limit is cut. `quantization="exact"` keeps float32 tokens.
    """
    if vector is None:
        vector = await create_token_source(documents, colbert, matrices=matrices, quantization=quantization)
    return HybridSearch(
        lexical=lexical_source(index, lexical),
        tokens=vector,
        defaults={**tiny_options(), **(defaults or {})},
        on_error=on_error,
    )


async def create_lexical_semantic_search(
    index: LexicalIndex | Retriever,
    *,
    documents: Texts | None = None,
    embedder: Embedder | None = None,
    vectors: Any = None,
    vector: Retriever | None = None,
    reranker: Reranker | TokenEncoder | None = None,
    lexical: Options | None = None,
    defaults: Options | None = None,
    on_error: str = "raise",
    **vector_options: Any,
) -> HybridSearch:
    """Words and single vectors: the `reranked` preset with a `reranker`, otherwise `efficient`.

    `documents` are embedded in batches of 64, or `vectors` (float32 [n, d], in their order) are taken, or
    `vector` is a source made earlier. A token encoder as `reranker` reads the documents' texts, cut at
    its limit; a `Reranker` is used as it is. `vector_options` go to the vector source (`strategy`, ...).
    """
    texts = None if documents is None else texts_by_id(documents)
    if vector is None:
        vector = await create_vector_source(texts, embedder, vectors=vectors, **vector_options)
    second = None if reranker is None else _reranker(reranker, texts)
    preset = search_preset("efficient" if second is None else "reranked")
    return HybridSearch(
        lexical=lexical_source(index, lexical),
        vector=vector,
        reranker=second,
        defaults={**preset, **(defaults or {})},
        on_error=on_error,
    )


def create_three_source_search(
    index: LexicalIndex | Retriever,
    *,
    vector: Retriever,
    tokens: Retriever,
    reranker: Reranker | None = None,
    lexical: Options | None = None,
    defaults: Options | None = None,
    on_error: str = "raise",
) -> HybridSearch:
    """Words, single vectors and late interaction, by linear fusion with weights fitted to each query.

    The vector and token sources are made earlier (`create_vector_source`, `create_token_source`).
    """
    return HybridSearch(
        lexical=lexical_source(index, lexical),
        vector=vector,
        tokens=tokens,
        reranker=reranker,
        defaults={**three_source_options(rerank=reranker is not None), **(defaults or {})},
        on_error=on_error,
    )


async def create_token_source(
    documents: Texts | None,
    colbert: TokenEncoder | None,
    *,
    matrices: Sequence[Any] | None = None,
    **options: Any,
) -> Retriever:
    """A late-interaction source over documents, encoded here in batches of 64 or given as `matrices`."""
    from hinny.late.retriever import create_colbert_retriever

    if documents is None:
        raise InvalidOption("documents", None, "documents to encode, or a token source as vector")
    if colbert is None:
        raise InvalidOption(
            "colbert", None, "a token encoder: queries need one even where matrices are given"
        )
    encoder, texts = colbert, texts_by_id(documents)

    async def encode(batch: list[str]) -> Any:
        return await resolve(encoder.encode_documents(batch, truncate=True))

    if matrices is None:
        matrices = await _batched(list(texts.values()), encode, "token matrices")
    return create_colbert_retriever(
        ids=list(texts),
        matrices=matrices,
        encode_query=query_encoder(encoder),
        fingerprint=encoder.fingerprint,
        **options,
    )


def query_encoder(encoder: TokenEncoder) -> Callable[[str], Awaitable[Any]]:
    """From a query's text to its token matrix; text past the model's limit is cut."""

    async def encode_query(text: str) -> Any:
        (matrix,) = await resolve(encoder.encode_queries([text], truncate=True))
        return matrix

    return encode_query


async def create_vector_source(
    documents: Texts | None, embedder: Embedder | None, *, vectors: Any = None, **options: Any
) -> Retriever:
    """A vector source over documents, embedded here in batches of 64 or given as `vectors` [n, d]."""
    from hinny.dense.retriever import create_vector_retriever

    if documents is None:
        raise InvalidOption("documents", None, "documents to embed, or a vector source as vector")
    if embedder is None:
        raise InvalidOption("embedder", None, "an embedder: queries need one even where vectors are given")
    model, texts = embedder, texts_by_id(documents)

    async def embed(batch: list[str]) -> Any:
        return await resolve(model.embed_documents(batch))

    if vectors is None:
        vectors = await _batched(list(texts.values()), embed, "vectors")
    return create_vector_retriever(
        ids=list(texts),
        vectors=vectors,
        embed_query=model.embed_query,
        fingerprint=model.fingerprint,
        **options,
    )


def tiny_options() -> dict[str, Any]:
    """Options of the tiny search: `efficient`, with a smaller weak-lexical gap for MaxSim's scale."""
    return {**search_preset("efficient"), "weak_lexical": {"share": 0.2, "gap": TINY_GAP}}


def three_source_options(*, rerank: bool = False) -> dict[str, Any]:
    """Options of the three-source search: 100 candidates a source, and weights fitted to each query.

    With `rerank` the neural stage of the `reranked` preset follows.

    Plain fusion wins where all sources are about as good, and loses much where the vectors are weak: on the
    index of the PostgreSQL manual it is far below words alone. So the vectors and tokens count in full only
    for what the words leave open, and a fifth of that where the first lexical hit has the whole query
    (`hinny.ranking.adapt`). These values were the best on average, and above words on each, of a grid on
    the train split of SciFact, the dev split of NFCorpus and that manual (docs/evaluation.md has the rest).
    """
    weights = {"lexical": 1, "vector": 1, "tokens": 0.5}
    neural = search_preset("reranked")["rerank"] if rerank else False
    return {"fusion": {"method": "linear", "weights": weights, "adapt": 0.2}, "rerank": neural}


class ProgressiveSearch:
    """A fail-open search whose sources arrive one after the other; set each when it is ready."""

    __slots__ = ("reranker", "search", "tokens", "vector")

    def __init__(
        self,
        search: HybridSearch,
        vector: PendingRetriever | None,
        tokens: PendingRetriever | None,
        reranker: PendingReranker | None,
    ) -> None:
        self.search = search
        self.vector = vector
        self.tokens = tokens
        self.reranker = reranker

    @property
    def loading(self) -> tuple[str, ...]:
        """Names of what is still on its way."""
        waiting = (self.vector, self.tokens, self.reranker)
        return tuple(part.name for part in waiting if part is not None and not part.ready)


def create_progressive_search(
    factory: str,
    index: LexicalIndex | Retriever,
    *,
    rerank: bool = False,
    lexical: Options | None = None,
    defaults: Options | None = None,
) -> ProgressiveSearch:
    """The search of a factory, at once: words answer now, the rest reports `loading` until it is set.

    `progress.vector.set(retriever)` (or `tokens`, `reranker`) makes the next search use it;
    `.fail(error)` reports the error from then on. `rerank` (of `semantic` and `three-source`) leaves a
    place for a reranker.
    """
    from hinny.ranking.sources import RERANK_STAGE, TOKENS, VECTOR
    from hinny.sources.pending import PendingReranker, PendingRetriever

    if factory not in FACTORIES:
        raise InvalidOption("factory", factory, f"one of {', '.join(FACTORIES)}")
    if rerank and factory not in ("semantic", "three-source"):
        raise InvalidOption("rerank", rerank, f"False with the factory {factory}")
    options: dict[str, Any] = {
        "lexical-only": {"rerank": False},
        "tiny": tiny_options(),
        "semantic": search_preset("reranked" if rerank else "efficient"),
        "three-source": three_source_options(rerank=rerank),
    }[factory]
    vector = PendingRetriever(VECTOR) if factory in ("semantic", "three-source") else None
    tokens = PendingRetriever(TOKENS) if factory in ("tiny", "three-source") else None
    second = PendingReranker(RERANK_STAGE) if rerank else None
    search = HybridSearch(
        lexical=lexical_source(index, lexical),
        vector=vector,
        tokens=tokens,
        reranker=second,
        defaults={**options, **(defaults or {})},
        on_error="degrade",
    )
    return ProgressiveSearch(search, vector, tokens, second)


def texts_by_id(documents: Texts) -> dict[str, str]:
    """Texts by id, in order: from a mapping, from pairs, or from documents (their fields, a line each)."""
    if isinstance(documents, Mapping):
        return dict(documents)
    texts: dict[str, str] = {}
    for item in documents:
        id, text = (item.id, "\n".join(item.fields.values())) if isinstance(item, Document) else item
        if id in texts:
            raise InvalidInput(f"the document id {id!r} is there twice")
        texts[id] = text
    return texts


def _reranker(reranker: Reranker | TokenEncoder, texts: Mapping[str, str] | None) -> Reranker:
    model: Any = reranker
    if not hasattr(model, "encode_queries"):
        ready: Reranker = model
        return ready
    if texts is None:
        raise InvalidOption("documents", None, "the documents whose texts the reranker reads")
    from hinny.ranking.rerankers import ColbertReranker

    return ColbertReranker(model, texts.__getitem__, truncate=True)


async def _batched(texts: list[str], encode: Callable[[list[str]], Any], what: str) -> list[Any]:
    """One row a text, asked for in batches."""
    rows: list[Any] = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        encoded = list(await encode(batch))
        if len(encoded) != len(batch):
            raise InvalidInput(f"the model gave {len(encoded)} {what} for {len(batch)} texts")
        rows.extend(encoded)
    return rows
