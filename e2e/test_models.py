"""Neural models in the worker, with the hub played by routes at its real addresses.

The site is built here: three pages, the runtime with onnxruntime-web, and a manifest that names our models
as the site's own and, under other ids, as files of two repositories of the hub.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from hinny.cli.main import main
from hinny.cli.serve import Handler
from hinny.models.embedder import TextEmbedder
from hinny.models.export import export_model
from hinny.models.pins import ModelPin, get_pin
from hinny.models.store import ModelStore
from hinny.platform.cpython import cpython_platform
from hinny.runtime.boot_assets import write_runtime

ORACLE = json.loads((Path(__file__).parents[1] / "tests" / "models" / "oracle.json").read_text("utf-8"))
HUB = "https://huggingface.co"
EMBEDDER, SMALL = "hub-minilm", "hub-overlap"
PATIENT = 120_000
"""Milliseconds: a route hands over a whole model at once, and that may take its time."""
# What docs/csp.md asks for, and the hub.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    f"connect-src 'self' {HUB}; style-src 'self'; img-src 'self' data:"
)
PAGES = {
    "vacuum": "VACUUM reclaims the space of dead rows. Run it often on tables that change a lot.",
    "index": "CREATE INDEX builds an index on a column of a table so that lookups are fast.",
    "backup": "pg_dump writes a backup of a database that can be restored later.",
}
START = """async (downloads) => {
  const { SearchClient } = await import("./app/hinny.js");
  globalThis.stages = [];
  globalThis.client = new SearchClient({ downloads });
  client.onProgress((progress) => stages.push(progress));
}"""
TRY = """async ([name, ...args]) => {
  try {
    return { value: await client[name](...args) };
  } catch (error) {
    return { kind: error.kind, name: error.name, message: error.message };
  }
}"""


def vectors_of_oracle() -> np.ndarray:
    raw = np.frombuffer(base64.b64decode(ORACLE["vectors"]), dtype="<f4")
    return raw.reshape(len(ORACLE["texts"]), -1)


def hub_pin(id: str, ours: str, like: str) -> ModelPin:
    """One of our models under a repository and revision of the hub."""
    real = get_pin(like)
    moved = {"source": "hub", "repository": real.repository, "revision": real.revision, "id": id}
    return ModelPin.from_dict({**get_pin(ours).to_dict(), **moved})


@pytest.fixture(scope="module")
def store() -> ModelStore:
    store = ModelStore()
    for id in ("minilm-l6-int8", "minilm-l6-float32", "minilm-l6-late64", "word-overlap"):
        if not store.has(store.pin(id)):
            pytest.fail(f"{id} is not built: run `make models`", pytrace=False)
    return store


@pytest.fixture(scope="module")
def pins() -> dict[str, ModelPin]:
    return {
        EMBEDDER: hub_pin(EMBEDDER, "minilm-l6-int8", "all-minilm-l6-v2"),
        SMALL: hub_pin(SMALL, "word-overlap", "ms-marco-tinybert-l2-v2"),
    }


class PolicyHandler(Handler):
    """`hinny serve`'s handler with the policy on every file: a worker keeps that of its own script."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, store: ModelStore, pins: dict[str, ModelPin]
) -> Iterator[str]:
    """A site whose bundle names models; its address."""
    source, out = tmp_path_factory.mktemp("pages"), tmp_path_factory.mktemp("site") / "search"
    for name, text in PAGES.items():
        page = f"<!doctype html><html lang=en><title>{name}</title><main><h1>{name}</h1><p>{text}</p></main>"
        (source / f"{name}.html").write_text(page, "utf-8")
    assert main(["build", str(source), "--out", str(out), "--offline", "--root", "/"]) == 0
    write_runtime(out, offline=True, models=True)
    models = {
        id: export_model(id, out, store=store)
        for id in ("minilm-l6-int8", "minilm-l6-float32", "minilm-l6-late64")
    }
    models |= {id: {**pin.to_dict(), "base": HUB} for id, pin in pins.items()}
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    (out / "manifest.json").write_text(json.dumps({**manifest, "models": models}), "utf-8")
    (out / "empty.html").write_text("<!doctype html><meta charset=utf-8><title>empty</title>", "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(PolicyHandler, directory=str(out)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class Hub:
    """Plays the hub: serves pinned files, counts requests, misbehaves when told."""

    def __init__(self, store: ModelStore, pins: dict[str, ModelPin]) -> None:
        self.requests: list[tuple[str, str | None]] = []
        self.faults: list[Callable[[Route, bytes], None]] = []
        self.files = {
            pin.url(file): store.path(file).read_bytes() for pin in pins.values() for file in pin.files
        }

    def handle(self, route: Route) -> None:
        url = route.request.url
        wanted = route.request.headers.get("range")
        self.requests.append((url, wanted))
        data = self.files.get(url, b"")
        if url.endswith(".onnx") and self.faults:
            self.faults.pop(0)(route, data)
        elif wanted:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            answer(route, data[start:], status=206, **{"content-range": f"bytes {start}-/{len(data)}"})
        else:
            answer(route, data, status=200 if data else 404)

    def graphs(self) -> list[tuple[str, str | None]]:
        """The requests for graphs."""
        return [request for request in self.requests if request[0].endswith(".onnx")]


def answer(route: Route, body: bytes, *, status: int = 200, **headers: str) -> None:
    route.fulfill(
        status=status,
        body=body,
        headers={
            "access-control-allow-origin": "*",
            "content-type": "application/octet-stream",
            **headers,
        },
    )


@pytest.fixture
def hub(context: BrowserContext, store: ModelStore, pins: dict[str, ModelPin]) -> Hub:
    hub = Hub(store, pins)
    context.route(f"{HUB}/**", hub.handle)
    return hub


def open_client(page: Page, site: str, **downloads: int) -> Page:
    page.goto(site + "empty.html")
    page.evaluate(START, downloads)
    return page


def attempt(page: Page, name: str, *args: Any) -> dict[str, Any]:
    """Call the client: its value, or its error as data."""
    result: dict[str, Any] = page.evaluate(TRY, [name, *args])
    return result


def encode(page: Page, model: str, texts: list[str], how: str = "document") -> dict[str, Any]:
    result = attempt(page, "encode", "./", {"model": model, "texts": texts, "as": how})
    assert "value" in result, result
    value: dict[str, Any] = result["value"]
    return value


def model_info(page: Page, id: str) -> dict[str, Any]:
    return next(model for model in attempt(page, "models", "./")["value"] if model["id"] == id)


def stored_models(page: Page) -> set[str]:
    files = attempt(page, "stored")["value"]
    return {file["name"] for file in files if file["kind"] == "model"}


@pytest.fixture(scope="module")
def ready(browser: Browser, site: str) -> Iterator[Page]:
    """A page with a started client, for tests that only compute."""
    context = browser.new_context()
    context.set_default_timeout(120_000)
    yield open_client(context.new_page(), site)
    context.close()


# The oracle.


def test_the_worker_tokenises_as_rust_does(ready: Page) -> None:
    assert encode(ready, "minilm-l6-float32", ORACLE["texts"])["tokens"] == ORACLE["tokens"]


def test_the_float32_graph_gives_the_same_vectors_to_1e_5(ready: Page) -> None:
    vectors = np.array(encode(ready, "minilm-l6-float32", ORACLE["texts"])["vectors"])
    np.testing.assert_allclose(vectors, vectors_of_oracle(), atol=1e-5)
    for number in (0, 3, 13, 31):
        alone = np.array(encode(ready, "minilm-l6-float32", [ORACLE["texts"][number]])["vectors"][0])
        np.testing.assert_allclose(alone, vectors[number], atol=1e-5)


def test_the_int8_graph_stays_near_and_is_the_same_alone_and_in_a_batch(ready: Page) -> None:
    together = np.array(encode(ready, "minilm-l6-int8", ORACLE["texts"])["vectors"])
    cosines = (together * vectors_of_oracle()).sum(axis=1)
    # Next to nothing (" ") is a text that no model was trained on; what people write is nearer.
    assert cosines.min() > 0.98
    assert cosines.mean() > 0.99
    # A batch is computed in another order, which now and then tips a code to its neighbour.
    for number in (0, 3, 13, 31):
        alone = np.array(encode(ready, "minilm-l6-int8", [ORACLE["texts"][number]])["vectors"][0])
        assert alone @ together[number] > 0.9999


def native(store: ModelStore, texts: list[str], how: str = "documents") -> np.ndarray:
    """What CPython gives; in a thread of its own, for Playwright has this one's event loop."""

    async def embed() -> np.ndarray:
        embedder = TextEmbedder(store.pin("minilm-l6-int8"), cpython_platform(store))
        call = embedder.embed_documents if how == "documents" else embedder.embed_queries
        vectors = await call(texts)
        await embedder.dispose()
        return vectors

    found: list[np.ndarray] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(embed())))
    thread.start()
    thread.join()
    return found[0]


