"""Token lists to rectangles: cut, sort by length, fill.

Texts of like length share a batch, so little is spent on padding; a batch is bounded by its cells
(rows times longest row), which bounds memory too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.errors import InputTooLong

BATCH_CELLS = 1024
"""Tokens in one batch, padding included: enough to keep two cores busy, few enough to stay in cache."""
BATCH_ROWS = 32


def fit(ids: list[int], limit: int, *, truncate: bool, what: str = "text", ending: int = 1) -> list[int]:
    """`ids` itself when short enough; else cut to `limit`, its last `ending` special tokens kept.

    Raises `InputTooLong` with the length and the limit when `truncate` is off.
    """
    if len(ids) <= limit:
        return ids
    if not truncate:
        raise InputTooLong(len(ids), limit, what=what)
    return ids[: limit - ending] + ids[len(ids) - ending :]


def batches(
    lengths: Sequence[int], *, cells: int = BATCH_CELLS, rows: int = BATCH_ROWS
) -> Iterator[list[int]]:
    """Row numbers in groups, shortest texts first; each group's rows times longest is at most `cells`.

    A text longer than `cells` is a group of its own.
    """
    order = sorted(range(len(lengths)), key=lambda row: (lengths[row], row))
    group: list[int] = []
    for row in order:
        # sorted: this row is the longest so far
        if group and (len(group) == rows or (len(group) + 1) * lengths[row] > cells):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def padded(
    rows: Sequence[list[int]], pad_id: int
) -> Iterator[tuple[list[int], NDArray[np.int64], NDArray[np.int64]]]:
    """The `batches` of token lists: row numbers, and what `pad` makes of them where there is a token."""
    for group in batches([len(ids) for ids in rows]):
        ids, mask = pad([rows[row] for row in group], pad_id)
        if ids.shape[1]:
            yield group, ids, mask


def pad(rows: Sequence[Sequence[int]], pad_id: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ids filled on the right with `pad_id`, and the mask (1 for a token), both int64 [n, longest]."""
    longest = max(map(len, rows), default=0)
    ids = np.full((len(rows), longest), pad_id, dtype=np.int64)
    mask = np.zeros((len(rows), longest), dtype=np.int64)
    for row, tokens in enumerate(rows):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask
