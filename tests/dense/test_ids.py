import numpy as np
import pytest

from hinny.dense.ids import IdRows, id_rows
from hinny.errors import InvalidInput


def test_rows_of_known_ids_in_the_order_asked():
    ids = IdRows(["a", "b", "c"])
    rows = ids.rows(["c", "nobody", "a"])
    assert rows.dtype == np.int32
    assert rows.tolist() == [2, 0]
    assert len(ids) == 3


def test_masks():
    ids = IdRows("abc")
    assert ids.mask(None) is None
    assert ids.mask({"b", "z"}).tolist() == [False, True, False]
    assert not ids.mask([]).any()


def test_candidates_are_ordered_by_score_and_then_by_id():
    ids = IdRows(["b", "a", "Z", "c"])
    scores = np.array([0.5, 0.5, 0.5, 0.75], dtype=np.float32)
    ranked = ids.candidates(np.arange(4), scores)
    assert [(each.id, each.score) for each in ranked] == [("c", 0.75), ("Z", 0.5), ("a", 0.5), ("b", 0.5)]
    assert [each.id for each in ids.candidates(np.arange(4), scores, 2)] == ["c", "Z"]


def test_ids_are_unique_strings():
    with pytest.raises(InvalidInput, match="'b' occurs twice"):
        IdRows(["a", "b", "c", "b"])
    with pytest.raises(InvalidInput, match="1 is not a string"):
        IdRows(["a", 1])


def test_one_object_may_serve_several_indexes():
    ids = IdRows("ab")
    assert id_rows(ids) is ids
    assert id_rows(["a"]).ids == ("a",)
    with pytest.raises(InvalidInput, match="2 ids for 3 vectors"):
        ids.expect(3, "vectors")


def test_the_digest_knows_the_order():
    assert IdRows("ab").digest() != IdRows("ba").digest()
    assert IdRows(["ab"]).digest() != IdRows(["a", "b"]).digest()
    assert IdRows(["\ud800"]).digest()  # whatever a string can hold
