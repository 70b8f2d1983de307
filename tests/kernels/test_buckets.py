import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hinny.kernels.buckets import make_buckets


def counts(*values):
    return np.array(values, dtype=np.int32)


def test_padding_repeats_the_last_token():
    (bucket,) = make_buckets(counts(10, 9))
    assert bucket.length == 10
    assert bucket.documents.tolist() == [1, 0]
    assert bucket.tokens.tolist() == [*range(10, 19), 18, *range(10)]


def test_lengths_far_apart_do_not_share_a_bucket():
    buckets = make_buckets(counts(100, 10, 89, 90))
    assert [(bucket.length, bucket.documents.tolist()) for bucket in buckets] == [
        (10, [1]),
        (89, [2]),
        (100, [3, 0]),
    ]


def test_blocks_have_a_size():
    buckets = make_buckets(counts(*[5] * 7), block_tokens=15)
    assert [len(bucket.documents) for bucket in buckets] == [1, 3, 3]
    # A document longer than a block still gets one of its own.
    assert [bucket.length for bucket in make_buckets(counts(40, 40), block_tokens=15)] == [40, 40]


def test_no_documents():
    assert make_buckets(counts()) == []


@given(st.lists(st.integers(1, 60), max_size=40), st.integers(1, 200))
def test_every_document_has_all_its_tokens_and_little_padding(lengths, block):
    sizes = counts(*lengths)
    starts = np.cumsum(sizes) - sizes
    seen = []
    for bucket in make_buckets(sizes, block_tokens=block):
        for document, tokens in zip(bucket.documents, bucket.tokens.reshape(-1, bucket.length), strict=True):
            own = range(starts[document], starts[document] + sizes[document])
            assert set(tokens.tolist()) == set(own)
            assert sizes[document] >= 0.9 * bucket.length
            seen.append(int(document))
    assert sorted(seen) == list(range(len(lengths)))
