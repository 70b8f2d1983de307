from __future__ import annotations

from math import log2
from random import Random

import numpy as np

from hinny.lexical.ordering import count_levels, find_leaves, order_of


def topics(seed: int, documents: int, count: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """df, documents of the postings, and each document's topic; a topic's words stand in its documents."""
    random = Random(seed)
    topic = [random.randrange(count) for _ in range(documents)]
    holders = []
    for word in range(60):
        mine = [row for row in range(documents) if topic[row] == word % count]
        holders.append(sorted(random.sample(mine, documents // 12)))
    df = np.array([len(each) for each in holders], np.int64)
    return df, np.array([row for each in holders for row in each], np.int64), np.array(topic)


def gap_bits(df: np.ndarray, documents: np.ndarray, order: np.ndarray) -> float:
    place = np.empty(order.size, np.int64)
    place[order] = np.arange(order.size)
    total, at = 0.0, 0
    for size in df.tolist():
        gaps = np.diff(np.sort(place[documents[at : at + size]]), prepend=-1)
        total += sum(log2(gap) for gap in gaps.tolist())
        at += size
    return total


def test_levels_leave_leaves_of_64_to_128_documents() -> None:
    assert [count_levels(n) for n in (0, 1, 127, 128, 255, 256, 5183, 10**9)] == [0, 0, 0, 1, 1, 2, 6, 10]


def test_documents_of_a_topic_become_neighbours() -> None:
    df, documents, topic = topics(1, 256)
    lengths = np.full(256, 10)
    leaves = find_leaves(df, documents, lengths)
    assert np.bincount(leaves).tolist() == [64, 64, 64, 64]
    assert topic.mean() not in (0.0, 1.0)
    half = leaves >> 1
    assert abs(topic[half == 0].mean() - topic[half == 1].mean()) > 0.8
    order = order_of(leaves, lengths)
    assert gap_bits(df, documents, order) < 0.85 * gap_bits(df, documents, np.arange(256))


def test_inside_a_leaf_shorter_documents_come_first_and_equal_ones_by_row() -> None:
    leaves, lengths = np.array([1, 0, 0, 1, 0]), np.array([3, 9, 4, 3, 4])
    assert order_of(leaves, lengths).tolist() == [2, 4, 1, 0, 3]


def test_few_documents_and_documents_without_words() -> None:
    none = np.zeros(0, np.int64)
    assert find_leaves(none, none, none).tolist() == []
    assert find_leaves(np.array([1]), np.array([0]), np.array([4, 2])).tolist() == [0, 0]
    assert np.bincount(find_leaves(none, none, np.zeros(300, np.int64))).tolist() == [75] * 4


def test_the_same_documents_have_the_same_order_wherever_they_run() -> None:
    df, documents, _ = topics(7, 700, 5)
    leaves = find_leaves(df, documents, np.arange(700) % 37)
    assert int((leaves * (1 + np.arange(700))).sum() % 1_000_003) == 865_746
