"""A site's neural factories: words at once, meaning when it is there, and never silence."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from hinny.bundle.reader import BundleReader
from hinny.errors import BundleMissing, InvalidOption
from hinny.site import factory_sources
from hinny.site.neural import Question
from site_models import WordRuntime, neural_site, open_neural
from support import run

QUESTIONS = (Question("vet", "dentist"), Question("hay", "feed"))


def ids(answer: dict[str, Any]) -> list[str]:
    return [result["id"] for result in answer["results"]]


async def asked(text: str, factory: str, **request: Any) -> dict[str, Any]:
    search = await open_neural(await neural_site("vector", "tokens"))
    await search.ready(factory)
    return await search.search({"text": text, "factory": factory, **request})


@pytest.mark.parametrize(("factory", "source"), [("tiny", "tokens"), ("semantic", "vector")])
def test_what_the_words_do_not_find_is_found_by_meaning(factory: str, source: str) -> None:
    answer = run(asked("dentist", factory))
    assert ids(answer)[0] == "care.html#teeth"
    assert (answer["factory"], answer["degraded"]) == (factory, [])
    assert answer["total"] == len(answer["results"]) == 5
    assert answer["stats"]["counts"] == {"lexical": 0, source: 5, "exact": 0, "reranked": 0}
    assert answer["stats"]["kernels"] == {source: "numpy"}
    assert set(answer["timings"]) >= {"lexical", source, "fusion", "policies", "texts", "excerpts"}


def test_words_alone_have_answers_of_the_same_shape() -> None:
    words, meaning = run(asked("mule", "lexical-only")), run(asked("mule", "semantic"))
    assert set(words) == set(meaning)
    assert set(words["stats"]) == set(meaning["stats"])
    assert words["stats"]["counts"]["lexical"] == words["total"] == len(words["results"])
    assert all(set(result) == set(meaning["results"][0]) for result in words["results"])


def test_each_source_says_what_it_gave_to_a_hit() -> None:
    (first, *_) = run(asked("teeth", "semantic", explain=True))["results"]
    sources = {source["name"]: source for source in first["explanation"]["sources"]}
    assert (first["id"], first["scoreKind"]) == ("care.html#teeth", "rrf")
    # k = 1: the words give 3 / 2, the vectors 1 / 2
    assert sources["lexical"]["contribution"] == pytest.approx(1.5)
    assert sources["vector"]["contribution"] == pytest.approx(0.5)
    assert first["score"] == pytest.approx(2.0)
    assert first["explanation"]["terms"][0]["word"] == "teeth"


def test_a_section_whose_title_is_the_query_comes_first() -> None:
    (first, *_) = run(asked("hooves", "semantic"))["results"]
    assert (first["id"], first["exact"]) == ("care.html#hooves", True)
    assert "exact" in first["reasons"]


def test_operators_keep_out_what_they_exclude() -> None:
    assert "care.html#teeth" in ids(run(asked("mule", "semantic")))
    assert "care.html#teeth" not in ids(run(asked("mule -vet", "semantic")))
    assert ids(run(asked('"six weeks"', "tiny"))) == ["care.html#hooves"]


def test_filters_hold_for_meaning_too() -> None:
    chosen = {"filters": {"topic": ["overview"]}}
    assert ids(run(asked("blacksmith", "semantic", **chosen))) == ["de.html"]


def test_words_answer_while_a_model_is_on_its_way_and_the_page_is_told() -> None:
    async def journey() -> None:
        runtime = WordRuntime()
        runtime.gates["words-vector"] = asyncio.Event()
        changes: list[tuple[str, str, str]] = []
        search = await open_neural(
            await neural_site("vector"), runtime, changed=lambda *change: changes.append(change)
        )
        request = {"text": "teeth dentist", "factory": "semantic"}
        early = await search.search(request)
        assert ids(early) == ["care.html#teeth"]
        assert [(lost["source"], lost["reason"]) for lost in early["degraded"]] == [("vector", "loading")]
        assert changes == []
        runtime.gates["words-vector"].set()
        await search.ready("semantic")
        assert changes == [("semantic", "ready", "")]
        later = await search.search(request)
        assert later["degraded"] == []
        assert later["total"] == 5
        await search.close()

    run(journey())


def test_a_failed_model_leaves_the_words_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def journey() -> None:
        runtime = WordRuntime()
        runtime.failures = 1
        changes: list[tuple[str, str, str]] = []
        search = await open_neural(
            await neural_site("tokens"), runtime, changed=lambda *change: changes.append(change)
        )
        request = {"text": "teeth", "factory": "tiny"}
        await search.ready("tiny")
        assert changes == [("tiny", "failed", "the hub is down")]
        answer = await search.search(request)
        assert ids(answer) == ["care.html#teeth"]
        assert answer["degraded"] == [{"source": "tokens", "reason": "error", "message": "the hub is down"}]
        monkeypatch.setattr(factory_sources, "RETRY", 0.0)
        await search.ready("tiny")
        assert changes[-1] == ("tiny", "ready", "")
        assert (await search.search(request))["degraded"] == []

    run(journey())


def test_asked_for_by_name_a_failed_model_is_tried_again_at_once() -> None:
    async def journey() -> None:
        runtime = WordRuntime()
        runtime.failures = 1
        changes: list[tuple[str, str, str]] = []
        search = await open_neural(
            await neural_site("tokens"), runtime, changed=lambda *change: changes.append(change)
        )
        await search.ready("tiny")
        # A search that asks for it waits a while.
        await search.ready("tiny")
        assert [state for _, state, _ in changes] == ["failed"]
        search.prepare("tiny")
        await search.ready("tiny")
        assert [state for _, state, _ in changes] == ["failed", "ready"]
        assert (await search.search({"text": "teeth", "factory": "tiny"}))["degraded"] == []

    run(journey())


class Broken:
    """A bundle that lost its vectors."""

    def __init__(self, reader: BundleReader) -> None:
        self.manifest = reader.manifest
        self.reader = reader
        self.read_names: list[str] = []

    @property
    def names(self) -> Any:
        return self.reader.names

    async def read(self, name: str) -> bytes:
        self.read_names.append(name)
        if name.startswith("vectors/"):
            raise BundleMissing(f"{name} answered 404")
        return await self.reader.read(name)


def test_lost_vectors_leave_the_words() -> None:
    async def journey() -> dict[str, Any]:
        bundle: Any = Broken(await neural_site("vector"))
        search = await open_neural(bundle)
        await search.ready("semantic")
        return await search.search({"text": "teeth", "factory": "semantic"})

    answer = run(journey())
    assert ids(answer) == ["care.html#teeth"]
    assert answer["degraded"] == [
        {"source": "vector", "reason": "error", "message": "vectors/codes answered 404"}
    ]


def test_nothing_neural_is_read_before_it_is_asked_for() -> None:
    async def journey() -> list[str]:
        bundle: Any = Broken(await neural_site("vector", "tokens", questions=QUESTIONS))
        search = await open_neural(bundle)
        search.info()
        await search.search({"text": "teeth", "explain": True})
        read: list[str] = bundle.read_names
        return read

    assert not [name for name in run(journey()) if name.startswith(("vectors", "tokens", "questions"))]


@pytest.mark.parametrize("factory", ["tiny", "semantic"])
def test_a_recorded_question_ranks_without_its_model(factory: str) -> None:
    async def journey() -> tuple[dict[str, Any], WordRuntime]:
        runtime = WordRuntime()
        runtime.failures = 99
        search = await open_neural(await neural_site("vector", "tokens", questions=QUESTIONS), runtime)
        return await search.search({"text": "", "recorded": "vet", "factory": factory}), runtime

    answer, runtime = run(journey())
    assert ids(answer)[0] == "care.html#teeth"
    assert answer["query"]["text"] == "dentist"
    assert answer["degraded"] == []
    assert (runtime.runs, runtime.failures) == (0, 99)


def test_a_recorded_question_ranks_as_its_text_does() -> None:
    async def journey() -> tuple[dict[str, Any], dict[str, Any]]:
        search = await open_neural(await neural_site("vector", questions=QUESTIONS))
        recorded = await search.search({"text": "", "recorded": "hay", "factory": "semantic"})
        other = await open_neural(await neural_site("vector"))
        await other.ready("semantic")
        return recorded, await other.search({"text": "feed", "factory": "semantic"})

    recorded, typed = run(journey())
    assert recorded["results"] == typed["results"]


def test_a_recorded_question_that_is_typed_needs_no_model_either() -> None:
    async def journey() -> tuple[dict[str, Any], dict[str, Any]]:
        runtime = WordRuntime()
        runtime.gates["words-tokens"] = asyncio.Event()
        search = await open_neural(await neural_site("tokens", questions=QUESTIONS), runtime)
        search.prepare("tiny")
        while search._neural is None or not search._neural._source("tokens").recorded:
            await asyncio.sleep(0)
        typed = await search.search({"text": "dentist", "factory": "tiny"})
        other = await search.search({"text": "dentist feed", "factory": "tiny"})
        await search.close()
        return typed, other

    typed, other = run(journey())
    assert (ids(typed)[0], typed["degraded"]) == ("care.html#teeth", [])
    assert [lost["reason"] for lost in other["degraded"]] == ["loading"]


def test_a_question_that_was_not_recorded_is_an_error() -> None:
    async def journey(questions: tuple[Question, ...]) -> None:
        search = await open_neural(await neural_site("vector", questions=questions))
        await search.search({"text": "", "recorded": "x"})

    with pytest.raises(InvalidOption, match=r"a question of this bundle \(vet, hay\)"):
        run(journey(QUESTIONS))
    with pytest.raises(InvalidOption, match="none: build with --questions"):
        run(journey(()))


def test_info_says_which_factories_there_are_and_what_they_need() -> None:
    async def journey() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await open_neural(await neural_site("vector"))).info()["factories"]
        return found

    words, tiny, semantic, three = run(journey())
    assert (words["available"], words["models"]) == (True, [])
    assert (tiny["available"], tiny["models"]) == (False, [])
    assert tiny["reason"] == "this bundle was built without tokens (hinny build --factory tiny)"
    assert three["reason"] == "this bundle was built without tokens (hinny build --factory three-source)"
    assert semantic["available"]
    assert semantic["models"] == [
        {
            "id": "words-vector",
            "kind": "embedder",
            "bytes": 2,
            "source": "this site",
            "cached": False,
        }
    ]


def test_a_factory_that_is_not_there_is_answered_by_words() -> None:
    async def journey() -> dict[str, Any]:
        search = await open_neural(await neural_site("vector"))
        search.prepare("tiny")
        return await search.search({"text": "teeth", "factory": "tiny"})

    answer = run(journey())
    assert (answer["factory"], ids(answer)) == ("lexical-only", ["care.html#teeth"])
    assert answer["degraded"][0]["source"] == "tokens"
    assert "built without tokens" in answer["degraded"][0]["message"]


def test_the_factory_that_was_opened_answers_when_none_is_named() -> None:
    async def journey() -> dict[str, Any]:
        search = await open_neural(await neural_site("vector"), factory="semantic")
        await search.ready("semantic")
        return await search.search({"text": "dentist"})

    assert run(journey())["factory"] == "semantic"


def test_closing_waits_for_nothing_and_may_be_done_while_a_model_loads() -> None:
    async def journey() -> None:
        runtime = WordRuntime()
        runtime.gates["words-vector"] = asyncio.Event()
        search = await open_neural(await neural_site("vector"), runtime)
        search.prepare("semantic")
        await asyncio.sleep(0)
        await search.close()
        assert ids(await search.search({"text": "teeth"})) == ["care.html#teeth"]

    run(journey())
