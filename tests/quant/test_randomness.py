import numpy as np

from hinny.quant.randomness import random_bits, random_permutation, random_signs

MASK = (1 << 64) - 1


def mixed(state):
    """SplitMix64's output function in plain integers."""
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & MASK
    return state ^ (state >> 31)


def test_a_stream_is_splitmix64_from_a_mixed_start():
    for seed, stream in ((0, 0), (1, 0), (0x48696E6E79, 3), (MASK, 7)):
        state = mixed(seed ^ (stream * 0xD1342543DE82EF95 & MASK))
        expected = []
        for _ in range(5):
            state = (state + 0x9E3779B97F4A7C15) & MASK
            expected.append(mixed(state))
        assert random_bits(seed, stream, 5).tolist() == expected


def test_the_reference_sequence_of_seed_0():
    # The first three outputs of the reference C program for state 0; stream 0 of seed 0 starts there,
    # because 0 is a fixed point of the mixing.
    assert [hex(number) for number in random_bits(0, 0, 3).tolist()] == [
        "0xe220a8397b1dcdaf",
        "0x6e789e6aa1b965f4",
        "0x6c45d188009454f",
    ]


def test_streams_of_one_seed_differ():
    assert len({tuple(random_bits(5, stream, 4).tolist()) for stream in range(8)}) == 8


def test_permutations_hold_every_number_once():
    for count in (0, 1, 2, 384):
        permutation = random_permutation(9, 0, count)
        assert permutation.dtype == np.int32
        assert sorted(permutation.tolist()) == list(range(count))
    assert random_permutation(9, 0, 384).tolist() != list(range(384))


def test_signs_are_balanced():
    signs = random_signs(9, 1, 10_000)
    assert signs.dtype == np.float32
    assert set(signs.tolist()) == {-1.0, 1.0}
    assert abs(float(signs.sum())) < 300  # three standard deviations
