"""A site's models without weights: a word is a token, and a token a direction of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.bundle.reader import BundleReader
from hinny.bundle.storage import MappingStorage
from hinny.bundle.writer import bundle_files, with_parts
from hinny.models.pins import ModelPin, Role
from hinny.platform.base import Platform
from hinny.site.build import Built
from hinny.site.factories import KIND_OF, RERANK
from hinny.site.neural import Question, encode_site, manifest_entry
from hinny.site.search import SiteSearch
from model_fakes import make_pin
from site_pages import make_site

DIM = 32
PAIRS = 3
"""The session of a cross-encoder."""
SAME = {"feed": "hay", "blacksmith": "hooves", "dentist": "teeth"}
"""Words that mean what another says."""


class WordRuntime:
    """A `ModelRuntime`. `gates`, by model, hold the loading of graphs; `failures` of them fail."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {"": 0, "[start]": 1, "[end]": 2}
        self.gates: dict[str, asyncio.Event] = {}
        self.failures = 0
        self.runs = 0
        self.seen: Callable[[tuple[int, ...]], Any] = lambda shape: None
        """Told the shape of each batch of token ids."""

    async def load_tokenizer(self, data: Any, config: Any = None) -> int:
        return 1

    async def tokenize(
        self, tokenizer: int, texts: Sequence[str], *, add_special_tokens: bool = True
    ) -> list[list[int]]:
        rows = []
        for text in texts:
            words = [word.strip(".,") for word in text.lower().split()]
            ids = [self.words.setdefault(SAME.get(word, word), len(self.words)) for word in words]
            rows.append([1, *ids, 2] if add_special_tokens else ids)
        return rows

    async def load_session(self, graph: Any, external: Mapping[str, Any] | None = None) -> int:
        id = graph.decode()
        if id in self.gates:
            await self.gates[id].wait()
        if self.failures:
            self.failures -= 1
            raise OSError("the hub is down")
        return PAIRS if id == "words-rerank" else 2

    async def run(self, session: int, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        self.runs += 1
        ids = inputs["input_ids"]
        self.seen(ids.shape)
        if session == PAIRS:
            return {"out": _overlaps(ids, inputs["token_type_ids"])}
        # A direction a token, the same in every process: words, not their order of arrival, decide.
        table = {id: _direction(word) for word, id in self.words.items()}
        states = np.array([table[int(id)] for id in ids.ravel()], dtype=np.float32)
        return {"out": states.reshape(*ids.shape, DIM)}

    async def input_names(self, session: int) -> list[str]:
        return ["input_ids", "attention_mask", *(["token_type_ids"] if session == PAIRS else [])]

    async def release(self, handle: int) -> None:
        pass


def _overlaps(ids: NDArray[Any], types: NDArray[Any]) -> NDArray[np.float32]:
    """How many words of each passage (type 1) are among its query's, repetitions counted."""
    rows = [
        sum(int(id) > 2 and id in row[kinds == 0] for id in row[kinds == 1])
        for row, kinds in zip(ids, types, strict=True)
    ]
    return np.array(rows, dtype=np.float32)[:, None]


def _direction(word: str) -> NDArray[np.float32]:
    # What surrounds every text weighs little.
    length = 0.01 if word.startswith("[") else 1.0
    seed = int.from_bytes(word.encode()[:24].ljust(1, b"0"), "little") % (2**32)
    return np.random.RandomState(seed).standard_normal(DIM).astype(np.float32) * np.float32(length)


class NoFiles:
    """`ModelFiles` of a model without weights."""

    async def read(self, pin: ModelPin, role: Role) -> bytes | None:
        return pin.id.encode()


def word_platform(runtime: WordRuntime | None = None) -> Platform:
    return Platform("fake", runtime or WordRuntime(), NoFiles())


def word_pins(*sources: str, **settings: Any) -> dict[str, ModelPin]:
    """A pin for each source."""
    options = {"dimensions": DIM, "query_length": 32, "document_length": 32, "truncate": True, **settings}
    special = {"start_id": 1, "separator_id": 2}
    return {
        name: make_pin(KIND_OF[name], id=f"words-{name}", **options, **(special if name == RERANK else {}))
        for name in sources
    }


async def neural_site(
    *sources: str, questions: Sequence[Question] = (), built: Built | None = None, **settings: Any
) -> BundleReader:
    """The small site's bundle with vectors, tokens or both, and a reranker on request."""
    built = built or make_site()
    pins = word_pins(*sources, **settings)
    searched = {name: pin for name, pin in pins.items() if name != RERANK}
    encoded = await encode_site(built.documents, searched, word_platform(), questions=questions)
    parts = built.parts | encoded.parts
    manifest = with_parts(built.manifest, parts)
    models = {pin.id: manifest_entry(pin, source, "models") for source, pin in pins.items()}
    object.__setattr__(manifest, "models", models)
    return await BundleReader.open(MappingStorage(bundle_files(manifest, parts)))


async def open_neural(reader: BundleReader, runtime: WordRuntime | None = None, **options: Any) -> SiteSearch:
    return await SiteSearch.open(reader, platform=lambda: word_platform(runtime), **options)
