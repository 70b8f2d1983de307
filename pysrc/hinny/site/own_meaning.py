"""The reader's own files by meaning: their bundle and a site's models to one with vectors and tokens.

The models' entries come from the site's manifest and say where the files are: at the site, by an absolute
URL, as long as the bundle stays on this device; beside the bundle, once it is exported with them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from hinny.bundle.manifest import NAME, Manifest
from hinny.bundle.reader import BundleReader
from hinny.bundle.storage import MappingStorage
from hinny.bundle.writer import bundle_files, with_parts
from hinny.errors import InvalidOption
from hinny.models.encoders import manifest_pin
from hinny.site.factories import (
    FACTORIES,
    HOSTED,
    KIND_OF,
    LEXICAL_ONLY,
    PARTS_OF,
    RERANK,
    SOURCES_OF,
    check_factory,
    model_of,
    reranker_of,
)
from hinny.site.neural import Pause, encode_site
from hinny.site.own import pack_files
from hinny.site.store import SectionStore, section_texts

if TYPE_CHECKING:
    from hinny.models.pins import ModelPin
    from hinny.platform.base import Platform

ReadModel = Callable[[str, str], Awaitable[bytes]]
"""From a model's id and a file's role to the file's checked bytes."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The bundle's files as one zip; by model, how many sections were longer than it takes."""

    zip: bytes
    truncated: dict[str, int]


async def add_meaning(
    storage: MappingStorage,
    factory: str,
    models: Mapping[str, Any],
    base: str,
    platform: Platform,
    *,
    progress: Callable[[dict[str, Any]], Any] | None = None,
    batch_tokens: int | None = None,
    pause: Pause | None = None,
) -> Embedded:
    """Encode what the factory searches by and is not there yet.

    `models` are those of the site's manifest, `base` is its bundle's absolute URL. `progress` is told
    EmbedProgress (worker/src/api.ts). Raises `InvalidOption` for words alone and for a factory whose models
    the site does not name, and `ModelError` and its descendants.
    """
    if check_factory(factory) == LEXICAL_ONLY:
        raise InvalidOption("factory", factory, f"one of {', '.join(SOURCES_OF)}: words need no model")
    reader = await BundleReader.open(storage)
    manifest, found = reader.manifest, {name: await reader.read(name) for name in reader.names}
    entries = _entries(factory, models, base)
    missing = {
        source: manifest_pin(models, id)
        for source, id in entries.items()
        if not _is_there(source, id, models, manifest)
    }
    store = await SectionStore.open(reader)
    rows = range(len(store))
    texts = await section_texts(store, rows)
    documents = {store.entry(row).id: text for row, text in zip(rows, texts, strict=True)}
    encoded = await encode_site(
        documents,
        missing,
        platform,
        progress=None if progress is None else _teller(progress, missing, len(documents)),
        batch_tokens=batch_tokens,
        pause=pause,
    )
    kept = {
        name: data
        for name, data in found.items()
        if not any(name.startswith(f"{PARTS_OF[source]}/") for source in missing)
    }
    reranker = reranker_of(factory, models)
    if reranker is not None:
        entries[RERANK] = reranker
    named = {id: entry for id, entry in manifest.models.items() if entry.get("serves") not in entries}
    named |= {id: _entry(models[id], base) for id in entries.values()}
    richest = max(factory, manifest.factory, key=FACTORIES.index)
    parts = kept | encoded.parts
    made = with_parts(replace(manifest, factory=richest, models=dict(sorted(named.items()))), parts)
    return Embedded(pack_files(bundle_files(made, parts)), encoded.truncated)


async def with_models(storage: MappingStorage, read: ReadModel) -> bytes:
    """The bundle's zip with the files of its models in `models/`: it needs no other place any more."""
    manifest = Manifest.from_bytes(storage.files[NAME], NAME)
    files = dict(storage.files)
    for id in manifest.models:
        for file in manifest_pin(manifest.models, id).files:
            files[f"{HOSTED}/{id}/{file.path}"] = await read(id, file.role)
    named = {id: {**entry, "base": HOSTED} for id, entry in manifest.models.items()}
    files[NAME] = replace(manifest, models=named).to_bytes()
    return pack_files(files)


def _entries(factory: str, models: Mapping[str, Any], base: str) -> dict[str, str]:
    """The site's model of each source."""
    found = {}
    for source in SOURCES_OF[factory]:
        id = model_of(source, models)
        if id is None:
            raise InvalidOption(
                "factory", factory, f"one that {base} serves: it names no {KIND_OF[source]} model"
            )
        found[source] = id
    return found


def _entry(entry: Mapping[str, Any], base: str) -> dict[str, Any]:
    """A model's entry, its files found from anywhere."""
    # What a site hosts lies there by the model's id, wherever it came from.
    hosted = {"source": "site"} if entry["base"] == HOSTED else {}
    return {**entry, **hosted, "base": urljoin(base, str(entry["base"]))}


def _is_there(source: str, id: str, models: Mapping[str, Any], manifest: Manifest) -> bool:
    """Whether the bundle holds what this very model made for a source."""
    mine = model_of(source, manifest.models)
    return (
        mine is not None
        and manifest.models[mine].get("fingerprint") == models[id].get("fingerprint")
        and any(name.startswith(f"{PARTS_OF[source]}/") for name in manifest.parts)
    )


def _teller(
    progress: Callable[[dict[str, Any]], Any], pins: Mapping[str, ModelPin], sections: int
) -> Callable[[str, int, int], None]:
    order = [pin.id for pin in pins.values()]

    def tell(model: str, done: int, total: int) -> None:
        before = order.index(model) * sections
        progress(
            {
                "stage": "sections" if done else "model",
                "model": model,
                "done": before + done,
                "total": len(order) * sections,
            }
        )

    return tell
