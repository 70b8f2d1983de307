"""What quantising costs: nDCG@10 and overlap of TurboQuant beside float32, on real embeddings.

    python -m bench.vectors [--data DIR] [--work DIR] [--models DIR] [SET ...]

Encodes each set with the project's own MiniLM models (`make models`), keeps the embeddings in the work
folder, and prints one flat JSON object. `tq4_ndcg_loss_SET` is float32 minus 4 bits; `tq4_overlap10_SET`
the share of float32's first ten that 4 bits also has in its first ten.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench.lexical_eval import SETS, documents, ndcg, questions
from numpy.typing import NDArray

from hinny.dense.retriever import VectorRetriever, create_vector_retriever
from hinny.late.retriever import create_colbert_retriever
from hinny.models.colbert import ColbertEncoder
from hinny.models.embedder import TextEmbedder
from hinny.models.store import ModelStore
from hinny.platform.cpython import cpython_platform
from hinny.records import Query

DENSE_MODEL, TOKEN_MODEL = "minilm-l6-int8", "minilm-l6-late64"
DENSE_SETS, TOKEN_SETS = ("scifact", "nfcorpus"), ("cranfield",)

CHUNK = 256

Ranking = list[list[str]]
Matrix = NDArray[np.float32]
Encode = Callable[[list[str]], Awaitable[Any]]


def texts(data: Path, name: str) -> tuple[list[str], list[str]]:
    """A set's document ids and texts."""
    folder, _, _, language = SETS[name]
    found = documents(data / folder, language)
    return [each.id for each in found], [" ".join(each.fields.values()) or each.id for each in found]


async def encoded(work: Path, model: str, encode: Encode, passages: Sequence[str]) -> list[Matrix]:
    """One row or matrix a text; kept in the work folder in chunks, since this is what takes long."""
    work.mkdir(parents=True, exist_ok=True)
    out: list[Matrix] = []
    for start in range(0, len(passages), CHUNK):
        chunk = list(passages[start : start + CHUNK])
        key = hashlib.sha256(json.dumps([model, chunk]).encode()).hexdigest()[:24]
        file = work / f"encoded-{key}.npz"
        if not file.exists():
            rows = [np.atleast_2d(row) for row in await encode(chunk)]
            ends = np.cumsum([len(row) for row in rows])
            np.savez(file, rows=np.concatenate(rows), ends=ends)
        with np.load(file) as kept:
            out += np.split(kept["rows"], kept["ends"][:-1])
    return out


async def embeddings(
    work: Path, models: Path | None, passages: list[str], asked: list[str]
) -> tuple[Matrix, Matrix]:
    """Vectors of documents [n, d] and of queries [q, d]."""
    store = ModelStore(models)
    embedder = TextEmbedder(store.pin(DENSE_MODEL), cpython_platform(store, threads=1), truncate=True)
    key = embedder.fingerprint
    documents = await encoded(work, f"{key} document", embedder.embed_documents, passages)
    queries = await encoded(work, f"{key} query", embedder.embed_queries, asked)
    await embedder.dispose()
    return np.concatenate(documents), np.concatenate(queries)


async def token_matrices(
    work: Path, models: Path | None, passages: list[str], asked: list[str]
) -> tuple[list[Matrix], list[Matrix]]:
    """Token matrices of documents and of queries."""
    store = ModelStore(models)
    encoder = ColbertEncoder(store.pin(TOKEN_MODEL), cpython_platform(store, threads=1), truncate=True)
    key = encoder.fingerprint
    documents = await encoded(work, f"{key} document", encoder.encode_documents, passages)
    queries = await encoded(work, f"{key} query", encoder.encode_queries, asked)
    await encoder.dispose()
    return documents, queries


async def rank_vectors(retriever: VectorRetriever, queries: NDArray[np.float32]) -> Ranking:
    """The first ten for each query."""
    return [
        [each.id for each in await retriever.retrieve(Query(vector=vector), limit=10)] for vector in queries
    ]


def mean_ndcg(ranking: Ranking, asked: Sequence[tuple[str, str]], judged: dict[str, Any]) -> float:
    """nDCG@10 over the queries."""
    return float(np.mean([ndcg(ids, judged[id]) for ids, (id, _) in zip(ranking, asked, strict=True)]))


def overlap(first: Ranking, second: Ranking) -> float:
    """Share of the first's ids that the second has."""
    return float(np.mean([len(set(a) & set(b)) / len(a) for a, b in zip(first, second, strict=True)]))


