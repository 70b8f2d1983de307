"""A block of bytes that holds sets and small numbers: what postings slices and the dictionary are made of.

Small numbers are coded as nested sets: the places whose number is 1 or more, of these those of 2 or more,
and so on, each set by interpolative coding over the places of the one before. That is near the entropy of
the numbers, and under it where like numbers stand together, for a dense stretch of a set costs less; no
table of probabilities travels. After a few such steps the number of binary digits takes the number's
place, and the digits follow as they are.

A block is: the sizes of the sets as variable-length integers, then the bits of all sets together, then
digits. A reader says first what the block holds, which reads the sizes, then takes it.

    writer: put_sets, put_numbers ..., bytes
    reader: sets, numbers (each gives a handle) ..., read(), take(handle) ..., finish()

Numbers are taken in the order in which they were put, because of their digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError, InvalidInput
from hinny.lexical.interpolative import MAX_UNIVERSE, BitReader, BitWriter, decode_sets, encode_sets

Ints = NDArray[np.int64]
_MAX_STEPS = 64
_MOST = 1 << 26
"""Numbers over which a block is damaged, whatever it promises."""


class BlockWriter:
    """Makes a block."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._sizes: list[Ints] = []
        self._universes: list[Ints] = []
        self._numbers: list[Ints] = []
        self._digits: list[tuple[Ints, Ints]] = []

    def put_number(self, number: int) -> None:
        """Append a number to the sizes at the beginning: 0 or more."""
        while number > 127:
            self._head.append(number & 127 | 128)
            number >>= 7
        self._head.append(number)

    def put_sets(self, sizes: Ints, universes: Ints, numbers: Ints) -> None:
        """Append sets whose `sizes` and `universes` the reader knows; see `encode_sets`."""
        self._sizes.append(sizes)
        self._universes.append(universes)
        self._numbers.append(numbers)

    def put_set(self, universe: int, numbers: Ints) -> None:
        """Append one set and its size; of a large one, the numbers that it lacks."""
        self.put_number(numbers.size)
        if 2 * numbers.size > universe:
            numbers = _others(universe, numbers)
        self.put_sets(np.array([numbers.size]), np.array([universe]), numbers)

    def put_numbers(self, values: Ints, steps: int) -> None:
        """Append `values` [n] from 0 to under 2**32, the first `steps` values of each by nested sets.

        The reader knows n and `steps`.
        """
        if values.size and (int(values.min()) < 0 or int(values.max()) >= 1 << 32):
            raise InvalidInput("a number under 0 or over 2**32 - 1 does not fit")
        left = self._nest(values, steps) - steps
        digits = np.frexp((left + 1).astype(np.float64))[1].astype(np.int64) - 1
        self._nest(digits, _MAX_STEPS)
        self._digits.append((left + 1 - (np.int64(1) << digits), digits))

    def put_own_numbers(self, values: Ints, steps: int) -> None:
        """Append numbers and how many there are."""
        self.put_number(values.size)
        self.put_numbers(values, steps)

    def put_digits(self, values: Ints, width: int) -> None:
        """Append `values` of `width` bits each."""
        self._digits.append((values, np.full(values.size, width, np.int64)))

    def _nest(self, values: Ints, steps: int) -> Ints:
        for step in range(steps):
            if not values.size:
                break
            places = np.flatnonzero(values > step)
            self.put_set(values.size, places)
            values = values[places]
        return values

    def bytes(self) -> bytes:
        """The block."""
        bits = BitWriter()
        if self._sizes:
            encode_sets(
                bits,
                np.concatenate(self._sizes),
                np.concatenate(self._universes),
                np.concatenate(self._numbers),
            )
        for values, widths in self._digits:
            bits.put(values, widths)
        return bytes(self._head) + bits.bytes()


@dataclass(frozen=True, slots=True)
class Handle:
    """Sets, or one set, that a reader was told of."""

    start: int
    """Place of its first number among those of all sets."""
    stop: int
    universe: int = 0
    """Of one set, what its numbers are under."""
    size: int = 0
    """Of one set, how many numbers it has."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers that a reader was told of: `count` of them, and their nested sets."""

    count: int
    steps: list[Handle]
    more: list[Handle] | None
    """The nested sets of the further numbers' digits; None when there are no further numbers."""


