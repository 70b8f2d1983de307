from __future__ import annotations

import numpy as np
import pytest

from hinny.errors import InputTooLong, ModelError
from hinny.models.colbert import ColbertEncoder
from hinny.protocols import TokenEncoder
from model_fakes import FakeRuntime, make_pin, make_platform, state
from support import run


def make(**settings) -> tuple[ColbertEncoder, FakeRuntime]:
    runtime = FakeRuntime()
    return ColbertEncoder(make_pin("colbert", **settings), make_platform(runtime)), runtime


def unit(*tokens: int) -> np.ndarray:
    rows = np.array([state(token) for token in tokens])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_it_is_a_token_encoder():
    encoder, _ = make()
    assert isinstance(encoder, TokenEncoder)
    assert encoder.dimensions == 2


def test_one_unit_row_a_token_special_ones_too():
    encoder, _ = make()
    long, short = run(encoder.encode_queries(["a b", ""]))
    np.testing.assert_allclose(long, unit(1, 10, 11, 2), rtol=1e-6)
    np.testing.assert_allclose(short, unit(1, 2), rtol=1e-6)
    assert long.dtype == np.float32


def test_the_marker_stands_behind_the_first_token():
    encoder, runtime = make(query_marker=4, document_marker=5)
    run(encoder.encode_queries(["a"]))
    run(encoder.encode_documents(["a"]))
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 4, 10, 2]]
    assert runtime.batches[1]["input_ids"].tolist() == [[1, 5, 10, 2]]


def test_documents_leave_out_the_skip_list_and_queries_do_not():
    encoder, runtime = make(skiplist=(",",))
    (document,) = run(encoder.encode_documents(["a , b"]))
    (query,) = run(encoder.encode_queries(["a , b"]))
    np.testing.assert_allclose(document, unit(1, 10, 11, 2), rtol=1e-6)
    np.testing.assert_allclose(query, unit(1, 10, 6, 11, 2), rtol=1e-6)
    # The model has seen the comma all the same.
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 10, 6, 11, 2]]


def test_the_marker_counts_towards_the_length():
    encoder, runtime = make(document_marker=5, document_length=5)
    run(encoder.encode_documents(["a b c d"], truncate=True))
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 5, 10, 11, 2]]
    with pytest.raises(InputTooLong):
        run(encoder.encode_documents(["a b c d"], truncate=False))


@pytest.mark.parametrize(("attend", "mask"), [(False, [1, 1, 1, 0, 0, 0]), (True, [1] * 6)])
def test_query_expansion_fills_with_mask_tokens_and_keeps_their_rows(attend, mask):
    encoder, runtime = make(query_expansion=True, mask_id=3, attend_to_expansion=attend)
    (query,) = run(encoder.encode_queries(["a"]))
    np.testing.assert_allclose(query, unit(1, 10, 2, 3, 3, 3), rtol=1e-6)
    assert runtime.batches[0]["attention_mask"].tolist() == [mask]


def test_lowercase_is_applied_where_the_pin_says():
    encoder, runtime = make(lowercase=True)
    run(encoder.encode_queries(["A"]))
    assert runtime.batches[0]["input_ids"].tolist() == [[1, 10, 2]]


def test_no_texts_give_no_matrices_without_a_model():
    encoder, runtime = make()
    assert run(encoder.encode_documents([])) == []
    assert run(encoder.encode_queries([])) == []
    assert runtime.loads == 0


def test_wrong_kinds_and_widths_are_errors():
    with pytest.raises(ModelError, match="not a colbert model"):
        ColbertEncoder(make_pin(), make_platform(FakeRuntime()))
    encoder, _ = make(dimensions=5)
    with pytest.raises(ModelError, match="gave 2 dimensions, its pin says 5"):
        run(encoder.encode_queries(["a"]))
