from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.errors import BundleError
from hinny.lexical.index import LexicalIndex
from hinny.lexical.resident import Resident
from hinny.npz import unpack
from hinny.records import Document

NUMBERS = st.integers(0, 2**31 + 5).map(str)
LINES = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1, max_size=9)


def arrays_of(documents: list[Document]) -> dict[str, np.ndarray]:
    return unpack(LexicalIndex.build(documents, whole=False).to_parts()["lexical/dictionary"])


@given(st.lists(st.one_of(NUMBERS, LINES), unique=True, max_size=12))
def test_ids_come_back_as_they_were(ids: list[str]) -> None:
    documents = [Document(id, {"text": "a word"}, {}, "en") for id in ids]
    assert Resident(arrays_of(documents)).ids == ids


@pytest.mark.parametrize(
    "ids", [["007", "8"], ["5", "3"], ["1", "²"], ["0"], ["3", "10", "200"], ["2147483647", "2147483648"]]
)
def test_only_ascending_numbers_as_python_writes_them_are_a_set(ids: list[str]) -> None:
    arrays = arrays_of([Document(id, {"text": "word"}, {}, "en") for id in ids])
    assert Resident(arrays).ids == ids


def test_numbers_take_no_text() -> None:
    numbers = sorted(Random(1).sample(range(10**7), 1000))
    one = arrays_of([Document(str(n), {"text": "word"}, {}, "en") for n in numbers])
    other = arrays_of([Document(f"d{n}", {"text": "word"}, {}, "en") for n in numbers])
    assert one["texts"].size < 100 < 1000 < other["texts"].size
    assert one["texts"].size + one["data"].size < 0.8 * (other["texts"].size + other["data"].size)


def test_lengths_analyzers_and_order_come_back() -> None:
    documents = [
        Document("a", {"headings": "One\nTwo words", "text": "long " * 300}, {}, "en"),
        Document("b", {"headings": "Eins", "text": "kurz"}, {}, "de"),
        Document("c", {"text": ""}, {}, "en"),
    ]
    resident = Resident(arrays_of(documents))
    assert resident.lengths.tolist() == [[3, 1, 0], [300, 1, 0]]
    assert resident.own_lengths.tolist() == [[2, 1, 0], [300, 1, 0]]
    assert [resident.analyzers[number] for number in resident.languages] == ["en@1", "de@1", "en@1"]
    assert resident.order.tolist() == [2, 1, 0]  # the shortest first


def test_frequencies_of_other_words_are_damage() -> None:
    arrays = arrays_of([Document("a", {"text": "two words"}, {}, "en")])
    with pytest.raises(BundleError, match="fit together"):
        Resident(arrays | {"df.first": arrays["df.first"][:-1]})
    with pytest.raises(BundleError, match="lacks the array 'df'"):
        Resident({name: array for name, array in arrays.items() if name != "df.first"})
