"""A page's own texts to vectors, by the models of its bundle (`SearchClient.encode`).

Loaded encoders are kept for the next call, by the model's fingerprint: a page that embeds as its reader
types loads a model once.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from hinny.errors import InvalidOption
from hinny.models.colbert import ColbertEncoder
from hinny.models.embedder import TextEmbedder
from hinny.models.encoders import make_encoder, manifest_pin

_encoders: dict[str, TextEmbedder | ColbertEncoder] = {}


async def encode_texts(host: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    """An EncodeRequest (worker/src/api.ts) to an Encoded; `host` is the worker's."""
    manifest = json.loads(await host.manifest())
    pin = manifest_pin(manifest.get("models", {}), request["model"])
    encoder = _encoders.get(pin.fingerprint())
    if encoder is None:
        from hinny.platform.browser_models import browser_platform

        made = make_encoder(pin, browser_platform(host))
        if not isinstance(made, TextEmbedder | ColbertEncoder):
            raise InvalidOption("model", pin.id, "an embedder or a colbert model")
        encoder = _encoders[pin.fingerprint()] = made
    await encoder.load()
    texts = list(request["texts"])
    role = request.get("as", "document")
    if role not in ("query", "document"):
        raise InvalidOption("as", role, "query or document")
    tokens = await encoder.tokenize(texts)
    started = time.perf_counter()
    if isinstance(encoder, TextEmbedder):
        embed = encoder.embed_queries if role == "query" else encoder.embed_documents
        vectors: list[Any] = (await embed(texts)).tolist()
        took = time.perf_counter() - started
    else:
        encode = encoder.encode_queries if role == "query" else encoder.encode_documents
        matrices = await encode(texts)
        took = time.perf_counter() - started
        vectors = [matrix.tolist() for matrix in matrices]
    return {"tokens": tokens, "vectors": vectors, "fingerprint": encoder.fingerprint, "ms": 1000 * took}
