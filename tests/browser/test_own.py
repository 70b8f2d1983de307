"""The reader's own files as the worker asks for them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from hinny import browser_entry
from hinny.browser import own, sessions
from hinny.bundle.reader import BundleReader
from hinny.platform import browser_models
from hinny.site.neural import manifest_entry
from hinny.site.own import open_zip
from hinny.site.search import SiteSearch
from site_models import WordRuntime, word_pins, word_platform
from support import run

PINS = word_pins("vector", "tokens")
MODELS = {pin.id: manifest_entry(pin, source, "models") for source, pin in PINS.items()}
OPTIONS = json.dumps({"factory": "tiny", "models": "https://example.org/search/"})
PAGES = {
    "mules.md": b"# Mules\n\nIts father is a donkey.\n\n## Teeth\n\nRasp the teeth yearly.\n",
    "care.md": b"# Care\n\nHay twice a day.\n\n## Hooves\n\nTrim the hooves.\n",
}


class Bytes:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def to_bytes(self) -> bytes:
        return self.data


class File:
    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.bytes = Bytes(data)


class Host:
    """The worker's side of a bundle: the site's own, or the reader's."""

    base = "https://example.org/search/"

    def __init__(self) -> None:
        self.adopted: list[dict[str, Any]] = []
        self.changes: list[tuple[str, str, str]] = []

    async def manifest(self) -> str:
        return json.dumps({"models": MODELS})

    def adopt(self, manifest: str) -> None:
        self.adopted.append(json.loads(manifest))

    def changed(self, factory: str, state: str, message: str) -> None:
        self.changes.append((factory, state, message))

    async def model(self, id: str, role: str) -> Bytes:
        if id not in self.adopted[-1]["models"]:
            raise LookupError(id)
        return Bytes(f"{id}/{role}".encode())


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> WordRuntime:
    made = WordRuntime()
    monkeypatch.setattr(browser_models, "browser_platform", lambda host: word_platform(made))
    return made


def value(answer: str) -> Any:
    reply = json.loads(answer)
    assert reply["ok"], reply
    return reply["value"]


async def build() -> bytes:
    files = [File(path, data) for path, data in PAGES.items()]
    made = value(await browser_entry.build_own(files, '{"title": "Notes"}', lambda done: None))
    assert made["info"]["pages"] == 2
    return browser_entry.take_own(made["made"])


async def opened(host: Host) -> int:
    answer = await browser_entry.open_own(Bytes(await build()), host, '{"bundle": "own:1"}')
    session: int = value(answer)["session"]
    return session


async def ask(session: int, id: str = "1") -> Any:
    return value(await browser_entry.search(session, id, '{"text": "dentist", "factory": "tiny"}'))


def test_own_files_are_searched_by_words_then_by_meaning_and_then_exported() -> None:
    async def story() -> None:
        host, site = Host(), Host()
        session = await opened(host)
        before = await ask(session)
        assert (before["factory"], before["results"]) == ("lexical-only", [])
        told: list[Any] = []
        made = value(
            await browser_entry.embed_own(
                session, "e", site, OPTIONS, lambda one: told.append(json.loads(one))
            )
        )
        assert told[0] == {"stage": "model", "model": "words-tokens", "done": 0, "total": 4}
        assert told[-1] == {"stage": "sections", "model": "words-tokens", "done": 4, "total": 4}
        assert made["truncated"] == {"words-tokens": 0}
        available = [factory["id"] for factory in made["info"]["factories"] if factory["available"]]
        assert available == ["lexical-only", "tiny"]
        await sessions.find(session).ready("tiny")
        assert host.changes == [("tiny", "ready", "")]
        assert (await ask(session))["results"][0]["id"] == "mules.md#teeth"
        zip = browser_entry.take_own(made["made"])
        # kept and opened again, it needs only the model
        again = value(await browser_entry.open_own(Bytes(zip), host, '{"bundle": "own:1"}'))["session"]
        assert host.adopted[-1]["models"]["words-tokens"]["base"] == "https://example.org/search/models"
        await sessions.find(again).ready("tiny")
        assert (await ask(again))["results"][0]["id"] == "mules.md#teeth"
        exported = value(await browser_entry.export_own(Bytes(zip), Host()))["made"]
        storage = open_zip(browser_entry.take_own(exported))
        assert storage.files["models/words-tokens/model.onnx"] == b"words-tokens/graph"
        elsewhere = await SiteSearch.open(await BundleReader.open(storage), platform=word_platform)
        await elsewhere.ready("tiny")
        found = await elsewhere.search({"text": "dentist", "factory": "tiny"})
        assert found["results"][0]["id"] == "mules.md#teeth"
        for one in (session, again):
            await browser_entry.close(one)
        assert not own._kept

    run(story())


def test_searches_are_answered_between_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "BATCH_TOKENS", 1)

    async def story() -> None:
        session = await opened(Host())
        order: list[str] = []
        asked: list[asyncio.Future[None]] = []

        def progress(one: str) -> None:
            done = json.loads(one)["done"]
            order.append(str(done))
            if done == 1:
                asked.append(asyncio.ensure_future(search()))

        async def search() -> None:
            await ask(session)
            order.append("answer")

        value(await browser_entry.embed_own(session, "e", Host(), OPTIONS, progress))
        assert order == ["0", "1", "answer", "2", "3", "4"]
        await browser_entry.close(session)

    run(story())


def test_the_page_pauses_it_by_answering_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "BATCH_TOKENS", 1)

    async def story() -> None:
        session = await opened(Host())
        gate = asyncio.get_running_loop().create_future()
        told: list[str] = []

        def progress(state: str) -> Any:
            told.append(state)
            return gate if json.loads(state)["done"] else None

        work = asyncio.ensure_future(browser_entry.embed_own(session, "e", Host(), OPTIONS, progress))
        while len(told) < 2:
            await asyncio.sleep(0)
        await asyncio.sleep(0.05)
        # Words answer, and nothing goes on.
        assert (await ask(session))["factory"] == "lexical-only"
        assert not work.done()
        assert len(told) == 2
        gate.set_result(None)
        assert value(await work)["truncated"] == {"words-tokens": 0}
        assert len(told) > 2

    run(story())


def test_embedding_is_given_up_and_words_go_on() -> None:
    async def story() -> None:
        session = await opened(Host())

        def progress(one: str) -> None:
            browser_entry.cancel("e")

        given_up = json.loads(await browser_entry.embed_own(session, "e", Host(), OPTIONS, progress))
        assert "given up" in given_up["error"]["message"]
        answer = value(await browser_entry.search(session, "1", '{"text": "teeth"}'))
        assert answer["results"][0]["id"] == "mules.md#teeth"
        assert not sessions.embedding
        await browser_entry.close(session)

    run(story())


def test_a_model_that_cannot_be_had_is_an_error_of_models(runtime: WordRuntime) -> None:
    async def story() -> None:
        session = await opened(Host())
        runtime.failures = 1
        answer = json.loads(await browser_entry.embed_own(session, "e", Host(), OPTIONS, lambda one: None))
        assert not answer["ok"]
        assert "the hub is down" in answer["error"]["message"]
        value(await browser_entry.embed_own(session, "e", Host(), OPTIONS, lambda one: None))
        await browser_entry.close(session)

    run(story())


def test_only_own_files_are_embedded() -> None:
    async def story() -> Any:
        return json.loads(await browser_entry.embed_own(10**6, "e", Host(), OPTIONS, lambda one: None))

    assert "a session that is open" in run(story())["error"]["message"]
