"""Lists of strings as one compressed text: neighbours that begin alike without what they share.

A line of a front-coded list begins with a sign that says how many characters of the line before are dropped:
its code less 32; the sign 127 drops them all. Then comes what stands in their place. All lists of a part are
one text, compressed by bzip2, whose block sorting finds more in word lists than deflate does.
"""

from __future__ import annotations

import bz2
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.errors import BundleError, InvalidInput
from hinny.lexical.codec import common_prefix

_LINE = 10
_FIRST = 32
_ALL = 127
_LARGEST = 1 << 28
"""Bytes of text over which a part is damaged, whatever it promises."""


class TextWriter:
    """Collects lists of strings. Raises `InvalidInput` for a string that holds a line feed."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def put(self, strings: Iterable[str]) -> None:
        """Append a list."""
        self._texts.extend(f"{_checked(string)}\n" for string in strings)

    def put_front_coded(self, strings: Sequence[str]) -> FrontCoding:
        """Append a list of which neighbours begin alike."""
        text = front_code(strings)
        self._texts.append(text)
        return FrontCoding.of(text)

    def bytes(self) -> bytes:
        """All lists, compressed."""
        return bz2.compress("".join(self._texts).encode("utf-8", "surrogatepass"), 9)


def _checked(string: str) -> str:
    if "\n" in string:
        raise InvalidInput(f"{string!r} holds a line feed")
    return string


class TextReader:
    """Gives lists back in the order in which they were put. Raises `BundleError` for damage."""

    def __init__(self, data: bytes) -> None:
        unpacker = bz2.BZ2Decompressor()
        try:
            raw = unpacker.decompress(data, _LARGEST)
        except (OSError, EOFError, ValueError) as problem:
            raise BundleError(f"a lexical part's texts are damaged: {problem}") from problem
        if not unpacker.eof or unpacker.unused_data or (raw and raw[-1] != _LINE):
            raise BundleError("a lexical part's texts are damaged")
        self._codes = np.frombuffer(raw, np.uint8)
        self._ends = np.flatnonzero(self._codes == _LINE)
        self._line = 0

    def take(self, count: int) -> list[str]:
        """The next `count` strings."""
        codes, _ = self._region(count)
        return _lines(codes)

    def take_front_coded(self, count: int) -> tuple[list[str], FrontCoding]:
        """The next `count` strings, which were front-coded, and how they were."""
        codes, ends = self._region(count)
        coding = FrontCoding(codes, ends)
        new = np.ones(codes.size, np.bool_)
        new[coding.starts] = False
        before = ""
        pairs = zip(coding.shared.tolist(), _lines(codes[new]), strict=True)
        return [before := before[:keep] + line for keep, line in pairs], coding

    def _region(self, count: int) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
        """The bytes of the next `count` lines, and where in them lines end."""
        first, last = self._line, self._line + count
        if last > self._ends.size:
            raise BundleError("a lexical part's texts do not fit together")
        self._line = last
        start = int(self._ends[first - 1]) + 1 if first else 0
        stop = int(self._ends[last - 1]) + 1 if last else 0
        return self._codes[start:stop], self._ends[first:last] - start

    def finish(self) -> None:
        """Raise `BundleError` unless all was taken."""
        if self._line != self._ends.size:
            raise BundleError("a lexical part's texts are longer than what they hold")


def front_code(strings: Iterable[str]) -> str:
    """A front-coded list, its lines one after the other."""
    lines = []
    before = ""
    for string in map(_checked, strings):
        shared = common_prefix(before, string)
        sign = _FIRST + len(before) - shared
        if sign >= _ALL:
            shared, sign = 0, _ALL
        lines.append(f"{chr(sign)}{string[shared:]}\n")
        before = string
    return "".join(lines)


class FrontCoding:
    """What the lines of a front-coded list say of its strings without their letters put together.

    `starts` [n] are the lines' beginnings; `shared` int64 [n] and `lengths` int64 [n] count characters: those
    that a string has from the one before, and all of it. `endings` uint16 [n] sorts strings by how they end,
    and by how much is new in them.
    """

    __slots__ = ("endings", "lengths", "shared", "starts")

    def __init__(self, codes: NDArray[np.uint8], ends: NDArray[np.intp]) -> None:
        self.starts = np.append(0, ends[:-1] + 1)[: ends.size]
        new = (ends - self.starts).astype(np.int64) - 1
        inside = np.flatnonzero((codes & 0xC0) == 0x80)  # further bytes of a character
        if inside.size:
            new -= np.bincount(np.searchsorted(ends, inside), minlength=ends.size)
        signs = codes[self.starts]
        dropped = signs.astype(np.int64) - _FIRST
        afresh = signs == _ALL
        dropped[afresh] = 0
        lengths = np.cumsum(new - dropped)
        if afresh.any():
            last = np.maximum.accumulate(np.where(afresh, np.arange(afresh.size), -1))
            lengths -= np.where(last >= 0, (lengths - new)[last], 0)
        self.lengths: NDArray[np.int64] = lengths
        self.shared: NDArray[np.int64] = lengths - new
        if min(new.min(initial=0), dropped.min(initial=0), self.shared.min(initial=0)) < 0:
            raise BundleError("a lexical part's texts do not fit together")
        end, before = codes[ends - 1] & 127, codes[np.maximum(ends - 2, 0)] & 63
        key = np.minimum(new, 7) << 13 | end.astype(np.int64) << 6 | before
        self.endings: NDArray[np.uint16] = key.astype(np.uint16)

    @classmethod
    def of(cls, text: str) -> FrontCoding:
        """That of what `front_code` gave."""
        codes = _codes(text)
        return cls(codes, np.flatnonzero(codes == _LINE))

    def by_ending(self) -> NDArray[np.intp]:
        """The strings sorted by `endings`, equal ones in their own order."""
        return np.argsort(self.endings, kind="stable")


def _codes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)


def _lines(codes: NDArray[np.uint8]) -> list[str]:
    """The lines of a text that ends with a line feed."""
    try:
        return codes.tobytes().decode("utf-8", "surrogatepass").split("\n")[:-1]
    except UnicodeDecodeError as problem:
        raise BundleError(f"a lexical part's texts are damaged: {problem}") from problem
