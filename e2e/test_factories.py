"""Search by meaning, whole: a part of the manual, encoded by the real models, asked here and in Chromium."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request

from hinny.bundle.reader import BundleReader
from hinny.models.store import ModelStore
from hinny.site.model_files import site_platform
from hinny.site.search import SiteSearch

MANUAL = Path(__file__).parents[1] / "web" / "demo-data" / "postgresql-doc-15.tar.xz"
CHAPTERS = (
    "backup",
    "indexes-",
    "monitoring-",
    "mvcc",
    "routine-",
    "runtime-config-a",
    "sql-create",
    "sql-v",
)
MODELS = {"tiny": "minilm-l6-late64", "semantic": "minilm-l6-int8"}
SOURCES = {"tiny": "tokens", "semantic": "vector"}
QUESTIONS = (
    "how do I get rid of dead rows",
    "copy a running database to another machine",
    "find out which query is slow right now",
    "make lookups on a column faster",
    "create an index without blocking writers",
    "restore the database to an earlier moment",
    "who is waiting for a lock",
    "refresh statistics for the planner automatically",
    "index only some of the rows of a table",
    "search inside JSON documents quickly",
    "prevent two transactions from changing the same row",
    "let an account log in",
    "a column that computes itself from others",
    "run a function whenever a row changes",
    "store the result of a query and refresh it later",
    "how much memory does the server use for caching",
    "split a huge table into pieces",
    "undo everything since the start of the transaction",
    "make a backup while people are writing",
    "the database refuses commands because of transaction id wraparound",
)
OPEN = """async () => {
  const { SearchClient } = await import("./app/hinny.js");
  globalThis.progress = [];
  globalThis.changes = [];
  globalThis.client = new SearchClient();
  client.onProgress((step) => progress.push(step));
  client.onChange((change) => changes.push(change));
  globalThis.session = await client.open({ bundle: "./" });
  return session.info;
}"""
ASK = "(request) => session.search(request)"
READY = """(factory) => changes.some((change) => change.factory === factory)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site: its pages, both models, and the questions recorded."""
    store = ModelStore()
    for id in MODELS.values():
        if not store.has(store.pin(id)):
            pytest.fail(f"{id} is not built: run `make models`", pytrace=False)
    work = tmp_path_factory.mktemp("factories")
    source, out = work / "pages", work / "search"
    source.mkdir()
    with tarfile.open(MANUAL) as archive:
        for member in archive:
            name = Path(member.name).name
            if member.isfile() and name.startswith(CHAPTERS) and name.endswith(".html"):
                data = archive.extractfile(member)
                assert data is not None
                (source / name).write_bytes(data.read())
    lines = [json.dumps({"id": f"q{n}", "text": text}) for n, text in enumerate(QUESTIONS)]
    (work / "questions.jsonl").write_text("\n".join(lines), "utf-8")
    built = ["build", str(source), "--out", str(out), "--language", "en", "--offline", "--root", "/"]
    meaning = ["--factory", "all", "--tokens", "64", "--questions", str(work / "questions.jsonl")]
    done = subprocess.run([sys.executable, "-m", "hinny", *built, *meaning], timeout=500, check=False)
    assert done.returncode == 0
    assets = os.environ.get("HINNY_E2E_APP")
    if assets:
        for path in Path(assets).iterdir():
            (out / "app" / path.name).write_bytes(path.read_bytes())
    return out


@pytest.fixture(scope="module")
def url(folder: Path, serve: Callable[[Path], str]) -> str:
    return serve(folder)


@pytest.fixture(scope="module")
def here(folder: Path) -> dict[tuple[str, str], list[str]]:
    """The first ten on CPython, by factory and request: recorded vectors, and texts by the model."""

    async def ask() -> dict[tuple[str, str], list[str]]:
        reader = await BundleReader.open(str(folder))
        found = {}
        for kind in ("recorded", "text"):
            search = await SiteSearch.open(reader, platform=lambda: site_platform(folder))
            for factory in MODELS:
                if kind == "text":
                    await search.ready(factory)
                for number, question in enumerate(QUESTIONS):
                    request: dict[str, Any] = {"text": question, "factory": factory}
                    if kind == "recorded":
                        request["recorded"] = f"q{number}"
                    answer = await search.search(request)
                    assert answer["degraded"] == []
                    found[factory, f"{kind} {number}"] = ids(answer)
            await search.close()
        return found

    # Playwright keeps this thread's event loop running.
    with ThreadPoolExecutor(1) as another:
        return another.submit(lambda: asyncio.run(ask())).result(timeout=300)


@pytest.fixture
def requests(page: Page) -> list[str]:
    """Everything that the tab and its worker ask the server for."""
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    page.context.on("request", note)
    return asked


def ids(answer: dict[str, Any]) -> list[str]:
    return [result["id"] for result in answer["results"]]


def open_site(page: Page, url: str) -> Any:
    page.goto(url + "empty.html")
    return page.evaluate(OPEN)


def neural(requests: list[str]) -> list[str]:
    marks = ("/models/", "/vectors-", "/tokens-", "/questions-", "ort")
    return [url for url in requests if any(mark in url for mark in marks)]


def test_words_first_then_meaning_and_on_the_second_visit_no_model_is_fetched(
    page: Page, url: str, requests: list[str]
) -> None:
    info = open_site(page, url)
    factories = {factory["id"]: factory for factory in info["factories"]}
    assert all(factory["available"] for factory in factories.values())
    (model,) = factories["tiny"]["models"]
    assert (model["id"], model["cached"], model["source"]) == (MODELS["tiny"], False, "this site")
    assert model["bytes"] > 20_000_000
    request = {"text": "dead rows", "limit": 5, "explain": True}
    words = page.evaluate(ASK, request)
    assert words["factory"] == "lexical-only"
    assert words["stats"]["counts"]["lexical"] > 0
    assert neural(requests) == []

    request["factory"] = "tiny"
    early = page.evaluate(ASK, request)
    assert [(lost["source"], lost["reason"]) for lost in early["degraded"]] == [("tokens", "loading")]
    assert ids(early)[:1] == ids(words)[:1]
    page.wait_for_function(READY, arg="tiny")
    (change,) = page.evaluate("changes")
    assert change == {"bundle": url, "factory": "tiny", "state": "ready", "message": ""}
    later = page.evaluate(ASK, request)
    assert later["degraded"] == []
    assert later["stats"]["kernels"] == {"tokens": "onnx"}
    explained = [source for hit in later["results"] for source in hit["explanation"]["sources"]]
    assert {source["name"] for source in explained} == {"lexical", "tokens"}
    assert all(source["contribution"] > 0 for source in explained)
    last = page.evaluate("progress.filter((step) => step.stage === 'model').at(-1)")
    assert last["loaded"] == last["total"] == model["bytes"]
    assert len([asked for asked in requests if "/models/" in asked]) == 2
    assert MODELS["semantic"] not in " ".join(requests)

    requests.clear()
    again = page.context.new_page()
    info = open_site(again, url)
    assert [factory["models"][0]["cached"] for factory in info["factories"][1:]] == [True, False]
    again.evaluate("() => session.prepare('tiny')")
    again.wait_for_function(READY, arg="tiny")
    assert ids(again.evaluate(ASK, request)) == ids(later)
    assert [asked for asked in requests if "/models/" in asked] == []


@pytest.mark.parametrize("factory", MODELS)
def test_one_vector_ranks_alike_on_cpython_and_here_without_a_model(
    factory: str, page: Page, url: str, requests: list[str], here: dict[tuple[str, str], list[str]]
) -> None:
    open_site(page, url)
    for number in range(len(QUESTIONS)):
        request = {"text": "", "factory": factory, "recorded": f"q{number}"}
        answer = page.evaluate(ASK, request)
        assert answer["degraded"] == []
        assert answer["query"]["text"] == QUESTIONS[number]
        assert ids(answer) == here[factory, f"recorded {number}"], QUESTIONS[number]
    assert [asked for asked in requests if "/models/" in asked] == []


@pytest.mark.parametrize("factory", MODELS)
def test_one_text_finds_nine_of_ten_alike_on_cpython_and_here(
    factory: str, page: Page, url: str, here: dict[tuple[str, str], list[str]]
) -> None:
    open_site(page, url)
    page.evaluate("(factory) => session.prepare(factory)", factory)
    page.wait_for_function(READY, arg=factory)
    common = []
    for number, text in enumerate(QUESTIONS):
        answer = page.evaluate(ASK, {"text": text, "factory": factory})
        assert answer["degraded"] == []
        assert answer["stats"]["counts"][SOURCES[factory]] == 25
        common.append(len({*ids(answer)} & {*here[factory, f"text {number}"]}))
    assert sum(common) >= 9 * len(QUESTIONS), common


def test_a_model_that_cannot_be_fetched_leaves_the_words(page: Page, url: str) -> None:
    page.context.route("**/models/**/model.onnx", lambda route: route.fulfill(status=404))
    open_site(page, url)
    request = {"text": "dead rows", "factory": "semantic"}
    page.evaluate(ASK, request)
    page.wait_for_function(READY, arg="semantic")
    (change,) = page.evaluate("changes")
    assert change["state"] == "failed"
    assert "404" in change["message"]
    answer = page.evaluate(ASK, request)
    assert answer["results"]
    (lost,) = answer["degraded"]
    assert (lost["source"], lost["reason"]) == ("vector", "error")
    assert "404" in lost["message"]


def test_the_element_asks_again_when_its_factory_is_ready(context: BrowserContext, url: str) -> None:
    page = context.new_page()
    page.goto(url + "empty.html")
    page.evaluate(
        """async () => {
          await import("./app/hinny.js");
          globalThis.answers = [];
          const search = document.createElement("hinny-search");
          search.setAttribute("bundle", "./");
          search.setAttribute("factory", "semantic");
          search.addEventListener("hinny-answer", () => {
            const { answer } = search.view;
            if (answer) answers.push({ factory: answer.factory, degraded: answer.degraded.length });
          });
          document.body.append(search);
          search.query = "how do I get rid of dead rows";
        }"""
    )
    page.wait_for_function(
        "() => answers.some((answer) => answer.factory === 'semantic' && !answer.degraded)"
    )
    first, *_, last = page.evaluate("answers")
    assert (first["degraded"], last["degraded"]) == (1, 0)
