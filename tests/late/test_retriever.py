import numpy as np
import pytest

from hinny.errors import DimensionMismatch, InvalidInput, InvalidOption, NotFinite, ZeroVector
from hinny.late.retriever import create_colbert_retriever
from hinny.late.token_index import build_colbert_token_index
from hinny.protocols import Rescorer, Retriever
from hinny.records import Query
from support import run
from vectors_data import clustered, token_matrices

MATRICES = token_matrices(50, 32, seed=1)
IDS = [f"d{row:02d}" for row in range(50)]
TOKENS = clustered(6, 32, seed=2)
BOTH = pytest.mark.parametrize("quantization", ["exact", "turboquant"])


def encode(text):
    return TOKENS * np.float32(2)


def make(**options):
    defaults = {"ids": IDS, "encode_query": encode}
    if "index" not in options:
        defaults["matrices"] = MATRICES
    return create_colbert_retriever(**{**defaults, **options})


def brute_force(tokens=TOKENS):
    return np.array([np.mean([max(float(q @ t) for t in matrix) for q in tokens]) for matrix in MATRICES])


def ranked(candidates):
    return [(each.id, each.score) for each in candidates]


def test_it_is_a_source():
    retriever = make()
    assert isinstance(retriever, Retriever)
    assert isinstance(retriever, Rescorer)
    assert (retriever.name, retriever.score_kind, retriever.dim, len(retriever)) == (
        "tokens",
        "maxsim",
        32,
        50,
    )


def test_exact_is_maxsim_averaged_over_query_tokens():
    found = run(make(quantization="exact").retrieve(Query("words"), limit=10))
    truth = brute_force()
    order = np.argsort(-truth)[:10]
    assert [each.id for each in found] == [IDS[row] for row in order]
    assert np.allclose([each.score for each in found], truth[order], atol=1e-6)


def test_turboquant_is_near():
    found = run(make().retrieve(Query("words"), limit=50))
    truth = dict(zip(IDS, brute_force().tolist(), strict=True))
    assert len(found) == 50
    assert all(abs(each.score - truth[each.id]) < 0.05 for each in found)


def test_a_documents_own_tokens_score_one():
    retriever = make(quantization="exact", encode_query=lambda text: MATRICES[3])
    (first,) = run(retriever.retrieve(Query("words"), limit=1))
    assert first.id == "d03"
    assert first.score == pytest.approx(1, abs=1e-6)
    assert first.score <= 1


@pytest.mark.parametrize("options", [{}, {"bits": 2}, {"seed": 9}, {"pool": 0.5}])
def test_a_stored_index_ranks_exactly_as_its_matrices(options):
    stored = make(index=build_colbert_token_index(MATRICES, **options))
    made = make(**options)
    assert ranked(run(stored.retrieve(Query("x"), limit=50))) == ranked(
        run(made.retrieve(Query("x"), limit=50))
    )


def test_one_encoding_and_one_scan_for_retrieving_and_rescoring():
    asked = []

    async def encode_once(text):
        asked.append(text)
        return TOKENS

    retriever = make(encode_query=encode_once)
    scans = []
    scan = run(retriever._scan.get())

    class Counted:
        kernel = "numpy"

        def scores(self, query):
            scans.append(1)
            return scan.scores(query)

    retriever._scan._scan = Counted()
    found = run(retriever.retrieve(Query("words"), limit=50))
    rescored = run(retriever.rescore(Query("words"), [each.id for each in found[10:20]]))
    assert ranked(rescored) == ranked(found[10:20])
    assert (asked, scans) == (["words"], [1])
    run(retriever.retrieve(Query("others"), limit=5))
    assert (asked, scans) == (["words", "others"], [1, 1])


@BOTH
def test_ids_restrict_before_the_top_is_taken(quantization):
    retriever = make(quantization=quantization)
    far = {IDS[row] for row in np.argsort(brute_force())[:5]}
    found = run(retriever.retrieve(Query("words"), limit=3, ids={*far, "unknown"}))
    assert len(found) == 3
    assert {each.id for each in found} <= far
    assert run(retriever.retrieve(Query("words"), limit=3, ids=["unknown"])) == []


def test_ties_are_broken_by_id():
    ids = [f"d{(row * 7) % 10}" for row in range(10)]
    retriever = create_colbert_retriever(ids=ids, matrices=[MATRICES[0]] * 10, encode_query=encode)
    assert [each.id for each in run(retriever.retrieve(Query("x"), limit=3))] == ["d0", "d1", "d2"]


def test_no_documents_and_queries_without_text_have_no_hits():
    empty = create_colbert_retriever(ids=[], matrices=[], encode_query=encode)
    assert run(empty.retrieve(Query("words"), limit=5)) == []
    assert run(empty.rescore(Query("words"), ["a"])) == []
    retriever = make()
    assert run(retriever.retrieve(Query(" "), limit=5)) == []
    assert run(retriever.retrieve(Query(vector=TOKENS[0]), limit=5)) == []
    assert run(retriever.rescore(Query(""), ["d01"])) == []
    assert run(retriever.rescore(Query("words"), ["nobody"])) == []
    assert run(retriever.retrieve(Query("words"), limit=0)) == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"quantization": "binary"}, InvalidOption),
        ({"matrices": None}, InvalidOption),
        ({"matrices": MATRICES, "index": build_colbert_token_index(MATRICES)}, InvalidOption),
        ({"index": build_colbert_token_index(MATRICES), "quantization": "exact"}, InvalidOption),
        ({"index": build_colbert_token_index(MATRICES), "pool": 0.5}, InvalidOption),
        ({"index": build_colbert_token_index(MATRICES[:-1])}, InvalidInput),
        ({"ids": IDS[:-1]}, InvalidInput),
        ({"ids": ["d00", *IDS[:-1]]}, InvalidInput),
        ({"encode_query": 5}, InvalidOption),
        ({"kernel": "onnx"}, InvalidOption),
    ],
)
def test_bad_input_is_named_before_any_search(options, error):
    with pytest.raises(error):
        make(**options)


@pytest.mark.parametrize(
    ("tokens", "error"),
    [
        (np.ones((2, 31)), DimensionMismatch),
        (np.full((2, 32), np.nan), NotFinite),
        (np.zeros((2, 32)), ZeroVector),
        (np.empty((0, 32)), InvalidInput),
    ],
)
@BOTH
def test_bad_queries(quantization, tokens, error):
    retriever = make(quantization=quantization, encode_query=lambda text: tokens)
    with pytest.raises(error, match="query tokens"):
        run(retriever.retrieve(Query("words"), limit=5))


@pytest.mark.parametrize("limit", [-1, 2.5, True])
def test_bad_limits(limit):
    with pytest.raises(InvalidOption, match="limit"):
        run(make().retrieve(Query("words"), limit=limit))


def test_closing():
    retriever = make()
    before = ranked(run(retriever.retrieve(Query("words"), limit=5)))
    run(retriever.close())
    assert ranked(run(retriever.retrieve(Query("other"), limit=5))) == before
