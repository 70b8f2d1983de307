"""Builds every model of source `site` and puts it into the store."""

from __future__ import annotations

from collections.abc import Callable

from hinny.errors import UnknownModel
from hinny.models.make.bert import BertShape, build_bert
from hinny.models.make.overlap import build_overlap
from hinny.models.make.projection import shipped_projection
from hinny.models.make.safetensors import read_safetensors

SPECIAL_IDS = (0, 100, 101, 102, 103)
"""[PAD] [UNK] [CLS] [SEP] [MASK] of BERT's uncased vocabulary."""


def build_graph(id: str, weights: bytes) -> bytes:
    """The graph of one model of ours from the bytes of model.safetensors; the same bytes on every machine."""
    builders: dict[str, Callable[[], bytes]] = {
        "minilm-l6-int8": lambda: build_bert(read_safetensors(weights), BertShape(), precision="int8"),
        "minilm-l6-float32": lambda: build_bert(read_safetensors(weights), BertShape(), precision="float32"),
        "minilm-l6-late64": lambda: build_bert(
            read_safetensors(weights), BertShape(), precision="int8", projection=shipped_projection()
        ),
        "word-overlap": lambda: build_overlap(SPECIAL_IDS),
    }
    if id not in builders:
        raise UnknownModel(f"{id!r} is not built here, these are: {', '.join(builders)}")
    return builders[id]()
