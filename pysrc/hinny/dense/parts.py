"""A vector index as parts of a bundle.

    vectors/codes   codes uint8 [n, bytes], scales float32 [n]: a quantised index
    vectors/rows    rows float32 [n, d]: an exact index
    vectors/full    what a quantised index refines and rescores from: float32 rows, or 8-bit codes

Each part carries the dimension, bits, seed, metric, count, a digest of the ids and the model's
fingerprint.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hinny.dense.exact import ExactIndex
from hinny.dense.ids import IdRows
from hinny.dense.index import VectorIndex
from hinny.dense.part_meta import check_identity, check_shape, identity, pack_part, unpack_part
from hinny.dense.quantized import Full, QuantizedIndex
from hinny.errors import BundleMissing, InvalidInput, InvalidOption
from hinny.kernels.base import Sessions
from hinny.kernels.choice import Kernel
from hinny.quant.packing import row_bytes
from hinny.quant.turboquant import QuantizedVectors, TurboQuant

CODES, ROWS, FULL = "vectors/codes", "vectors/rows", "vectors/full"


def to_parts(ids: IdRows, index: VectorIndex, fingerprint: str, *, full: str = "none") -> dict[str, bytes]:
    """The parts of one of this package's own indexes."""
    if full not in ("none", "bytes", "floats"):
        raise InvalidOption("full", full, "'none', 'bytes' (8-bit codes) or 'floats'")
    meta = {**identity(ids, fingerprint), "dim": index.dim, "metric": index.metric}
    if isinstance(index, ExactIndex):
        return {ROWS: pack_part({"rows": index.rows}, meta)}
    if not isinstance(index, QuantizedIndex):
        raise InvalidInput(f"an index of class {type(index).__name__} has no parts")
    parts = {CODES: _pack_codes(index.vectors, meta)}
    if full == "none":
        return parts
    if index.full is None:
        raise InvalidOption("full", full, "'none': this index has no full rows")
    if isinstance(index.full, QuantizedVectors):
        parts[FULL] = _pack_codes(index.full, meta)
    elif full == "bytes":
        parts[FULL] = _pack_codes(TurboQuant(index.dim, 8, index.vectors.seed).encode(index.full), meta)
    else:
        parts[FULL] = pack_part({"rows": index.full}, meta)
    return parts


def part_names(names: Collection[str], *, full: bool) -> list[str]:
    """Which of a bundle's parts to read."""
    wanted = [CODES, ROWS, FULL] if full else [CODES, ROWS]
    return [name for name in wanted if name in names]


def from_parts(
    parts: Mapping[str, bytes],
    ids: IdRows,
    fingerprint: str | None,
    *,
    refine_candidates: int = 0,
    kernel: Kernel = "auto",
    runtime: Sessions | None = None,
) -> tuple[VectorIndex, str]:
    """The index and the fingerprint of the model that made it."""
    if CODES not in parts and ROWS not in parts:
        raise BundleMissing(f"neither {CODES!r} nor {ROWS!r} among {sorted(parts)}")
    name = CODES if CODES in parts else ROWS
    arrays, meta = unpack_part(parts, name)
    check_identity(name, meta, ids, fingerprint)
    made_by = str(meta["fingerprint"])
    if name == ROWS:
        check_shape(name, arrays["rows"], "<f4", (len(ids), meta["dim"]))
        rows = arrays["rows"].astype(np.float32, copy=False)
        return ExactIndex(rows, meta["metric"], kernel=kernel, runtime=runtime), made_by
    full: Full | None = None
    if FULL in parts:
        full_arrays, full_meta = unpack_part(parts, FULL)
        check_identity(FULL, full_meta, ids, made_by)
        full = _full(full_arrays, full_meta, len(ids))
    elif refine_candidates:
        raise BundleMissing(f"refine_candidates={refine_candidates} needs the part {FULL!r}")
    index = QuantizedIndex(
        _codes(CODES, arrays, meta, len(ids)),
        full=full,
        refine_candidates=refine_candidates,
        kernel=kernel,
        runtime=runtime,
    )
    return index, made_by


def _pack_codes(vectors: QuantizedVectors, meta: Mapping[str, Any]) -> bytes:
    arrays: dict[str, NDArray[Any]] = {"codes": vectors.codes, "scales": vectors.scales}
    return pack_part(arrays, {**meta, "bits": vectors.bits, "seed": vectors.seed})


def _full(arrays: Mapping[str, Any], meta: Mapping[str, Any], count: int) -> Full:
    if "codes" in arrays:
        return _codes(FULL, arrays, meta, count)
    check_shape(FULL, arrays["rows"], "<f4", (count, meta["dim"]))
    rows: Full = arrays["rows"].astype(np.float32, copy=False)
    return rows


def _codes(name: str, arrays: Mapping[str, Any], meta: Mapping[str, Any], count: int) -> QuantizedVectors:
    check_shape(name, arrays["codes"], "|u1", (count, row_bytes(meta["dim"], meta["bits"])))
    check_shape(name, arrays["scales"], "<f4", (count,))
    scales = arrays["scales"].astype(np.float32, copy=False)
    return QuantizedVectors(arrays["codes"], scales, meta["dim"], meta["bits"], meta["seed"])
