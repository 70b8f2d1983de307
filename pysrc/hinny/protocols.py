"""What the parts expect of each other. Each optional ability is a protocol of its own.

Every method here may be an ordinary function or a coroutine function: callers go through
`resolve()`, so a plain synchronous backend works unwrapped. Cancelling the awaiting task is the
abort; there is no signal object.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from hinny.records import Candidate, Query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


async def resolve(value: T | Awaitable[T]) -> T:
    """Await the value when it can be awaited, hand it back when it is there already."""
    if inspect.isawaitable(value):
        return await value
    return value


@runtime_checkable
class Retriever(Protocol):
    """A source of ranked candidates."""

    @property
    def name(self) -> str:
        """The source's name in weights, signals and reports: `lexical`, `vector`, ..."""

    def retrieve(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> Sequence[Candidate] | Awaitable[Sequence[Candidate]]:
        """At most `limit` candidates, best first, unique ids, finite scores.

        `ids`, where given, is applied before the top is taken; it never changes corpus statistics.
        """


@runtime_checkable
class Rescorer(Protocol):
    """A retriever that can score a given pool."""

    def rescore(
        self, query: Query, ids: Sequence[str]
    ) -> Sequence[Candidate] | Awaitable[Sequence[Candidate]]:
        """Candidates for those of `ids` that match, best first; scored as `retrieve` scores them."""


@runtime_checkable
class ExactMatcher(Protocol):
    """A retriever that can tell literal equality."""

    def exact(
        self, query: Query, *, limit: int, ids: Collection[str] | None = None
    ) -> Sequence[str] | Awaitable[Sequence[str]]:
        """Ids whose named fields equal the query's text literally (no analysis), in index order."""


@runtime_checkable
class MatchShare(Protocol):
    """A lexical retriever that can say how much of a query a document matches."""

    def match_share(self, query: Query, id: str) -> float | Awaitable[float | None] | None:
        """Share (0 to 1) of the query's idf-weighted words that the document matches.

        Stop words weigh nothing, words that the index lacks weigh most; None when no word is searchable.
        """


@runtime_checkable
class AverageLength(Protocol):
    """A lexical retriever that knows how long its documents are."""

    def average_length(self) -> float:
        """Mean number of analysed terms a document, over the fields it searches."""


@runtime_checkable
class Reranker(Protocol):
    """A second opinion on a short list."""

    def rerank(
        self, query: Query, ids: Sequence[str]
    ) -> Sequence[Candidate] | Awaitable[Sequence[Candidate]]:
        """A complete permutation of `ids` with finite scores, best first."""


@runtime_checkable
class Embedder(Protocol):
    """Texts to single vectors."""

    @property
    def fingerprint(self) -> str:
        """Names the pin and every setting that changes a vector; stored with each index."""

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32] | Awaitable[NDArray[np.float32]]:
        """float32 [n, d]."""

    def embed_query(self, text: str) -> NDArray[np.float32] | Awaitable[NDArray[np.float32]]:
        """float32 [d]."""


@runtime_checkable
class TokenEncoder(Protocol):
    """Texts to token matrices, for late interaction (ColBERT)."""

    @property
    def fingerprint(self) -> str:
        """Names the pin and every setting that changes a matrix; stored with each index."""

    def encode_documents(
        self, texts: Sequence[str], *, truncate: bool = False
    ) -> Sequence[NDArray[np.float32]] | Awaitable[Sequence[NDArray[np.float32]]]:
        """One float32 [tokens, d] a text."""

    def encode_queries(
        self, texts: Sequence[str], *, truncate: bool = False
    ) -> Sequence[NDArray[np.float32]] | Awaitable[Sequence[NDArray[np.float32]]]:
        """One float32 [tokens, d] a text."""


@runtime_checkable
class PairScorer(Protocol):
    """A cross-encoder, or anything that scores texts against a query."""

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float] | Awaitable[Sequence[float]]:
        """One finite score a text, in the order of `texts`; higher is better."""


TextResolver = Callable[[str], "str | Awaitable[str]"]
"""From a document id to the text that a reranker reads."""


@runtime_checkable
class PartSource(Protocol):
    """Where an index reads its parts: a bundle on disk, over HTTP, or a dictionary in memory."""

    @property
    def names(self) -> Collection[str]:
        """Names of all parts."""

    def read(self, name: str) -> bytes | Awaitable[bytes]:
        """The part's verified bytes; `BundleMissing` or `IntegrityError` where there are none."""


@runtime_checkable
class ModelRuntime(Protocol):
    """Runs model graphs; the only thing that differs between CPython and the browser."""

    async def load_tokenizer(self, data: bytes, config: bytes | None = None) -> int:
        """A handle for a tokenizer (the bytes of a tokenizer.json and its tokenizer_config.json)."""

    async def tokenize(
        self, tokenizer: int, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> list[list[int]]:
        """Token ids of each text; no padding and no truncation."""

    async def load_session(
        self, graph: bytes, external: Mapping[str, NDArray[np.generic]] | None = None
    ) -> int:
        """A handle for an ONNX graph, its external weights given by file name."""

    async def run(
        self, session: int, inputs: Mapping[str, NDArray[np.generic]]
    ) -> dict[str, NDArray[np.generic]]:
        """The named outputs. Calls to one session are served one after the other."""

    async def input_names(self, session: int) -> list[str]:
        """The graph's input names."""

    async def release(self, handle: int) -> None:
        """Frees a session or tokenizer after its accepted work; releasing twice is harmless."""