def test_wasm_and_native_agree_on_the_int8_graph(ready: Page, store: ModelStore) -> None:
    theirs = np.array(encode(ready, "minilm-l6-int8", ORACLE["texts"])["vectors"])
    cosines = (theirs * native(store, ORACLE["texts"])).sum(axis=1)
    assert cosines.min() >= 0.99
    assert cosines.mean() >= 0.997


def test_the_top_ten_are_the_same_here_and_there(ready: Page, store: ModelStore) -> None:
    # Passages and questions of one subject, so that neighbours in the ranking are close.
    verbs = ["create", "drop", "rename", "back up", "restore", "inspect", "lock", "copy"]
    things = ["table", "index", "view", "schema", "role", "sequence", "trigger", "partition", "column"]
    passages = [f"How to {verb} a {thing} without stopping the server." for verb in verbs for thing in things]
    questions = [f"{verb} {thing}s safely" for verb, thing in zip(verbs, things[1:], strict=False)]
    rows = native(store, passages)
    here = native(store, questions, "queries") @ rows.T
    there = np.array(encode(ready, "minilm-l6-int8", questions, "query")["vectors"]) @ rows.T
    shared = [
        len(set(np.argsort(-a)[:10]) & set(np.argsort(-b)[:10])) for a, b in zip(here, there, strict=True)
    ]
    assert np.mean(shared) >= 9


