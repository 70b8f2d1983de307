"""Documents of many lengths as a few rectangles, so that MaxSim needs no mask.

Documents are sorted by their number of tokens, and cut into blocks in which the shortest has at least
nine tenths of the longest's; each is padded to the longest by repeating its last token, which cannot
change a maximum. A block holds at most `BLOCK_TOKENS` padded tokens, so that a product's intermediate
result (0.5 MB for 32 query tokens) stays near the processor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK_TOKENS = 4032
_FILLED = 0.9


class Bucket(NamedTuple):
    """A block of documents padded to one length."""

    documents: NDArray[np.int32]
    """Document numbers, [m]."""
    tokens: NDArray[np.int32]
    """Rows of their tokens with padding, document by document, [m * length]."""
    length: int


def make_buckets(counts: NDArray[np.int32], block_tokens: int = BLOCK_TOKENS) -> list[Bucket]:
    """Cover all documents, the shortest first; `counts` are tokens a document, each at least 1."""
    starts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]).astype(np.int32)
    order = np.argsort(counts, kind="stable").astype(np.int32)
    lengths = counts[order]
    buckets = []
    end = len(order)
    while end:
        longest = int(lengths[end - 1])
        first = int(np.searchsorted(lengths, longest * _FILLED))
        first = max(first, end - max(1, block_tokens // longest))
        documents = order[first:end]
        within = np.minimum(np.arange(longest, dtype=np.int32), (counts[documents] - 1)[:, None])
        buckets.append(Bucket(documents, (starts[documents][:, None] + within).reshape(-1), longest))
        end = first
    return buckets[::-1]
