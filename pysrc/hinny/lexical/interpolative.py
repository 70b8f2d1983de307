"""Binary interpolative coding (Moffat and Stuiver 2000) of many sets at once, level by level.

A set of n numbers from a known range is coded by its middle number, then by the two halves in the ranges
that the middle leaves them. The middle lies in a span of `high - low - n + 2` numbers, so it takes no more
than log2 of that, nothing at all where a run is full, and little where the set is dense or clustered.

Recursion would be a Python loop over numbers. Here all sets advance together: one level codes the middles
of all nodes, first of every set, then of the halves that they leave. A set lies between two fences, -1 and
the universe's size, and a node between two places whose numbers are known, so its span follows from the
levels above it, the places of all its bits are one cumulative sum, and a level is a few numpy calls; the
levels are as many as the longest set has doublings.

A number in a span that is no power of two takes the shorter of two widths when it is likely (minimal
binary code): near the span's centre for the middle of many, near its end for that of few, since documents
that hold more words come later. The short part of all numbers of a level comes first, then the further
bits of those that have one, so that every place is known before anything is read.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError

MAX_UNIVERSE = 1 << 31
"""Sets hold numbers under this."""
_FEW = 3

Ints = NDArray[np.int64]
Places = NDArray[np.intp]


class BitWriter:
    """Collects numbers of given widths, most significant bit first."""

    def __init__(self) -> None:
        self._values: list[Ints] = []
        self._widths: list[Ints] = []

    def put(self, values: Ints, widths: Ints) -> None:
        """Append `values` [n], each in `widths` [n] bits: 0 to 32."""
        some = widths > 0
        self._values.append(values[some])
        self._widths.append(widths[some])

    def bytes(self) -> bytes:
        """All of it, the last byte filled up with zeros."""
        none = np.zeros(0, np.int64)
        values = np.concatenate([none, *self._values])
        widths = np.concatenate([none, *self._widths])
        ends = np.cumsum(widths)
        if not ends.size:
            return b""
        at = ends - widths
        # A number's bits lie in the 40 bits from its first byte on, and no two numbers share a bit: sums
        # of the five bytes of each are unions.
        window = values << (40 - widths - (at & 7))
        first, size = (at >> 3).astype(np.intp), (int(ends[-1]) + 7) >> 3
        total = np.zeros(size + 5)
        for byte in range(5):
            part = (window >> (32 - 8 * byte)) & 255
            if byte and not part.any():
                continue
            total[byte : byte + size] += np.bincount(first, part, size)
        return total[:size].astype(np.uint8).tobytes()


class BitReader:
    """Reads numbers of given widths. Raises `BundleError` when the bits run out."""

    def __init__(self, data: NDArray[np.uint8]) -> None:
        self._bits = 8 * data.size
        self.place = 0
        """The next bit."""
        padded = np.zeros(data.size + 5, np.uint64)
        padded[: data.size] = data
        windows = padded[:-4]
        for byte in range(1, 5):
            windows = (windows << np.uint64(8)) | padded[byte : byte + windows.size]
        # The 40 bits from each byte on, at the upper end of a number.
        self._windows = windows << np.uint64(24)
        self._flags = np.unpackbits(data)

    def get(self, widths: Ints) -> Ints:
        """The next numbers: int64 [n], each of `widths` [n] bits, 0 to 32."""
        ends = np.cumsum(widths)
        if not ends.size:
            return ends
        if self.place + int(ends[-1]) > self._bits:
            raise BundleError("a lexical part ends too early")
        ends += self.place
        at = ends - widths
        self.place = int(ends[-1])
        window = self._windows[at >> 3]
        at &= 7
        window <<= at.view(np.uint64)
        window >>= (64 - widths).view(np.uint64)  # numpy shifts by 64 too: nothing is left
        result: Ints = window.view(np.int64)
        return result

    def flags(self, count: int) -> NDArray[np.uint8]:
        """The next `count` bits, each by itself."""
        self.place += count
        if self.place > self._bits:
            raise BundleError("a lexical part ends too early")
        return self._flags[self.place - count : self.place]

    def finish(self) -> None:
        """Raise `BundleError` unless all but the last byte's rest was read."""
        if (self.place + 7) >> 3 != self._bits >> 3:
            raise BundleError("a lexical part is longer than what it holds")