def test_token_matrices_have_unit_rows_and_leave_punctuation_out(ready: Page) -> None:
    value = encode(ready, "minilm-l6-late64", ["Dead rows, reclaimed.", ""])
    first, empty = (np.array(matrix) for matrix in value["vectors"])
    assert first.shape == (len(value["tokens"][0]) - 2, 64)
    assert empty.shape == (2, 64)
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1, atol=1e-5)


# The store.


def model_stages(page: Page) -> list[dict[str, Any]]:
    return [stage for stage in page.evaluate("stages") if stage["stage"] == "model"]


def test_a_download_tells_its_bytes_as_they_come(page: Page, site: str) -> None:
    open_client(page, site)
    assert "value" in attempt(page, "prefetch", "./", ["minilm-l6-int8"])
    told = model_stages(page)
    assert len(told) > 5
    assert [stage["loaded"] for stage in told] == sorted(stage["loaded"] for stage in told)
    assert told[-1]["loaded"] == told[-1]["total"] == get_pin("minilm-l6-int8").bytes
    assert not any(stage["cached"] for stage in told)


def test_a_model_is_fetched_once_and_then_needs_no_network(
    context: BrowserContext, site: str, hub: Hub, pins: dict[str, ModelPin]
) -> None:
    page = open_client(context.new_page(), site, stallMs=PATIENT)
    assert model_info(page, EMBEDDER)["cached"] is False
    assert "value" in attempt(page, "prefetch", "./", [EMBEDDER])
    assert [url for url, _ in hub.requests] == [pins[EMBEDDER].url(file) for file in pins[EMBEDDER].files]
    page.close()

    hub.requests.clear()
    again = open_client(context.new_page(), site)
    again.evaluate("client.start()")
    context.set_offline(True)
    assert "offline" in attempt(again, "models", "./")["kind"]
    context.set_offline(False)
    assert model_info(again, EMBEDDER)["cached"] is True
    vector = encode(again, EMBEDDER, ["vacuum"])["vectors"][0]
    assert len(vector) == 384
    assert hub.requests == [], "a second visit asks the hub for nothing"
    assert all(stage["cached"] for stage in model_stages(again))


