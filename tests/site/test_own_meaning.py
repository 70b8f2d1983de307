"""A reader's own files by meaning: encoded by a site's models, kept, opened again, exported."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from dataclasses import replace
from typing import Any

import pytest

from hinny.bundle.reader import BundleReader, Parts
from hinny.bundle.storage import MappingStorage
from hinny.errors import InvalidOption
from hinny.factories import texts_by_id
from hinny.site.build import build_parts
from hinny.site.neural import encode_site, manifest_entry
from hinny.site.own import build_own, open_zip
from hinny.site.own_meaning import Embedded, add_meaning, with_models
from hinny.site.search import SiteSearch
from hinny.site.store import SectionStore, section_texts
from site_models import WordRuntime, open_neural, word_pins, word_platform
from site_pages import make_pages
from support import run

BASE = "https://example.org/search/"
PINS = word_pins("vector", "tokens", "rerank")
MODELS = {pin.id: manifest_entry(pin, source, "models") for source, pin in PINS.items()}
FILES = [
    ("mules.md", b"# Mules\n\nIts father is a donkey.\n\n## Chapter 2. Teeth\n\nRasp the teeth yearly.\n"),
    (
        "care.html",
        b"<title>Care</title><h1>Care</h1><p>Hay twice a day.</p><h2 id=h>Hooves</h2><p>Trim them.</p>",
    ),
]


def own_storage() -> MappingStorage:
    return open_zip(build_own(FILES, title="Notes").zip)


async def embedded(storage: MappingStorage, factory: str, **options: Any) -> Embedded:
    return await add_meaning(storage, factory, MODELS, BASE, word_platform(), **options)


async def opened(made: Embedded, runtime: WordRuntime | None = None) -> SiteSearch:
    return await open_neural(await BundleReader.open(open_zip(made.zip)), runtime)


def manifest_of(zip: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(zip)) as archive:
        found: dict[str, Any] = json.loads(archive.read("manifest.json"))
        return found


def test_a_model_reads_from_an_opened_bundle_what_it_reads_when_one_is_built() -> None:
    async def read() -> tuple[list[str], list[str]]:
        built = build_parts(make_pages())
        store = await SectionStore.open(Parts(built.parts))
        return await section_texts(store, range(len(store))), list(texts_by_id(built.documents).values())

    again, indexed = run(read())
    assert again == indexed


@pytest.mark.parametrize("factory", ["tiny", "semantic", "three-source"])
def test_own_files_are_found_by_meaning_and_open_again_without_being_encoded(factory: str) -> None:
    async def journey() -> tuple[dict[str, Any], WordRuntime, int]:
        made = await embedded(own_storage(), factory)
        runtime = WordRuntime()
        search = await opened(made, runtime)
        await search.ready(factory)
        before = runtime.runs
        return await search.search({"text": "dentist", "factory": factory}), runtime, before

    answer, runtime, before = run(journey())
    assert (answer["factory"], answer["degraded"]) == (factory, [])
    assert answer["results"][0]["id"] == "mules.md#chapter-2-teeth"
    # only the query went through the models
    assert runtime.runs - before <= 3


def test_the_models_are_named_as_the_site_has_them() -> None:
    async def journey() -> dict[str, Any]:
        return manifest_of((await embedded(own_storage(), "semantic")).zip)

    manifest = run(journey())
    assert manifest["factory"] == "semantic"
    vector, rerank = (manifest["models"][f"words-{name}"] for name in ("vector", "rerank"))
    assert vector["base"] == rerank["base"] == "https://example.org/search/models"
    assert (vector["serves"], rerank["serves"]) == ("vector", "rerank")
    assert vector["fingerprint"] == PINS["vector"].fingerprint()


def test_what_is_there_is_not_encoded_again_and_another_model_replaces_it() -> None:
    async def journey() -> None:
        runtime = WordRuntime()

        async def add(storage: MappingStorage, factory: str, models: Any) -> Embedded:
            return await add_meaning(storage, factory, models, BASE, word_platform(runtime))

        first = await add(own_storage(), "semantic", MODELS)
        ran = runtime.runs
        both = await add(open_zip(first.zip), "three-source", MODELS)
        # as many batches for the tokens as there were for the vectors, and none for the vectors
        assert runtime.runs == 2 * ran
        assert both.truncated.keys() == {"words-tokens"}
        manifest = manifest_of(both.zip)
        assert (manifest["factory"], len(manifest["models"])) == ("three-source", 3)
        again = await add(open_zip(both.zip), "tiny", MODELS)
        assert (runtime.runs, again.truncated) == (2 * ran, {})
        assert again.zip == both.zip
        other = word_pins("vector", document_length=16)["vector"]
        judge = replace(PINS["rerank"], id="another-rerank")
        changed = {
            other.id: manifest_entry(other, "vector", "models"),
            judge.id: manifest_entry(judge, "rerank", "models"),
        }
        renewed = await add(open_zip(both.zip), "semantic", changed)
        assert runtime.runs == 3 * ran
        entries = manifest_of(renewed.zip)["models"]
        assert entries["words-vector"]["fingerprint"] == other.fingerprint()
        assert entries["words-tokens"]["fingerprint"] == PINS["tokens"].fingerprint()
        assert entries.keys() == {"words-vector", "words-tokens", "another-rerank"}

    run(journey())


def test_progress_counts_the_sections_of_all_models_and_pauses_are_left() -> None:
    told: list[dict[str, Any]] = []
    pauses: list[int] = []

    async def pause() -> None:
        pauses.append(len(told))

    run(embedded(own_storage(), "three-source", progress=told.append, batch_tokens=1, pause=pause))
    expected = [
        {"stage": "sections" if done else "model", "model": model, "done": start + done, "total": 8}
        for start, model in ((0, "words-vector"), (4, "words-tokens"))
        for done in range(5)
    ]
    assert told == expected
    # before each model, after its tokens, after each of four batches
    assert len(pauses) == 2 * (1 + 1 + 4)


def test_it_can_be_given_up_and_the_bundle_is_as_it_was() -> None:
    async def journey() -> None:
        storage = own_storage()
        files = dict(storage.files)
        reached = asyncio.Event()

        async def pause() -> None:
            reached.set()
            await asyncio.sleep(0)

        task = asyncio.ensure_future(embedded(storage, "tiny", batch_tokens=1, pause=pause))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert storage.files == files

    run(journey())


def test_the_export_holds_the_models_and_names_no_other_place() -> None:
    async def journey() -> tuple[dict[str, Any], list[str], dict[str, Any]]:
        made = await embedded(own_storage(), "tiny")
        asked = []

        async def read(id: str, role: str) -> bytes:
            asked.append(f"{id} {role}")
            return f"{id}/{role}".encode()

        exported = await with_models(open_zip(made.zip), read)
        search = await opened(Embedded(exported, {}))
        await search.ready("tiny")
        return manifest_of(exported), asked, await search.search({"text": "dentist", "factory": "tiny"})

    manifest, asked, answer = run(journey())
    (entry,) = manifest["models"].values()
    assert (entry["base"], entry["id"]) == ("models", "words-tokens")
    assert asked == ["words-tokens graph", "words-tokens tokenizer"]
    assert answer["results"][0]["id"] == "mules.md#chapter-2-teeth"


def test_words_and_models_that_the_site_lacks_are_refused() -> None:
    with pytest.raises(InvalidOption, match="words need no model"):
        run(embedded(own_storage(), "lexical-only"))
    with pytest.raises(InvalidOption, match="names no embedder model"):
        run(add_meaning(own_storage(), "semantic", {}, BASE, word_platform()))


def test_the_parts_are_those_of_a_site_that_was_built() -> None:
    async def parts() -> tuple[bytes, bytes]:
        storage = own_storage()
        made = open_zip((await embedded(storage, "semantic")).zip)
        reader = await BundleReader.open(made)
        store = await SectionStore.open(reader)
        rows = range(len(store))
        texts = await section_texts(store, rows)
        documents = {store.entry(row).id: text for row, text in zip(rows, texts, strict=True)}
        encoded = await encode_site(documents, {"vector": PINS["vector"]}, word_platform())
        return encoded.parts["vectors/codes"], await reader.read("vectors/codes")

    built, own = run(parts())
    assert built == own
