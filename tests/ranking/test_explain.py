"""The response as text."""

from __future__ import annotations

from hinny.ranking.explain import explain_hit, explain_response
from hinny.ranking.presets import search_preset
from hinny.ranking.search import HybridSearch
from hinny.records import Hit, Signal
from ranking_fakes import FailingSource, Lexical, Reranker, Rescoring, Source, falling
from support import run

TEXT = """\
  1. a  Alpha
     score 0.3 (rerank-rrf)
     lexical: rank 2, score 7.5, tier exact, adds 0.5
     vector: rank 1, score 0.8765
     rerank: current 0.2, neural 0.1
     because: exact, reranked"""


def test_a_hit_in_lines() -> None:
    hit = Hit(
        id="a",
        rank=1,
        score=0.3,
        score_kind="rerank-rrf",
        signals={"lexical": Signal(2, 7.5, "exact"), "vector": Signal(1, 0.87654321)},
        contributions={"lexical": 0.5},
        rerank_contributions={"current": 0.2, "neural": 0.1},
        reasons=("exact", "reranked"),
    )
    assert explain_hit(hit, "Alpha") == TEXT


def test_a_whole_response_names_decisions_and_what_was_missing() -> None:
    search = HybridSearch(
        lexical=Lexical(falling("lab", 9.0), share=0.1),
        vector=Rescoring([("v", 0.75), ("l", 0.5)]),
        more={"graph": FailingSource(OSError("locked"))},
        reranker=Reranker(),
        defaults=search_preset("reranked"),
        on_error="degrade",
    )
    text = explain_response(run(search.search_with_stats("words")), titles={"v": "Vee"})
    assert text.startswith("  1. v  Vee\n     score ")
    for line in (
        "strategy fusion: 4 candidates (lexical 3, vector 2, reranked 4)",
        "rerank: action applied, candidates 4",
        "weak-lexical: action promoted, lexical l, vector v, share 0.1, gap 0.25, gap_bound False",
        "degraded: graph (error) locked",
        "     because: reranked, weak-lexical",
    ):
        assert line in text.splitlines()
    assert "milliseconds: " in text


def test_no_hits_say_so() -> None:
    text = explain_response(
        run(HybridSearch(lexical=Source([])).search_with_stats("x")), titles=lambda id: None
    )
    assert text.splitlines()[0] == "no hits"


def test_the_route_and_kernels_are_told() -> None:
    vectors = Rescoring(falling("v"))
    vectors.kernel = "numpy"  # type: ignore[attr-defined]
    search = HybridSearch(lexical=Lexical([], length=3.0), vector=vectors)
    lines = explain_response(run(search.search_with_stats("x", vector_only_below=12))).splitlines()
    assert "route: name vector-only, average_length 3, below 12" in lines
    assert "kernels: vector numpy" in lines