def test_a_flipped_byte_is_refused_with_both_hashes_and_kept_nowhere(
    page: Page, site: str, hub: Hub, pins: dict[str, ModelPin]
) -> None:
    def flip(route: Route, data: bytes) -> None:
        answer(route, bytes([data[0] ^ 1]) + data[1:])

    open_client(page, site)
    hub.faults = [flip, flip]
    failed = attempt(page, "prefetch", "./", [SMALL])
    graph = pins[SMALL].files[0]
    data = hub.files[pins[SMALL].url(graph)]
    assert failed["kind"] == "model"
    assert graph.sha256 in failed["message"]
    assert hashlib.sha256(bytes([data[0] ^ 1]) + data[1:]).hexdigest() in failed["message"]
    assert len(hub.graphs()) == 2, (
        "the browser's own cache may have held the bad copy: the hub is asked again"
    )
    assert f"{SMALL}/{graph.path}" not in stored_models(page)
    assert "value" in attempt(page, "prefetch", "./", [SMALL]), "and the next attempt works"


def test_a_copy_that_went_bad_on_the_device_is_replaced(
    page: Page, site: str, hub: Hub, pins: dict[str, ModelPin]
) -> None:
    open_client(page, site, stallMs=PATIENT)
    attempt(page, "prefetch", "./", [EMBEDDER])
    page.evaluate(
        """async (hash) => {
          const cache = await caches.open("hinny-files-1");
          const key = new URL(`/.hinny-files/${hash}`, location.origin).href;
          const old = await cache.match(key);
          const bytes = new Uint8Array(await old.arrayBuffer());
          bytes[1000] ^= 1;
          await cache.put(key, new Response(bytes, { headers: old.headers }));
        }""",
        pins[EMBEDDER].files[0].sha256,
    )
    page.reload()
    open_client(page, site, stallMs=PATIENT)
    hub.requests.clear()
    assert len(encode(page, EMBEDDER, ["vacuum"])["vectors"][0]) == 384
    assert len(hub.graphs()) == 1


