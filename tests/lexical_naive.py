"""A brute-force search that the index is compared with: loops over tokens, one formula a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

from hinny.lexical.options import FieldOptions, Scoring
from hinny.records import Document
from hinny.text.analyzer import for_language, get_analyzer


class Naive:
    """Documents as lists of (term, exact, stem, position) by field."""

    def __init__(self, documents: Sequence[Document], fields: Mapping[str, FieldOptions]) -> None:
        self.documents = documents
        self.fields = fields
        self.tokens: list[dict[str, list[tuple[str, str, str, int]]]] = []
        for document in documents:
            cell = {}
            for name, options in fields.items():
                analyzer = (
                    get_analyzer(options.analyzer) if options.analyzer else for_language(document.language)
                )
                cell[name] = [
                    (t.term, t.exact, analyzer.stem(t.exact), t.position)
                    for t in analyzer.analyze(document.fields.get(name, ""))
                ]
            self.tokens.append(cell)

    def average(self, name: str) -> float:
        lengths = [len(cell[name]) for cell in self.tokens if cell[name]]
        return sum(lengths) / len(lengths) if lengths else 1.0

    def scores(self, words: Sequence[str], scoring: Scoring, analyzer: str = "en@1") -> list[float]:
        """BM25F of every document for distinct words, each by its stem, and as written on top."""
        stem = get_analyzer(analyzer).stem
        total = len(self.documents)
        result = [0.0] * total
        for word in words:
            wanted = stem(word)
            holding = sum(any(t[2] == wanted for ts in cell.values() for t in ts) for cell in self.tokens)
            if not holding:
                continue
            idf = log(1 + (total - holding + 0.5) / (holding + 0.5))
            for row, cell in enumerate(self.tokens):
                base = written = 0.0
                for name, options in self.fields.items():
                    norm = 1 - options.b + options.b * len(cell[name]) / self.average(name)
                    base += options.weight * sum(t[2] == wanted for t in cell[name]) / norm if norm else 0.0
                    written += options.weight * sum(t[0] == word for t in cell[name]) / norm if norm else 0.0
                tf = base + scoring.exact * written
                if tf:
                    result[row] += idf * (scoring.delta + tf / (scoring.k1 + tf))
        return result

    def phrase(self, words: Sequence[str], slop: int, names: Sequence[str]) -> set[str]:
        """Ids of the documents with the words as written within `slop` of their places."""
        found = set()
        for document, cell in zip(self.documents, self.tokens, strict=True):
            for name in names:
                places = [[t[3] - i for t in cell[name] if t[0] == word] for i, word in enumerate(words)]
                for start in {p for each in places for p in each}:
                    if all(any(start <= p <= start + slop for p in each) for each in places):
                        found.add(document.id)
        return found
