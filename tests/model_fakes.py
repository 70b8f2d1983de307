"""A model small enough to check by hand: words are numbered tokens, a token's state is set by its id."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.models.pins import ModelPin, Role
from hinny.platform.base import Platform

START, END, MASK, MARK_QUERY, MARK_DOCUMENT, COMMA = 1, 2, 3, 4, 5, 6
WORDS = {",": COMMA, "a": 10, "b": 11, "c": 12, "d": 13, "q:": 14, "t:": 15}


def state(token: int) -> list[float]:
    """Two numbers a token, told apart by eye: (id, 1)."""
    return [float(token), 1.0]


class FakeRuntime:
    """A `ModelRuntime`. Counts what is asked of it; `gate`, where set, holds every run until it opens."""

    def __init__(self) -> None:
        self.inputs = ["input_ids", "attention_mask", "token_type_ids"]
        self.output = "out"
        self.logits = False
        self.batches: list[dict[str, NDArray[Any]]] = []
        self.loads = 0
        self.released: list[int] = []
        self.fail_loads = 0
        self.gate: asyncio.Event | None = None

    async def load_tokenizer(self, data: bytes, config: bytes | None = None) -> int:
        assert data == b"tokenizer"
        return 7

    async def tokenize(
        self, tokenizer: int, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> list[list[int]]:
        out = []
        for text in texts:
            ids = [WORDS[word] for word in text.split()]
            out.append([START, *ids, END] if add_special_tokens else ids)
        return out

    async def load_session(self, graph: bytes, external: Mapping[str, Any] | None = None) -> int:
        self.loads += 1
        await asyncio.sleep(0)
        if self.fail_loads:
            self.fail_loads -= 1
            raise OSError("no network")
        return 8

    async def run(self, session: int, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        if self.gate is not None:
            await self.gate.wait()
        self.batches.append(dict(inputs))
        ids = inputs["input_ids"]
        if self.logits:
            # Tokens of the passage: what a cross-encoder sees as type 1.
            return {self.output: (inputs["token_type_ids"] * ids).sum(axis=1, keepdims=True)}
        states = np.array([[state(int(token)) for token in row] for row in ids], dtype=np.float32)
        return {self.output: states.reshape(*ids.shape, 2)}

    async def input_names(self, session: int) -> list[str]:
        return self.inputs

    async def release(self, handle: int) -> None:
        self.released.append(handle)


class FakeFiles:
    """`ModelFiles` that hold a model without weights."""

    async def read(self, pin: ModelPin, role: Role) -> bytes | None:
        return None if role == "tokenizer_config" else role.encode()


def make_pin(kind: str = "embedder", **settings: Any) -> ModelPin:
    """A pin for the fake model."""
    return ModelPin.from_dict(
        {
            "id": "fake",
            "kind": kind,
            "source": "site",
            "licence": "MIT",
            "files": [
                {"role": "graph", "path": "model.onnx", "bytes": 1, "sha256": "a" * 64},
                {"role": "tokenizer", "path": "tokenizer.json", "bytes": 1, "sha256": "b" * 64},
            ],
            "inputs": ["input_ids", "attention_mask"],
            "output": "out",
            "dimensions": 2,
            "query_length": 6,
            "document_length": 6,
            **settings,
        }
    )


def make_platform(runtime: FakeRuntime) -> Platform:
    """The fake runtime and files as a platform."""
    return Platform("fake", runtime, FakeFiles())