async def dense(data: Path, work: Path, models: Path | None, name: str) -> dict[str, float]:
    """Exact and quantised vectors of one set."""
    ids, passages = texts(data, name)
    asked, judged = questions(data, name)
    vectors, queries = await embeddings(work, models, passages, [text for _, text in asked])
    exact = await rank_vectors(create_vector_retriever(ids=ids, vectors=vectors), queries)
    best = mean_ndcg(exact, asked, judged)
    out = {f"dense_ndcg_{name}": best}
    for bits in (2, 3, 4, 8):
        for refine in (0, 100) if bits == 4 else (0,):
            retriever = create_vector_retriever(
                ids=ids, vectors=vectors, strategy="turboquant", bits=bits, refine_candidates=refine
            )
            ranking = await rank_vectors(retriever, queries)
            label = f"tq{bits}_refined" if refine else f"tq{bits}"
            out[f"{label}_ndcg_loss_{name}"] = best - mean_ndcg(ranking, asked, judged)
            out[f"{label}_overlap10_{name}"] = overlap(exact, ranking)
            if bits == 4 and not refine:
                parts = retriever.to_parts()
                out[f"tq4_part_bytes_a_document_{name}"] = len(parts["vectors/codes"]) / len(ids)
                again = VectorRetriever.from_parts(
                    retriever.to_parts(full="bytes"), ids=ids, refine_candidates=100
                )
                ranking = await rank_vectors(again, queries)
                out[f"tq4_refined8_ndcg_loss_{name}"] = best - mean_ndcg(ranking, asked, judged)
                out[f"tq4_refined8_overlap10_{name}"] = overlap(exact, ranking)
    return out


async def late(data: Path, work: Path, models: Path | None, name: str) -> dict[str, float]:
    """Exact, quantised and pooled tokens of one set."""
    ids, passages = texts(data, name)
    asked, judged = questions(data, name)
    words = [text for _, text in asked]
    matrices, queries = await token_matrices(work, models, passages, words)
    tokens_of = dict(zip(words, queries, strict=True))

    async def rank(**options: Any) -> tuple[float, Ranking]:
        retriever = create_colbert_retriever(
            ids=ids, matrices=matrices, encode_query=tokens_of.__getitem__, **options
        )
        ranking = [[each.id for each in await retriever.retrieve(Query(text), limit=10)] for _, text in asked]
        return mean_ndcg(ranking, asked, judged), ranking

    best, exact = await rank(quantization="exact")
    out = {
        f"maxsim_ndcg_{name}": best,
        f"tokens_a_document_{name}": float(np.mean([len(matrix) for matrix in matrices])),
    }
    for bits in (2, 3, 4):
        quality, ranking = await rank(bits=bits)
        out[f"maxsim_tq{bits}_ndcg_loss_{name}"] = best - quality
        out[f"maxsim_tq{bits}_overlap10_{name}"] = overlap(exact, ranking)
    for pool in (0.67, 0.5, 0.33, 0.25):
        started = time.perf_counter()
        quality, ranking = await rank(pool=pool)
        label = f"maxsim_pool{round(pool * 100)}"
        out[f"{label}_ndcg_loss_{name}"] = best - quality
        out[f"{label}_overlap10_{name}"] = overlap(exact, ranking)
        out[f"{label}_seconds_{name}"] = time.perf_counter() - started
    return out


def run(data: Path, work: Path, models: Path | None = None, names: Sequence[str] = ()) -> dict[str, float]:
    """All figures, flat; of all sets or of those named."""
    return asyncio.run(_figures(data, work, models, names))


async def _figures(data: Path, work: Path, models: Path | None, names: Sequence[str]) -> dict[str, float]:
    out: dict[str, float] = {}
    for name in [name for name in DENSE_SETS if not names or name in names]:
        out |= await dense(data, work, models, name)
    for name in [name for name in TOKEN_SETS if not names or name in names]:
        out |= await late(data, work, models, name)
    return {name: round(value, 4) for name, value in out.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--work", type=Path, default=Path("bench/work"))
    parser.add_argument("--models", type=Path)
    parser.add_argument("sets", nargs="*")
    options = parser.parse_args()
    print(json.dumps(run(options.data, options.work, options.models, options.sets), indent=1))


if __name__ == "__main__":
    main()