def test_a_body_that_ends_early_is_taken_up_where_it_broke(page: Page, site: str, hub: Hub) -> None:
    open_client(page, site)
    hub.faults = [lambda route, data: answer(route, data[: len(data) // 2])]
    assert "value" in attempt(page, "prefetch", "./", [SMALL])
    (_, first), (url, second) = hub.graphs()
    assert first is None
    assert second == f"bytes={len(hub.files[url]) // 2}-"


def test_a_body_that_always_ends_early_is_named(page: Page, site: str, hub: Hub) -> None:
    open_client(page, site, attempts=2)
    hub.faults = [
        lambda route, data: answer(route, data[:100]),
        lambda route, _: answer(route, b"", status=206),
    ]
    failed = attempt(page, "prefetch", "./", [SMALL])
    assert "ended after 100 of" in failed["message"]
    assert stored_models(page) == set()


def test_a_stall_is_noticed(page: Page, site: str, hub: Hub) -> None:
    open_client(page, site, stallMs=300, attempts=2)
    hub.faults = [lambda _route, _data: None] * 2
    failed = attempt(page, "prefetch", "./", [SMALL])
    assert failed["kind"] == "model"
    assert "nothing came" in failed["message"]
    assert len(hub.graphs()) == 2


@pytest.mark.parametrize(
    ("fault", "words", "requests"),
    [
        (lambda route, _: answer(route, b"no", status=404), "there is no such file", 1),
        (lambda route, _: answer(route, b"no", status=403), "answered 403", 1),
        (lambda route, _: answer(route, b"no", status=503), "try again later", 2),
        (
            lambda route, _: answer(route, b"<title>Log in</title>", **{"content-type": "text/html"}),
            "a web page in place of the file",
            1,
        ),
        (lambda route, data: answer(route, data + b"!"), "bytes and more", 1),
        (lambda route, _: route.abort("connectionreset"), "cannot be fetched", 2),
    ],
    ids=["404", "403", "503", "web page", "too long", "broken"],
)
def test_every_bad_answer_has_its_own_words_and_the_search_goes_on(
    page: Page, site: str, hub: Hub, fault: Callable[[Route, bytes], None], words: str, requests: int
) -> None:
    open_client(page, site, attempts=2)
    hub.faults = [fault] * 2
    failed = attempt(page, "prefetch", "./", [SMALL])
    assert failed["kind"] == "model"
    assert words in failed["message"]
    assert len(hub.graphs()) == requests
    found = page.evaluate(
        "async () => (await (await client.open({ bundle: './' })).search({ text: 'vacuum' })).results[0].page"
    )
    assert "vacuum" in found


def test_a_host_that_recovers_is_tried_again(page: Page, site: str, hub: Hub) -> None:
    open_client(page, site)
    hub.faults = [
        lambda route, _: answer(route, b"", status=500),
        lambda route, _: answer(route, b"", status=429),
    ]
    assert "value" in attempt(page, "prefetch", "./", [SMALL])
    assert len(hub.graphs()) == 3


def test_a_device_that_is_offline_says_so(context: BrowserContext, site: str) -> None:
    page = open_client(context.new_page(), site, attempts=1)
    # The manifest has just come; then the network goes.
    context.route(f"{HUB}/**", lambda route: (context.set_offline(True), route.abort("internetdisconnected")))
    failed = attempt(page, "prefetch", "./", [SMALL])
    assert failed["kind"] == "offline"
    assert "this device is offline" in failed["message"]
    context.set_offline(False)


def test_a_download_can_be_stopped(page: Page, site: str, hub: Hub) -> None:
    open_client(page, site)
    hub.faults = [lambda _route, _data: None]
    stopped = page.evaluate(
        """async (model) => {
          const stop = new AbortController();
          setTimeout(() => stop.abort(), 300);
          return await client.prefetch("./", [model], { signal: stop.signal }).catch((error) => error.name);
        }""",
        SMALL,
    )
    assert stopped == "AbortError"
    assert stored_models(page) == set()
    assert "value" in attempt(page, "prefetch", "./", [SMALL]), "and begun again"


def test_without_room_the_model_works_and_the_reader_is_told(
    context: BrowserContext, site: str, hub: Hub
) -> None:
    page = open_client(context.new_page(), site, stallMs=PATIENT)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    origin = site[: site.index("/", 8)]
    session = context.new_cdp_session(page)
    session.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1000})
    assert len(encode(page, EMBEDDER, ["vacuum"])["vectors"][0]) == 384
    assert any("will be downloaded again" in line and "MB" in line for line in said), said
    assert f"{EMBEDDER}/model.onnx" not in stored_models(page)


def test_two_tabs_share_one_download(context: BrowserContext, site: str, hub: Hub) -> None:
    pages = [open_client(context.new_page(), site) for _ in range(2)]
    for page in pages:
        page.evaluate(f"globalThis.fetching = client.prefetch('./', ['{SMALL}'])")
    for page in pages:
        page.evaluate("fetching")
        assert f"{SMALL}/model.onnx" in stored_models(page)
    assert len(hub.graphs()) == 1


def test_models_can_be_cleared_and_a_bundle_names_its_own(page: Page, site: str, hub: Hub) -> None:
    open_client(page, site)
    attempt(page, "prefetch", "./", [SMALL])
    assert stored_models(page)
    attempt(page, "clear", "model")
    assert stored_models(page) == set()
    failed = attempt(page, "prefetch", "./", ["gpt-9"])
    assert "names no model gpt-9" in failed["message"]
    assert EMBEDDER in failed["message"]
    assert isinstance(attempt(page, "persist")["value"], bool)
