"""SplitMix64 streams: the same random numbers on every platform, for ever.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The state is a
counter, so a whole stream is one elementwise expression on uint64 arrays. numpy's own generators
are not used because what they draw may change between versions, and stored codes depend on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_MASK = (1 << 64) - 1


def random_bits(seed: int, stream: int, count: int) -> NDArray[np.uint64]:
    """The first `count` numbers, uint64, of one of a seed's independent streams."""
    start = _mixed(np.array([(seed ^ (stream * 0xD1342543DE82EF95)) & _MASK], dtype=np.uint64))
    return _mixed(start + np.arange(1, count + 1, dtype=np.uint64) * _GAMMA)


def random_permutation(seed: int, stream: int, count: int) -> NDArray[np.int32]:
    """A permutation of 0 to count - 1: the order that sorts a stream's numbers."""
    return np.argsort(random_bits(seed, stream, count), kind="stable").astype(np.int32)


def random_signs(seed: int, stream: int, count: int) -> NDArray[np.float32]:
    """+1 or -1 for each coordinate: a stream's highest bits."""
    return np.where(random_bits(seed, stream, count) >> np.uint64(63), np.float32(-1), np.float32(1))


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    state = (state ^ (state >> np.uint64(30))) * _MIX_1
    state = (state ^ (state >> np.uint64(27))) * _MIX_2
    return state ^ (state >> np.uint64(31))
