"""Every method that is measured: a name, what it joins, and its options.

Methods named after a factory have that factory's own options, read from it and not written down again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.eval.sources import TokenReranker

from hinny.factories import three_source_options, tiny_options
from hinny.protocols import Retriever
from hinny.ranking.presets import search_preset
from hinny.ranking.search import HybridSearch

PLAIN_RRF: dict[str, Any] = {"fusion": {"method": "rrf", "k": 60}, "rerank": False}
LINEAR: dict[str, Any] = {"fusion": {"method": "linear"}, "rerank": False}
ADAPTED: dict[str, Any] = {
    "fusion": {"method": "linear", "adapt": three_source_options()["fusion"].get("adapt")},
    "rerank": False,
}
"""Equal weights, fitted as the three-source factory fits its own."""
TWO, TOKEN_TWO = ("lexical", "dense"), ("lexical", "maxsim")
THREE = ("lexical", "dense", "maxsim")
ROLES = {"lexical": "lexical", "dense": "vector", "maxsim": "tokens"}


@dataclass(frozen=True)
class Method:
    """One row of a table."""

    name: str
    group: str
    says: str
    joins: tuple[str, ...] = TWO
    options: Mapping[str, Any] = field(default_factory=dict)
    reranks: bool = False


def cascade(first: str, how: str) -> dict[str, Any]:
    """The first source chooses 100, the other orders them or is fused with it."""
    return {"strategy": f"{first}-first", "cascade": how, "rerank": False}


def methods() -> list[Method]:
    """In the order of the tables."""
    efficient, reranked = search_preset("efficient"), search_preset("reranked")
    three = three_source_options()
    return [
        Method("rrf_dense", "fusion", "words and vectors, RRF, k = 60", options=PLAIN_RRF),
        Method("linear_dense", "fusion", "words and vectors, linear", options=LINEAR),
        Method("rrf_maxsim", "fusion", "words and tokens, RRF, k = 60", TOKEN_TWO, PLAIN_RRF),
        Method("linear_maxsim", "fusion", "words and tokens, linear", TOKEN_TWO, LINEAR),
        Method("rrf_three", "fusion", "words, vectors and tokens, RRF, k = 60", THREE, PLAIN_RRF),
        Method("linear_three", "fusion", "words, vectors and tokens, linear", THREE, LINEAR),
        Method(
            "adaptive_dense",
            "fusion",
            "words and vectors, linear, weights fitted to each query",
            options=ADAPTED,
        ),
        Method(
            "adaptive_three",
            "fusion",
            "words, vectors and tokens, linear, weights fitted to each query",
            THREE,
            ADAPTED,
        ),
        Method(
            "vector_first", "cascade", "vectors choose 100, words order", options=cascade("vector", "replace")
        ),
        Method(
            "lexical_first",
            "cascade",
            "words choose 100, vectors order",
            options=cascade("lexical", "replace"),
        ),
        Method(
            "vector_first_fuse",
            "cascade",
            "vectors choose 100, both order",
            options=cascade("vector", "fuse"),
        ),
        Method(
            "lexical_first_fuse",
            "cascade",
            "words choose 100, both order",
            options=cascade("lexical", "fuse"),
        ),
        Method("efficient", "preset", "preset efficient: words and vectors", options=efficient),
        Method(
            "reranked", "preset", "preset reranked: the same, tokens rerank", options=reranked, reranks=True
        ),
        Method("tiny", "preset", "factory tiny: words and tokens", TOKEN_TWO, tiny_options()),
        Method("three_source", "preset", "factory three-source", THREE, three),
        Method(
            "rrf_reranked",
            "rerank",
            "words and vectors, RRF, then tokens rerank 25 (defaults)",
            options={"fusion": {"method": "rrf", "k": 60}},
            reranks=True,
        ),
        Method(
            "rrf_replaced",
            "rerank",
            "words and vectors, RRF, then tokens alone order 25",
            options={"fusion": {"method": "rrf", "k": 60}, "rerank": {"method": "replace"}},
            reranks=True,
        ),
        Method(
            "reranked_no_margin",
            "rerank",
            "preset reranked without its margin gate",
            options={**reranked, "rerank": {**reranked["rerank"], "skip_if_vector_margin": None}},
            reranks=True,
        ),
        Method(
            "efficient_no_weak",
            "policy",
            "preset efficient without the weak-lexical rule",
            options={**efficient, "weak_lexical": None},
        ),
        Method(
            "tiny_no_weak",
            "policy",
            "factory tiny without the weak-lexical rule",
            TOKEN_TWO,
            {**tiny_options(), "weak_lexical": None},
        ),
        Method(
            "three_source_fixed",
            "policy",
            "factory three-source with its weights as given",
            THREE,
            {**three, "fusion": {**three["fusion"], "adapt": None}},
        ),
        Method(
            "rrf_weak",
            "policy",
            "RRF with the weak-lexical rule",
            options={**PLAIN_RRF, "weak_lexical": {"share": 0.2, "gap": 0.15}},
        ),
        Method(
            "rrf_exact", "policy", "RRF with exact titles first", options={**PLAIN_RRF, "exact": "promote"}
        ),
        Method(
            "rrf_balance",
            "policy",
            "RRF with each source's best in the first 5",
            options={**PLAIN_RRF, "balance": {"window": 5, "lexical": 1, "vector": 1}},
        ),
        Method(
            "rrf_short",
            "policy",
            "RRF with vectors alone below 12 words a document",
            options={**PLAIN_RRF, "vector_only_below": 12},
        ),
        Method(
            "rrf_dropoff", "policy", "RRF cut at its largest drop", options={**PLAIN_RRF, "dropoff": True}
        ),
    ]


def searches(sources: Mapping[str, Retriever]) -> dict[str, HybridSearch]:
    """A search for each method whose sources and abilities are there."""
    exact = getattr(sources["lexical"], "has_exact_fields", False)
    found = {}
    for method in methods():
        if any(name not in sources for name in method.joins) or ("exact" in method.options and not exact):
            continue
        roles: dict[str, Any] = {ROLES[name]: sources[name] for name in method.joins}
        reranker = TokenReranker(sources["maxsim"]) if method.reranks else None
        found[method.name] = HybridSearch(**roles, reranker=reranker, defaults=method.options)
    return found


SOURCES = {
    "lexical": "words: our lexical index as shipped",
    "lexical_sum": "the same, each field's BM25 added up",
    "bm25f_plain": "BM25F and no further signal",
    "bm25_sum_plain": "each field's BM25 added up and no further signal",
    "bm25s": "bm25s (Lucene BM25, k1 1.5, b 0.75, one field)",
    "dense": "vectors: MiniLM-L6, float32",
    "dense_tq4": "vectors, 4 bits",
    "dense_tq4_refined": "vectors, 4 bits, the first 100 refined",
    "maxsim": "tokens: MiniLM-L6 in 64 dimensions, float32",
    "maxsim_tq4": "tokens, 4 bits",
    "maxsim_pool67": "tokens, two thirds kept by pooling",
    "maxsim_pool50": "tokens, half kept by pooling",
    "maxsim_pool33": "tokens, a third kept by pooling",
}
