"""What one analyzer makes of all texts: each distinct chunk between white space is analysed once."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hinny.text.analyzer import Analyzer


class _Chunks(dict[str, int]):
    """Numbers the chunks of one analyzer's texts in the order of their first use."""

    def __missing__(self, chunk: str) -> int:
        value = self[chunk] = len(self)
        return value


@dataclass(frozen=True, slots=True, eq=False)
class Analysed:
    """An analyzer's chunks as arrays."""

    words: list[object]
    """Distinct words: a folded form, or it and its exact form."""
    tokens: NDArray[np.int64]
    """[C]: how many tokens each chunk has."""
    spans: NDArray[np.int64]
    """[C]: how many positions each chunk takes."""
    numbers: NDArray[np.int64]
    """[T]: each token's word."""
    places: NDArray[np.int64]
    """[T]: each token's position in its chunk."""


class Vocabulary:
    """What one analyzer makes of its chunks, as arrays: each distinct chunk is analysed once.

    Built-in analyzers cut a text at white space first and each chunk by itself, so a chunk's tokens are the
    same wherever it stands. Of another analyzer a whole text is one chunk.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self.chunks = _Chunks()
        self._splits = isinstance(analyzer, Analyzer)

    def read(self, text: str) -> list[int]:
        """The numbers of a text's chunks."""
        chunks = self.chunks
        return [chunks[chunk] for chunk in (text.split() if self._splits else [text])]

    def analyse(self) -> Analysed:
        """The words and numbers of all chunks."""
        words: dict[object, int] = {}
        tokens, spans, numbers, places = array("q"), array("q"), array("q"), array("q")
        forms = self.analyzer.segmenter.forms if self._splits else self._forms
        number = words.setdefault
        for chunk in self.chunks:
            span, terms, positions, _, exacts = forms(chunk)
            for term, exact in zip(terms, exacts, strict=True):
                key = term if term is exact or exact.isascii() else (term, exact)
                numbers.append(number(key, len(words)))
            places.extend(positions)
            tokens.append(len(terms))
            spans.append(span)
        arrays = (np.frombuffer(each, np.int64) for each in (tokens, spans, numbers, places))
        return Analysed(list(words), *arrays)

    def _forms(self, text: str) -> tuple[int, list[str], list[int], list[int], list[str]]:
        """A whole text as the segmenter gives one chunk."""
        terms, positions, kinds, exacts = self.analyzer.analyze_columns(text)
        return positions[-1] + 1 if positions else 0, terms, positions, kinds, exacts
