"""What the project means to reach, by the names of the summary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Aim(NamedTuple):
    """A figure and its bound: at most, or at least."""

    name: str
    at_most: bool
    bound: float
    meaning: str

    def met(self, value: float) -> bool:
        """Whether a value reaches the bound."""
        return value <= self.bound if self.at_most else value >= self.bound


def _most(name: str, bound: float, meaning: str) -> Aim:
    return Aim(name, True, bound, meaning)


def _least(name: str, bound: float, meaning: str) -> Aim:
    return Aim(name, False, bound, meaning)


AIMS = (
    _most("startup_ratio_cold", 0.5, "start to the first hit, empty cache, by plain Pyodide with numpy"),
    _most("startup_ratio_warm", 0.5, "start to the first hit, from the cache, by plain Pyodide with numpy"),
    _most("lexical_vs_minisearch", 0.2, "questions of SciFact in Chromium, Hinny's time by MiniSearch's"),
    _most(
        "lexical_fuzzy_vs_minisearch",
        0.1,
        "questions of SciFact, prefixes and typos allowed, by MiniSearch's",
    ),
    _most("lexical_vs_orama", 0.1, "questions of SciFact, Hinny's time by Orama's"),
    _most("lexical_vs_zbsearch", 1, "questions of SciFact, Hinny's time by ZBSearch's"),
    _most("lexical_vs_lunr", 1, "questions of SciFact, Hinny's time by Lunr's"),
    _most("typing_p95_ms", 16, "a key over 10,000 sections, 95th percentile, ms"),
    _least("qps_vs_bm25s", 1, "questions of SciFact a second on CPython, by bm25s's"),
    _most("index_time_vs_bm25s", 2, "indexing SciFact on CPython, by bm25s's time"),
    _most("index_gz_vs_minisearch_manual", 1 / 3, "index of the manual's sections, gzipped, by MiniSearch's"),
    _most("index_gz_vs_minisearch_scifact", 1 / 3, "index of SciFact, gzipped, by MiniSearch's"),
    _most("first_search_bytes", 256 * 1024, "index bytes of a first keyword search on the manual"),
    _most("sentence_bytes_ratio", 1.5, "index bytes of a sentence on the manual, by a keyword search's"),
    _least("typo_top5", 0.97, "typos with the word that was meant among five suggestions"),
    _least("typo_top5_worst_class", 0.95, "typos, the same share for the worst kind of edit"),
    _least("lexical_ndcg_scifact", 0.69, "words alone, nDCG@10, SciFact"),
    _least("lexical_ndcg_nfcorpus", 0.325, "words alone, nDCG@10, NFCorpus"),
    _least("lexical_ndcg_cranfield", 0.37, "words alone, nDCG@10, Cranfield"),
    _least(
        "lexical_ndcg_manual_concept",
        0.66,
        "words alone, nDCG@10, the manual's pages by terms of its book index",
    ),
    _most("dense_scan_ms", 1, "10,000 vectors of 384 at 4 bits, one scan in Chromium, ms"),
    _least("dense_vs_numpy", 5, "scan of 10,000 vectors, numpy's time by Hinny's"),
    _least("dense_vs_javascript", 1, "scan of 10,000 vectors, plain JavaScript's time by Hinny's"),
    _most("maxsim_ms", 40, "MaxSim, 32 x 200,000 tokens of 96, one scan in Chromium, ms"),
    _least("maxsim_vs_numpy", 10, "MaxSim scan, numpy's time by Hinny's"),
    _least("maxsim_vs_javascript", 1, "MaxSim scan, plain JavaScript's time by Hinny's"),
    _most("dense_100k_ms", 15, "100,000 vectors of 384, one search in Chromium, ms"),
    _most("dense_100k_index_mb", 19.6, "100,000 vectors of 384, index, MB"),
    _most("dense_100k_memory_ratio", 2.2, "100,000 vectors of 384, memory, by one byte a coordinate"),
    _most("tq4_ndcg_loss_scifact", 0.005, "nDCG@10 lost by 4 bits, SciFact"),
    _most("tq4_ndcg_loss_nfcorpus", 0.005, "nDCG@10 lost by 4 bits, NFCorpus"),
    _least("tq4_overlap10", 0.93, "first ten of 4 bits that float32 has too"),
    _most("pipeline_ms_25", 2, "the ranking pipeline over 25 + 25 candidates in Chromium, ms"),
    _most("pipeline_ms_100", 6, "the ranking pipeline over 100 + 100 candidates, ms"),
    _most("build_manual_s", 20, "building the whole manual, s"),
    _most("build_manual_mb", 600, "building the whole manual, peak memory, MB"),
)


def judged(summary: Mapping[str, float]) -> list[tuple[Aim, float | None]]:
    """Every aim with what was measured; None where nothing was."""
    return [(aim, summary.get(aim.name)) for aim in AIMS]
