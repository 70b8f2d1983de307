"""The worker and the reader's own files by meaning: read in the background, kept, served elsewhere."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from factory_support import MODELS, RERANKER, factory_site, ids, lost
from hinny.cli.serve import make_server, page_for

PAGES = {
    "animals.md": "# Mules\n\nIts father is a donkey and its mother a mare.\n\n"
    "## Teeth\n\nA vet rasps the molars once a year.\n\n## Hooves\n\nA farrier trims them every six weeks.\n",
    "kitchen.md": "# Bread\n\nKnead the dough for ten minutes and let it rise overnight.\n\n"
    "## Soup\n\nBoil carrots, leek and celery for an hour.\n",
    "money.md": "# Taxes\n\nSend the yearly declaration to the revenue office before the end of May.\n",
}
ASK = {"text": "dentist", "limit": 3}
OPEN = """async (pages) => {
  const { SearchClient } = await import("./app/hinny.js");
  globalThis.client = new SearchClient();
  globalThis.changes = [];
  client.onChange((change) => changes.push(change));
  const encode = (text) => new TextEncoder().encode(text);
  const files = Object.entries(pages).map(([path, text]) => ({ path, bytes: encode(text) }));
  globalThis.own = await client.buildOwn(files, "Notes");
  globalThis.session = await client.openOwn(own.zip, { bundle: "own:1" });
  return session.info.factories.map(({ available }) => available);
}"""
EMBED = """async ({ factory, ask }) => {
  globalThis.progress = [];
  globalThis.meanwhile = [];
  const onProgress = (step) => {
    progress.push(step);
    if (!step.done || meanwhile.length) return;
    meanwhile.push(session.search(ask).then(({ results }) => [results.length, progress.length]));
  };
  globalThis.made = await client.embedOwn(session, { factory, models: "./" }, { onProgress });
  return [made.info.factories.map(({ available }) => available), await Promise.all(meanwhile)];
}"""
SEARCH = "(request) => session.search(request)"
READY = "(factory) => changes.some((change) => change.factory === factory && change.state === 'ready')"
ZIP = """async (make) => {
  const bytes = make === "export" ? await client.exportOwn(made.zip) : made.zip;
  let text = "";
  for (let start = 0; start < bytes.length; start += 32768)
    text += String.fromCharCode(...bytes.subarray(start, start + 32768));
  return btoa(text);
}"""
REOPEN = """async (factory) => {
  await session.close();
  changes.length = 0;
  session = await client.openOwn(made.zip, { bundle: "own:1" });
  await session.prepare(factory);
  return session.info.factories.map((factory) => factory.models.map(({ cached }) => cached));
}"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str]) -> str:
    return serve(factory_site(tmp_path_factory))


def fetched(page: Page) -> list[str]:
    """What was asked of the server from now on."""
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url))
    return asked


def unpack(page: Page, make: str, folder: Path) -> dict[str, Any]:
    """A zip of the page's in a folder; its manifest."""
    with zipfile.ZipFile(BytesIO(base64.b64decode(page.evaluate(ZIP, make)))) as archive:
        archive.extractall(folder)
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text("utf-8"))
    return manifest


def test_words_answer_while_sections_are_encoded_then_meaning_then_elsewhere(
    page: Page, url: str, tmp_path: Path
) -> None:
    page.goto(url + "empty.html")
    assert page.evaluate(OPEN, PAGES) == [True, False, False, False]
    request = {**ASK, "factory": "three-source"}
    before = page.evaluate(SEARCH, request)
    assert (before["factory"], ids(before)) == ("lexical-only", [])
    available, meanwhile = page.evaluate(EMBED, {"factory": "three-source", "ask": {"text": "carrots"}})
    assert available == [True, True, True, True]
    # six sections by two models; a search that was asked after the first batch was answered before the end
    steps = page.evaluate("progress")
    assert [step["done"] for step in steps] == sorted(step["done"] for step in steps)
    assert {step["model"] for step in steps} == set(MODELS.values())
    assert steps[-1] == {"stage": "sections", "model": MODELS["tokens"], "done": 12, "total": 12}
    ((found, seen),) = meanwhile
    assert found == 1
    assert seen < len(steps)

    page.wait_for_function(READY, arg="three-source")
    after = page.evaluate(SEARCH, request)
    assert lost(after) == []
    assert ids(after)[0] == "animals.md#teeth"

    asked = fetched(page)
    assert page.evaluate(REOPEN, "three-source") == [[], [True], [True, True], [True, True, True]]
    page.wait_for_function(READY, arg="three-source")
    assert ids(page.evaluate(SEARCH, request)) == ids(after)
    assert asked == []

    kept = unpack(page, "kept", tmp_path / "kept")
    assert {entry["base"] for entry in kept["models"].values()} == {url + "models"}
    manifest = unpack(page, "export", tmp_path / "export")
    assert set(manifest["models"]) == {*MODELS.values(), RERANKER}
    assert {entry["base"] for entry in manifest["models"].values()} == {"models"}
    command = [sys.executable, "-m", "hinny", "search", str(tmp_path / "export"), ASK["text"], "--json"]
    # An empty store: the models come from the export.
    done = subprocess.run(
        [*map(str, command), "--factory", "three-source", "--limit", "3"],
        env={**os.environ, "HINNY_MODELS": str(tmp_path / "none"), "HINNY_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["degraded"] == []
    assert ids(answer)[0] == "animals.md#teeth"

    # `hinny serve` gives it a page.
    made = tmp_path / "page"
    made.mkdir()
    server = make_server(tmp_path / "export", page=page_for(tmp_path / "export", made))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        elsewhere = page.context.new_page()
        elsewhere.goto(f"http://127.0.0.1:{server.server_address[1]}/")
        elsewhere.locator("hinny-search input").fill(ASK["text"])
        expect(elsewhere.locator("hinny-search a").first).to_contain_text("Teeth", timeout=90_000)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_given_up_it_leaves_the_words_and_can_be_begun_again(page: Page, url: str) -> None:
    page.goto(url + "empty.html")
    page.evaluate(OPEN, PAGES)
    ended = page.evaluate(
        """async () => {
          const stop = new AbortController();
          const options = { signal: stop.signal, onProgress: () => stop.abort() };
          const embedding = client.embedOwn(session, { factory: "semantic", models: "./" }, options);
          return await embedding.then(() => "done", (error) => error.name);
        }"""
    )
    assert ended == "AbortError"
    assert ids(page.evaluate(SEARCH, {"text": "carrots"})) == ["kitchen.md#soup"]
    available, _ = page.evaluate(EMBED, {"factory": "semantic", "ask": {"text": "carrots"}})
    assert available == [True, False, True, False]
    page.wait_for_function(READY, arg="semantic")
    answer = page.evaluate(SEARCH, {**ASK, "factory": "semantic"})
    assert (ids(answer)[0], lost(answer)) == ("animals.md#teeth", [])


def test_a_model_that_cannot_be_fetched_is_said_and_the_words_stay(page: Page, url: str) -> None:
    page.context.route("**/models/**/model.onnx", lambda route: route.fulfill(status=404))
    page.goto(url + "empty.html")
    page.evaluate(OPEN, PAGES)
    failed = page.evaluate(
        """() => client.embedOwn(session, { factory: "tiny", models: "./" })
          .then(() => null, ({ kind, message }) => ({ kind, message }))"""
    )
    assert failed["kind"] == "model"
    assert "404" in failed["message"]
    assert ids(page.evaluate(SEARCH, {"text": "carrots"})) == ["kitchen.md#soup"]