def encode_sets(bits: BitWriter, sizes: Ints, universes: Ints, numbers: Ints) -> None:
    """Append sets: `sizes` [S] numbers of each, ascending and distinct, from 0 to under `universes` [S].

    `numbers` holds all sets' numbers, one set after the other.
    """
    line, inside, begin, end = _fenced(sizes, universes)
    line[inside] = numbers
    while begin.size:
        middle = (begin + end + 1) >> 1
        low, count = line[begin], end - begin - 1
        span = line[end] - low - count
        width, short = _widths(span)
        value = line[middle] - low - (middle - begin) - _first_short(count, span - short)
        value += span * (value < 0)
        wide = value >= short
        value += short * wide
        bits.put(value >> wide, width)
        bits.put(value[wide] & 1, np.ones(int(wide.sum()), np.int64))
        begin, end = _halves(begin, middle, end)


def decode_sets(bits: BitReader, sizes: Ints, universes: Ints) -> Ints:
    """The numbers of sets that `encode_sets` wrote: int64 [sum of sizes].

    Any bits are some sets: damage shows as bits that are missing or left over. Raises `BundleError` for
    sizes that no set of the universe has.
    """
    if (sizes > universes).any() or (sizes < 0).any() or (universes > MAX_UNIVERSE).any():
        raise BundleError("a lexical part holds more than there can be")
    line, inside, begin, end = _fenced(sizes, universes)
    while begin.size:
        middle = (begin + end + 1) >> 1
        low, count = line[begin], end - begin - 1
        span = line[end] - low - count
        width, short = _widths(span)
        value = bits.get(width)
        wide = np.flatnonzero(value >= short)
        longer = value[wide]
        longer += longer
        longer += bits.flags(wide.size)
        longer -= short[wide]
        value[wide] = longer
        value += _first_short(count, span - short)
        value -= span * (value >= span)
        value += low
        value += middle
        value -= begin
        line[middle] = value
        begin, end = _halves(begin, middle, end)
    return line[inside]


def _fenced(sizes: Ints, universes: Ints) -> tuple[Ints, Places, Places, Places]:
    """Room for each set between its fences, where the numbers go, and the fences' places."""
    some = np.flatnonzero(sizes)
    sizes = sizes[some]
    end = (np.cumsum(sizes + 2) - 1).astype(np.intp)
    begin = (end - sizes - 1).astype(np.intp)
    line = np.zeros(int(sizes.sum()) + 2 * sizes.size, np.int64)
    line[begin], line[end] = -1, universes[some]
    fences = np.zeros(line.size, np.bool_)
    fences[begin] = fences[end] = True
    return line, np.flatnonzero(~fences), begin, end


def _widths(span: Ints) -> tuple[Ints, Ints]:
    """The shorter width of a code for each span, and how many numbers have it."""
    # The exponent of a float is the place of the highest bit.
    width: Ints = (span.astype(np.float64).view(np.int64) >> 52) - 1023
    short: Ints = (2 << width) - span
    return width, short


def _first_short(count: Places, long: Ints) -> Ints:
    """The first number of the span that has a short code, when `long` of its numbers have a long one."""
    return long >> (count > _FEW)


def _halves(begin: Places, middle: Places, end: Places) -> tuple[Places, Places]:
    """What the nodes between `begin` and `end` leave on both sides of `middle`, where there is anything."""
    begin, end = np.concatenate([begin, middle]), np.concatenate([middle, end])
    some = np.flatnonzero(end - begin > 1)
    return begin[some], end[some]
