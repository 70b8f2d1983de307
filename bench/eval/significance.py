"""Is one method better than another on the same questions, or might it be chance?

The paired bootstrap (Efron 1979; Sakai 2006 for retrieval) gives an interval for the mean difference: the
questions are drawn again with replacement. The randomisation test (Fisher 1935; Smucker, Allan, Carterette
2007) gives a p value: under the null hypothesis each question's difference might as well have the other
sign. Both are seeded, so a report says the same each time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SEED = 20240229
ROUNDS = 10_000
_BLOCK = 1_000

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Comparison:
    """The mean difference with its 95% interval, and the two-sided p value."""

    difference: float
    low: float
    high: float
    p: float

    @property
    def significant(self) -> bool:
        """At the 5% level, one comparison at a time."""
        return self.p < 0.05


def compare(values: Values, baseline: Values, *, seed: int = SEED, rounds: int = ROUNDS) -> Comparison:
    """`values` minus `baseline`, question by question, both [questions]."""
    return compare_many(values[:, None], baseline, seed=seed, rounds=rounds)[0]


def compare_many(
    values: Values, baseline: Values, *, seed: int = SEED, rounds: int = ROUNDS
) -> list[Comparison]:
    """Several methods, `values` [questions, methods], against one: they share the draws."""
    if values.shape[0] != len(baseline):
        raise ValueError(f"{values.shape[0]} questions against {len(baseline)}")
    if not len(baseline):
        raise ValueError("no question to compare on")
    differences = values - baseline[:, None]
    means = differences.mean(axis=0)
    random = np.random.default_rng(seed)
    questions = len(baseline)
    drawn, extreme = [], np.zeros(values.shape[1], dtype=np.int64)
    for start in range(0, rounds, _BLOCK):
        size = min(_BLOCK, rounds - start)
        counts = random.multinomial(questions, np.full(questions, 1 / questions), size=size)
        drawn.append(counts @ differences / questions)
        signs = random.integers(0, 2, size=(size, questions)) * 2 - 1
        # A hair below, so that a sum in another order is not taken for a smaller one.
        extreme += (np.abs(signs @ differences / questions) >= np.abs(means) - 1e-12).sum(axis=0)
    low, high = np.percentile(np.concatenate(drawn), [2.5, 97.5], axis=0)
    p = (extreme + 1) / (rounds + 1)
    return [Comparison(*map(float, row)) for row in np.stack([means, low, high, p], axis=1)]
