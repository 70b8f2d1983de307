"""Vectors and token matrices of a collection, computed once and kept.

A file of the cache holds 256 texts and is named by the model's fingerprint and the texts' own hash, so a
changed model or collection is encoded anew and a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench.eval.trunk import SharedRuntime
from numpy.typing import NDArray

from hinny.models.colbert import ColbertEncoder
from hinny.models.embedder import TextEmbedder
from hinny.models.store import ModelStore
from hinny.platform.base import Platform

DENSE_MODEL, TOKEN_MODEL = "minilm-l6-int8", "minilm-l6-late64"
CHUNK = 256

Matrix = NDArray[np.float32]
Encode = Callable[[list[str]], Awaitable[Any]]
Advance = Callable[[int], Any]


@dataclass(frozen=True)
class Encoded:
    """One row or matrix a text, in the order of the texts."""

    vectors: Matrix
    """float32 [n, 384]."""
    tokens: list[Matrix]
    """float32 [tokens, 64] each."""


class Encoders:
    """Our own embedder and late-interaction model over one session."""

    def __init__(self, work: Path, models: Path | None = None, threads: int | None = None) -> None:
        store = ModelStore(models)
        pins = store.pin(DENSE_MODEL), store.pin(TOKEN_MODEL)
        graphs = [store.load(pin, next(f for f in pin.files if f.role == "graph")) for pin in pins]
        self._runtime = SharedRuntime((graphs[0], graphs[1]), threads)
        platform = Platform("cpython", self._runtime, store)
        self._work = work
        self._embedder = TextEmbedder(pins[0], platform, truncate=True)
        self._late = ColbertEncoder(pins[1], platform, truncate=True)

    @property
    def fingerprints(self) -> tuple[str, str]:
        """Of the embedder and of the late-interaction model."""
        return self._embedder.fingerprint, self._late.fingerprint

    async def documents(self, texts: Sequence[str], advance: Advance = lambda done: None) -> Encoded:
        """Passages, each cut at the models' 256 tokens; `advance` hears of every chunk that is done."""
        return await self._both(texts, "document", advance)

    async def queries(self, texts: Sequence[str], advance: Advance = lambda done: None) -> Encoded:
        """Questions."""
        return await self._both(texts, "query", advance)

    async def close(self) -> None:
        """Free the models."""
        await self._embedder.dispose()
        await self._late.dispose()

    async def _both(self, texts: Sequence[str], role: str, advance: Advance) -> Encoded:
        embed: Encode = self._embedder.embed_queries if role == "query" else self._embedder.embed_documents
        encode: Encode = self._late.encode_queries if role == "query" else self._late.encode_documents
        vectors: list[Matrix] = []
        tokens: list[Matrix] = []
        for chunk in chunks(texts):
            vectors += await kept(self._work, f"{self._embedder.fingerprint} {role}", embed, chunk)
            tokens += await kept(self._work, f"{self._late.fingerprint} {role}", encode, chunk)
            self._runtime.forget()
            advance(len(chunk))
        return Encoded(np.concatenate(vectors) if vectors else np.zeros((0, 1), np.float32), tokens)


def chunks(texts: Sequence[str]) -> Iterator[list[str]]:
    """256 texts at a time."""
    for start in range(0, len(texts), CHUNK):
        yield list(texts[start : start + CHUNK])


def cache_file(work: Path, model: str, texts: list[str]) -> Path:
    """Where the encoding of these texts is kept."""
    return work / f"encoded-{hashlib.sha256(json.dumps([model, texts]).encode()).hexdigest()[:24]}.npz"


async def kept(work: Path, model: str, encode: Encode, texts: list[str]) -> list[Matrix]:
    """One [rows, d] a text, from the cache or made now and put there."""
    file = cache_file(work, model, texts)
    if not file.exists():
        rows = [np.atleast_2d(row) for row in await encode(texts)]
        work.mkdir(parents=True, exist_ok=True)
        # Written beside and moved, so that a run that is broken off leaves no half a file.
        part = file.with_suffix(".part.npz")
        np.savez(part, rows=np.concatenate(rows), ends=np.cumsum([len(row) for row in rows]))
        part.replace(file)
    with np.load(file) as stored:
        return np.split(stored["rows"], stored["ends"][:-1])
