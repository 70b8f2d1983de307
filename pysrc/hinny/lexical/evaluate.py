"""A compiled query over all documents: which match, and with what score.

Every node gives a score and a mask over the documents. At the top level, and inside parentheses: what
is required must match, what is excluded must not, and of the rest something must unless something is
required. Scores add up over what is not excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from hinny.lexical.phrases import PhraseFinder
from hinny.lexical.scorer import Scorer
from hinny.lexical.tree import Leaf, Node, leaves

Mask = NDArray[np.bool_]
Scores = NDArray[np.float64]


class Evaluator:
    """Evaluates one query's nodes. `scorers` gives the scorer for a leaf's field, or for all when None."""

    def __init__(
        self, scorers: Callable[[str | None], Scorer], documents: int, phrases: PhraseFinder
    ) -> None:
        self._scorers = scorers
        self._documents = documents
        self._phrases = phrases

    def top(self, nodes: Sequence[Node]) -> tuple[Scores, Mask]:
        """Scores and matches of a list of clauses."""
        total = np.zeros(self._documents)
        required: Mask | None = None
        wanted: Mask | None = None
        excluded: Mask | None = None
        for node in nodes:
            score, mask = self.node(node)
            if node.occur == "not":
                excluded = mask if excluded is None else excluded | mask
                continue
            total += score
            if node.occur == "must":
                required = mask if required is None else required & mask
            else:
                wanted = mask if wanted is None else wanted | mask
        good = required if required is not None else wanted
        if good is None:
            good = np.zeros(self._documents, np.bool_)
        if excluded is not None:
            good = good & ~excluded
        return total * good, good

    def node(self, node: Node) -> tuple[Scores, Mask]:
        """Score and mask of one clause, its own sign aside."""
        if isinstance(node, Leaf):
            return self._phrase(node) if node.phrase is not None else self._term(node)
        if not node.any_of:
            return self.top(node.children)
        total, good = np.zeros(self._documents), np.zeros(self._documents, np.bool_)
        for child in node.children:
            score, mask = self.node(child)
            total += score
            good |= mask
        return total * good, good

    def covered(self, nodes: Sequence[Node]) -> tuple[Scores, float, Mask]:
        """For each document the idf of the units it matches, the idf of all units, and who matches all."""
        covered, total = np.zeros(self._documents), 0.0
        everything = np.ones(self._documents, np.bool_)
        for leaf, out in leaves(nodes):
            if out or leaf.synonym:
                continue
            masks = self._word_masks(leaf)
            if leaf.phrase is not None:
                masks = [self._phrase_mask(leaf)] * len(masks)
            for unit in leaf.units:
                if unit.stop and leaf.phrase is None:
                    continue
                weight = max(leaf.found[number].idf for number in unit.ways[0])
                mask = _any_way(unit.ways, masks, self._documents)
                covered[mask] += weight
                everything &= mask
                total += weight
        return covered, total, everything

    def _term(self, leaf: Leaf) -> tuple[Scores, Mask]:
        score = np.zeros(self._documents)
        scorer = self._scorers(leaf.field)
        for word, found in zip(leaf.words, leaf.found, strict=True):
            if found.matches:
                made = scorer.matches(word, found)
                score[made.rows] += made.scores * word.weight
        masks = self._word_masks(leaf)
        good = np.ones(self._documents, np.bool_)
        for unit in leaf.units:
            good &= _any_way(unit.ways, masks, self._documents)
        return score, (good if leaf.occur != "should" else score > 0)

    def _word_masks(self, leaf: Leaf) -> list[Mask]:
        scorer = self._scorers(leaf.field)
        masks = []
        for word, found in zip(leaf.words, leaf.found, strict=True):
            mask = np.zeros(self._documents, np.bool_)
            if found.matches:
                mask[scorer.matches(word, found).rows] = True
            masks.append(mask)
        return masks

    def _phrase(self, leaf: Leaf) -> tuple[Scores, Mask]:
        scorer = self._scorers(leaf.field)
        good = self._phrase_mask(leaf)
        score = np.zeros(self._documents)
        content = any(not word.stop for word in leaf.words)
        for word, found in zip(leaf.words, leaf.found, strict=True):
            if found.matches and not (word.stop and content):
                made = scorer.matches(word, found)
                score[made.rows] += made.scores * word.weight
        return score * good, good

    def _phrase_mask(self, leaf: Leaf) -> Mask:
        assert leaf.phrase is not None
        good = np.zeros(self._documents, np.bool_)
        good[self._phrases.documents(leaf.phrase, leaf.slop, self._scorers(leaf.field))] = True
        return good


def _any_way(ways: Sequence[Sequence[int]], masks: Sequence[Mask], documents: int) -> Mask:
    good = np.zeros(documents, np.bool_)
    for way in ways:
        whole = np.ones(documents, np.bool_)
        for number in way:
            whole &= masks[number]
        good |= whole
    return good
