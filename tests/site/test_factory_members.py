"""Three sources and a reranker: each joins when it is there, and is missed by its own name."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hinny.site.search import SiteSearch
from site_models import WordRuntime, neural_site, open_neural
from support import run

ALL = ("vector", "tokens", "rerank")


def ids(answer: dict[str, Any]) -> list[str]:
    return [result["id"] for result in answer["results"]]


def lost(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["source"], one["reason"]) for one in answer["degraded"]]


async def until(search: SiteSearch, changes: list[tuple[str, str, str]], count: int) -> None:
    for _ in range(1000):
        if len(changes) == count:
            return
        await asyncio.sleep(0)
    raise AssertionError(changes)


def test_the_three_sources_are_fused_and_each_is_named() -> None:
    async def journey() -> dict[str, Any]:
        search = await open_neural(await neural_site("vector", "tokens"))
        await search.ready("three-source")
        return await search.search({"text": "teeth", "factory": "three-source", "explain": True})

    answer = run(journey())
    assert (answer["factory"], answer["degraded"]) == ("three-source", [])
    assert answer["stats"]["counts"] == {"lexical": 1, "vector": 5, "tokens": 5, "exact": 1, "reranked": 0}
    (first, *_) = answer["results"]
    assert first["id"] == "care.html#teeth"
    given = {one["name"]: one["contribution"] for one in first["explanation"]["sources"]}
    assert given.keys() == {"lexical", "vector", "tokens"}
    assert first["score"] == pytest.approx(sum(given.values()))


def test_words_answer_at_once_and_each_member_joins_when_it_is_there() -> None:
    async def journey() -> None:
        runtime = WordRuntime()
        runtime.gates = {f"words-{name}": asyncio.Event() for name in ALL}
        changes: list[tuple[str, str, str]] = []
        search = await open_neural(
            await neural_site(*ALL), runtime, changed=lambda *change: changes.append(change)
        )
        request = {"text": "mule", "factory": "three-source"}
        early = await search.search(request)
        waiting = [(name, "loading") for name in ALL]
        assert lost(early) == waiting
        assert ids(early)[0] == "care.html#teeth" or len(early["results"]) == early["total"]
        for number, name in enumerate(("tokens", "rerank"), 1):
            runtime.gates[f"words-{name}"].set()
            await until(search, changes, number)
            assert changes[-1] == ("three-source", "joined", name)
            waiting.remove((name, "loading"))
            assert lost(await search.search(request)) == waiting
        runtime.gates["words-vector"].set()
        await until(search, changes, 3)
        assert changes[-1] == ("three-source", "ready", "")
        assert lost(await search.search(request)) == []
        # what is here already serves the other factories: only they are told
        await search.ready("tiny")
        assert changes[3:] == [("tiny", "ready", "")]
        assert (await search.search({"text": "mule", "factory": "tiny"}))["degraded"] == []
        await search.close()

    run(journey())


def test_one_that_fails_is_named_and_the_others_answer() -> None:
    async def journey() -> None:
        runtime = WordRuntime()
        runtime.gates["words-tokens"] = asyncio.Event()
        runtime.failures = 1  # the vectors' model, asked for first
        changes: list[tuple[str, str, str]] = []
        search = await open_neural(
            await neural_site("vector", "tokens"), runtime, changed=lambda *change: changes.append(change)
        )
        search.prepare("three-source")
        assert search._neural is not None
        await search._neural._source("vector").start()
        runtime.gates["words-tokens"].set()
        await search.ready("three-source")
        assert changes == [("three-source", "failed", "the hub is down")]
        answer = await search.search({"text": "dentist", "factory": "three-source"})
        assert lost(answer) == [("vector", "error")]
        assert ids(answer)[0] == "care.html#teeth"
        await search.close()

    run(journey())


async def reranked(text: str, factory: str = "semantic", **request: Any) -> dict[str, Any]:
    search = await open_neural(await neural_site(*ALL))
    await search.ready(factory)
    return await search.search({"text": text, "factory": factory, "explain": True, **request})


def test_a_cross_encoder_reorders_the_first_hits_and_the_explanation_says_how() -> None:
    answer = run(reranked("water hooves"))
    assert answer["degraded"] == []
    assert answer["stats"]["rerank_decision"] == {"action": "applied", "candidates": 5}
    assert answer["stats"]["counts"]["reranked"] == 5
    assert "rerank" in answer["timings"]
    assert all(result["scoreKind"] == "rerank-rrf" for result in answer["results"])
    for result in answer["results"]:
        parts = result["explanation"]["rerank"]
        assert parts.keys() == {"current", "neural"}
        assert result["score"] == pytest.approx(parts["current"] + parts["neural"])
        assert "reranked" in result["reasons"]
    # "Hooves": its title and two more (k = 1, weight 1/4: the reranker's first has 1/8)
    best = max(answer["results"], key=lambda result: result["explanation"]["rerank"]["neural"])
    assert (best["id"], best["explanation"]["rerank"]["neural"]) == ("care.html#hooves", 0.125)


def test_without_the_cross_encoder_the_fused_order_stands_and_the_stage_is_named() -> None:
    async def journey() -> tuple[dict[str, Any], dict[str, Any]]:
        plain = await open_neural(await neural_site("vector"))
        await plain.ready("semantic")
        runtime = WordRuntime()
        runtime.gates["words-rerank"] = asyncio.Event()
        search = await open_neural(await neural_site("vector", "rerank"), runtime)
        search.prepare("semantic")
        request = {"text": "water hooves", "factory": "semantic"}
        while ("vector", "loading") in lost(await search.search(request)):
            await asyncio.sleep(0)
        waiting = await search.search(request)
        await search.close()
        return await plain.search(request), waiting

    fused, waiting = run(journey())
    assert lost(waiting) == [("rerank", "loading")]
    assert ids(waiting) == ids(fused)
    assert waiting["stats"]["rerank_decision"]["action"] == "failed"


def test_tiny_is_not_reranked() -> None:
    answer = run(reranked("water hooves", "tiny"))
    assert answer["stats"]["rerank_decision"] == {"action": "disabled"}
    assert answer["results"][0]["explanation"]["rerank"] == {}