class BlockReader:
    """Reads a block. Raises `BundleError` when it does not hold what is asked for."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        if data.dtype != np.uint8 or data.ndim != 1:
            raise BundleError("a lexical part holds an array of another kind")
        self._data = data
        self._at = 0
        self._total = 0
        self._sizes: list[int] = []
        self._universes: list[int] = []
        self._found = np.zeros(0, np.int64)
        self._bits: BitReader | None = None

    def number(self) -> int:
        """The next of the numbers at the beginning."""
        value = shift = 0
        while True:
            if self._at >= self._data.size or shift > 28:
                raise BundleError("a lexical part is damaged in its sizes")
            byte = int(self._data[self._at])
            self._at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def sets(self, sizes: Ints, universes: Ints) -> Handle:
        """There are sets of these sizes [S] out of these universes [S]."""
        handle = Handle(self._total, self._total + int(sizes.sum()))
        self._add(handle.stop)
        self._sizes += sizes.tolist()
        self._universes += universes.tolist()
        return handle

    def _add(self, total: int) -> None:
        if not self._total <= total <= _MOST:
            raise BundleError("a lexical part holds more than there can be")
        self._total = total

    def set(self, universe: int) -> Handle:
        """There is one set, of its own size."""
        size = self.number()
        if size > universe or universe > MAX_UNIVERSE:
            raise BundleError("a lexical part is damaged in its sizes")
        stored, start = min(size, universe - size), self._total
        self._add(start + stored)
        self._sizes.append(stored)
        self._universes.append(universe)
        return Handle(start, self._total, universe, size)

    def numbers(self, count: int, steps: int) -> Numbers:
        """There are `count` numbers, written with the same `steps`."""
        if not 0 <= count <= _MOST:
            raise BundleError("a lexical part holds more than there can be")
        first = self._nested(count, steps)
        left = count if not steps else first[-1].size if len(first) == steps else 0
        return Numbers(count, first, self._nested(left, _MAX_STEPS) if left else None)

    def own_numbers(self, steps: int) -> Numbers:
        """There are numbers, and how many is written."""
        return self.numbers(self.number(), steps)

    def _nested(self, universe: int, steps: int) -> list[Handle]:
        handles: list[Handle] = []
        while universe and len(handles) < steps:
            handles.append(self.set(universe))
            universe = handles[-1].size
        return handles

    def read(self) -> None:
        """Read all sets that there were said to be."""
        self._bits = BitReader(self._data[self._at :])
        sizes, universes = np.array(self._sizes, np.int64), np.array(self._universes, np.int64)
        self._found = decode_sets(self._bits, sizes, universes)

    def take(self, handle: Handle) -> Ints:
        """The numbers of the sets: int64."""
        found = self._found[handle.start : handle.stop]
        return found if 2 * handle.size <= handle.universe else _others(handle.universe, found)

    def take_numbers(self, numbers: Numbers) -> Ints:
        """The numbers: int64 [count]."""
        values, places = self._count(numbers.count, numbers.steps)
        if numbers.more is not None:
            digits, _ = self._count(numbers.count if places is None else places.size, numbers.more)
            if int(digits.max()) > 32:
                raise BundleError("a lexical part holds a number that is too large")
            assert self._bits is not None
            left = self._bits.get(digits) + (np.int64(1) << digits) - 1
            if places is None:
                values = left
            else:
                values[places] += left
        return values

    def _count(self, count: int, nested: list[Handle]) -> tuple[Ints, Ints | None]:
        """In how many of the nested sets each of `count` places is, and those in the last of them."""
        values = np.zeros(count, np.int64)
        places: Ints | None = None
        for handle in nested:
            inside = self.take(handle)
            places = inside if places is None else places[inside]
            values[places] += 1
        return values, places

    def digits(self, count: int, width: int) -> Ints:
        """The next `count` numbers of `width` bits."""
        assert self._bits is not None
        return self._bits.get(np.full(count, width, np.int64))

    def finish(self) -> None:
        """Raise `BundleError` unless the whole block was taken."""
        assert self._bits is not None
        self._bits.finish()


def _others(universe: int, numbers: Ints) -> Ints:
    """The numbers under `universe` that are not among `numbers`."""
    missing = np.ones(universe, np.bool_)
    missing[numbers] = False
    return np.flatnonzero(missing).astype(np.int64)
