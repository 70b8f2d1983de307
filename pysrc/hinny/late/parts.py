"""A token index as a part of a bundle.

tokens/index    token_counts int32 [documents], and codes uint8 [tokens, bytes] with scales float32
                [tokens], or tokens float32 [tokens, d] where the index is exact
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.dense.ids import IdRows
from hinny.dense.part_meta import check_identity, check_shape, identity, pack_part, unpack_part
from hinny.late.token_index import ColbertTokenIndex, TokenMatrices
from hinny.quant.packing import row_bytes
from hinny.quant.turboquant import QuantizedVectors

INDEX = "tokens/index"


def to_parts(
    ids: IdRows, index: ColbertTokenIndex | TokenMatrices | None, fingerprint: str
) -> dict[str, bytes]:
    """The one part of a token index."""
    meta: dict[str, Any] = identity(ids, fingerprint)
    if index is None:
        index = TokenMatrices(np.empty(0, dtype=np.int32), np.empty((0, 0), dtype=np.float32))
    counts = index.token_counts
    meta["tokens"] = int(counts.sum(dtype=np.int64))
    if isinstance(index, TokenMatrices):
        meta["dim"] = int(index.tokens.shape[1])
        return {INDEX: pack_part({"token_counts": counts, "tokens": index.tokens}, meta)}
    stored = index.turboquant
    meta |= {"dim": stored.dim, "bits": stored.bits, "seed": stored.seed}
    arrays: dict[str, NDArray[Any]] = {"token_counts": counts, "codes": stored.codes, "scales": stored.scales}
    return {INDEX: pack_part(arrays, meta)}


def from_parts(
    parts: Mapping[str, bytes], ids: IdRows, fingerprint: str | None
) -> tuple[ColbertTokenIndex | TokenMatrices, str]:
    """The index and the fingerprint of the model that made it."""
    arrays, meta = unpack_part(parts, INDEX)
    check_identity(INDEX, meta, ids, fingerprint)
    made_by = str(meta["fingerprint"])
    dim, total = meta["dim"], meta["tokens"]
    check_shape(INDEX, arrays["token_counts"], "<i4", (len(ids),))
    counts = arrays["token_counts"].astype(np.int32, copy=False)
    if "tokens" in arrays:
        check_shape(INDEX, arrays["tokens"], "<f4", (total, dim))
        return TokenMatrices(counts, arrays["tokens"].astype(np.float32, copy=False)), made_by
    check_shape(INDEX, arrays["codes"], "|u1", (total, row_bytes(dim, meta["bits"])))
    check_shape(INDEX, arrays["scales"], "<f4", (total,))
    scales = arrays["scales"].astype(np.float32, copy=False)
    stored = QuantizedVectors(arrays["codes"], scales, dim, meta["bits"], meta["seed"])
    return ColbertTokenIndex(counts, stored), made_by
