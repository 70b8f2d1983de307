from __future__ import annotations

from math import log

import numpy as np
import pytest

from hinny.lexical.bm25f import Weights, averages, idf, idfs
from hinny.lexical.options import FieldOptions, Scoring


def test_idf_is_lucenes_and_never_negative() -> None:
    assert idf(10, 2) == pytest.approx(log(1 + 8.5 / 2.5))
    assert idf(2, 2) == pytest.approx(log(1.2))
    assert idf(1, 1) > 0
    assert idfs(10, np.array([2, 10])).tolist() == pytest.approx([idf(10, 2), idf(10, 10)])


def test_an_average_is_over_the_documents_that_have_the_field() -> None:
    assert averages(np.array([[4, 0, 2], [0, 0, 0]])).tolist() == [3.0, 1.0]


def weights(combine: str = "bm25f") -> Weights:
    fields = {"title": FieldOptions(weight=2.0, b=0.5), "text": FieldOptions(weight=1.0, b=0.0)}
    lengths = np.array([[2, 4], [10, 10]])
    scoring = Scoring(k1=1.0, exact=0.5, combine=combine)
    return Weights(fields, {"title": 0, "text": 1}, lengths, scoring)


def test_frequencies_are_normalised_by_field_and_saturated_once() -> None:
    w = weights()
    tf = w.normalised(np.array([0, 1]), np.array([[1, 1], [1, 0]]))
    # Title lengths 2 and 4, average 3: norms 0.5 + 0.5 * 2/3 and 0.5 + 0.5 * 4/3.
    assert tf == pytest.approx(np.array([[6 / 5, 1.0], [6 / 7, 0.0]]))
    first = 2 * 6 / 5 + 1
    assert w.saturated(tf) == pytest.approx([first / (1 + first), (12 / 7) / (1 + 12 / 7)])


def test_the_word_as_written_adds_its_share_before_saturation() -> None:
    w = weights()
    tf = w.normalised(np.array([0]), np.array([[1, 0]]))
    total = 2 * 6 / 5 * 1.5
    assert w.saturated(tf, tf) == pytest.approx([total / (1 + total)])


def test_the_sum_saturates_each_field_by_itself() -> None:
    w = weights("sum")
    tf = w.normalised(np.array([0]), np.array([[1, 1]]))
    assert w.saturated(tf) == pytest.approx([2 * (1.2 / 2.2) + 0.5])


def test_a_surface_companion_weighs_the_word_as_written_only() -> None:
    fields = {
        "text": FieldOptions(weight=1.0, b=0.0),
        "text~surface": FieldOptions(weight=3.0, source="text", surface=True),
    }
    w = Weights(fields, {"text": 0, "text~surface": 0}, np.array([[5]]), Scoring(k1=1.0, exact=0.0))
    one = np.array([[1.0]])
    assert w.saturated(one) == pytest.approx([0.5])
    assert w.saturated(one, one) == pytest.approx([4 / 5])
