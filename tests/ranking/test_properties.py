"""Laws that hold whatever the lists, ties, overlaps and policies, checked on random searches."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.errors import PolicyConflict
from hinny.ranking.search import HybridSearch
from hinny.records import SearchResponse
from ranking_fakes import Lexical, Reranker, Rescoring, Source, ids
from support import run

NAMES = [f"d{n:02}" for n in range(14)] + ["ä", "Z"]
scores = st.sampled_from([0.0, 0.1, 0.25, 0.25, 0.5, 0.9, 1.0])  # few values: ties are common


@st.composite
def ranked_rows(draw: st.DrawFn) -> list[tuple[str, float]]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=12))
    values = sorted((draw(scores) for _ in names), reverse=True)
    return list(zip(names, values, strict=True))


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "lexical": draw(ranked_rows()),
        "vector": draw(ranked_rows()),
        "tokens": draw(st.none() | ranked_rows()),
        "literal": draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4)),
        "share": draw(st.none() | st.sampled_from([0.0, 0.1, 0.5, 1.0])),
        "length": draw(st.sampled_from([5.0, 50.0])),
        "neural": draw(st.none() | st.dictionaries(st.sampled_from(NAMES), scores)),
    }


@st.composite
def option_sets(draw: st.DrawFn) -> dict[str, Any]:
    sometimes = st.booleans()
    options: dict[str, Any] = {
        "strategy": draw(st.sampled_from(["fusion", "fusion", "vector-first", "lexical-first"])),
        "cascade": draw(st.sampled_from(["replace", "fuse"])),
        "unmatched": draw(st.sampled_from(["keep", "drop"])),
        "lexical_candidates": draw(st.integers(1, 12)),
        "vector_candidates": draw(st.integers(1, 12)),
        "fusion": {
            "method": draw(st.sampled_from(["rrf", "linear"])),
            "k": draw(st.integers(0, 60)),
            "weights": {"lexical": draw(st.integers(0, 3)), "vector": draw(st.integers(1, 3))},
        },
        "rerank": {
            "candidates": draw(st.integers(1, 20)),
            "method": draw(st.sampled_from(["rrf", "replace"])),
            "skip_if_vector_margin": draw(st.none() | st.sampled_from([0.0, 0.2])),
        },
        "limit": draw(st.integers(1, 20)),
    }
    if draw(sometimes):
        options["exact"] = "promote"
    if draw(sometimes):
        options["balance"] = {"window": draw(st.integers(4, 9)), "lexical": 2, "vector": 2}
    if draw(sometimes):
        options["weak_lexical"] = {"share": 0.2, "gap": draw(st.sampled_from([0.0, 0.15]))}
    if draw(sometimes):
        options["vector_only_below"] = 12
    if draw(sometimes):
        options["dropoff"] = draw(st.sampled_from([True, 0.5]))
    if draw(sometimes):
        options["min_score"] = draw(st.sampled_from([0.0, 0.01, 0.3]))
    if draw(sometimes):
        options["ids"] = draw(st.sets(st.sampled_from(NAMES), min_size=1))
    return options


def ask(world: dict[str, Any], options: dict[str, Any]) -> SearchResponse | None:
    """The response, None where two policies conflict."""
    search = HybridSearch(
        lexical=Lexical(
            world["lexical"], literal=world["literal"], share=world["share"], length=world["length"]
        ),
        vector=Rescoring(world["vector"]),
        tokens=None if world["tokens"] is None else Source(world["tokens"]),
        reranker=None if world["neural"] is None else Reranker(world["neural"]),
    )
    try:
        return run(search.search_with_stats("words", **options))
    except PolicyConflict:
        return None


@settings(max_examples=300, deadline=None)
@given(worlds(), option_sets())
def test_all_policies_together_keep_the_laws(world: dict[str, Any], options: dict[str, Any]) -> None:
    response = ask(world, {**options, "limit": 100})
    if response is None:
        assert "balance" in options
        return
    found = ids(response.hits)
    assert len(set(found)) == len(found) == response.total_candidates
    assert [hit.rank for hit in response.hits] == list(range(1, len(found) + 1))
    if "ids" in options:
        assert set(found) <= options["ids"]
    known = {id for name in ("lexical", "vector", "tokens") for id, _ in world[name] or []}
    assert set(found) <= known | set(world["literal"])
    exact = [hit.id for hit in response.hits if hit.exact]
    assert found[: len(exact)] == exact
    assert set(exact) <= set(world["literal"])
    if "exact" not in options:
        assert exact == []
    if "balance" in options:
        window = set(found[: options["balance"]["window"]])
        available = [id for id, _ in world["lexical"][: options["lexical_candidates"]] if id in found]
        if response.counts.get("lexical") and options["strategy"] == "fusion" and "ids" not in options:
            assert set(available[:2]) <= window
    if response.weak_lexical["action"] == "promoted":
        assert found.index(response.weak_lexical["vector"]) <= len(exact)
    if response.rerank_decision["action"] == "skipped":
        assert all(not hit.rerank_contributions for hit in response.hits)
    json.dumps(response.to_dict())


@settings(max_examples=100, deadline=None)
@given(worlds(), option_sets(), st.integers(1, 5))
def test_pages_put_together_are_the_whole(world: dict[str, Any], options: dict[str, Any], size: int) -> None:
    whole = ask(world, {**options, "limit": 100})
    if whole is None:
        return
    pages: list[Any] = []
    for offset in range(0, 40, size):
        page = ask(world, {**options, "limit": size, "offset": offset})
        assert page is not None
        assert page.total_candidates == whole.total_candidates
        pages += page.hits
    assert pages == list(whole.hits)


@settings(max_examples=100, deadline=None)
@given(worlds(), option_sets())
def test_the_same_question_has_the_same_answer(world: dict[str, Any], options: dict[str, Any]) -> None:
    first, second = ask(world, options), ask(world, options)
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert first.hits == second.hits
        assert first.rerank_decision == second.rerank_decision


@settings(max_examples=100, deadline=None)
@given(ranked_rows(), ranked_rows())
def test_default_fusion_agrees_with_a_plain_sum_over_ranks(
    words: list[tuple[str, float]], vectors: list[tuple[str, float]]
) -> None:
    total: dict[str, float] = {}
    for rows in (words, vectors):
        for rank, (id, _) in enumerate(rows, 1):
            total[id] = total.get(id, 0.0) + 1 / (60 + rank)
    expected = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    search = HybridSearch(lexical=Source(words), vector=Source(vectors))
    hits = run(search.search("words", limit=100))
    assert [(hit.id, hit.score) for hit in hits] == expected
