"""Fits the projection that `hinny.models.make` ships (see hinny/models/make/projection.py).

    python bench/fit_projection.py OUT.npy CORPUS.jsonl:PASSAGES [CORPUS.jsonl:PASSAGES ...]

Each corpus is JSON Lines with `title` and `text`; that many passages are drawn from it by a fixed seed and
cut to 600 characters. What is shipped came from 300 of the PostgreSQL manual, 150 of FastAPI's and 200
of MDN's documentation, 450 of Belebele (English), 350 of NFCorpus and 240 of XQuAD (English).
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import numpy as np

from hinny.models.batching import batches, fit, pad
from hinny.models.loaded import LoadedModel
from hinny.models.make.projection import fit_projection
from hinny.models.store import ModelStore
from hinny.platform.cpython import cpython_platform

DIMENSIONS = 64
LENGTH = 160
SEED = 2


def passages(arguments: list[str]) -> list[str]:
    """The drawn texts."""
    generator = np.random.default_rng(SEED)
    texts = []
    for argument in arguments:
        path, count = argument.rsplit(":", 1)
        rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        for number in generator.permutation(len(rows))[: int(count)]:
            row = rows[number]
            texts.append(f"{row.get('title', '')}. {row['text'][:600]}".strip(". "))
    return texts


async def states(texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """All token states of the texts, and their ids."""
    store = ModelStore()
    model = LoadedModel(store.pin("minilm-l6-int8"), cpython_platform(store))
    rows = [fit(ids, LENGTH, truncate=True) for ids in await model.tokenize(texts)]
    found, tokens = [], []
    for group in batches([len(ids) for ids in rows]):
        ids, mask = pad([rows[row] for row in group], 0)
        found.append((await model.run(ids, mask))[mask == 1])
        tokens.append(ids[mask == 1])
    await model.dispose()
    return np.concatenate(found), np.concatenate(tokens)


def main() -> None:
    """Fit and write."""
    out, *corpora = sys.argv[1:]
    found, tokens = asyncio.run(states(passages(corpora)))
    projection = fit_projection(found, tokens, DIMENSIONS)
    np.save(out, projection.astype("<f2"))
    print(f"{len(found):,} states, {len(np.unique(tokens)):,} distinct tokens, written to {out}")


if __name__ == "__main__":
    main()
