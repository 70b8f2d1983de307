"""Copies a model next to a bundle, so that a site serves it itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hinny.models.pins import ModelPin
from hinny.models.store import ModelStore

FOLDER = "models"
"""Below the bundle's folder; each model has a folder of its own in it, by id."""


def export_model(
    id: str, folder: Path | str, *, store: ModelStore | None = None, host: str | None = None
) -> dict[str, Any]:
    """The manifest entry of a model: its whole pin, and `base`, where a page finds the files.

    `host` None: a model of ours is copied to `<folder>/models/<id>/` and `base` is `models`, relative
    to the bundle; one of the hub stays there, and `base` is the hub (or the store's mirror).
    `host="site"` copies either kind, so that no third party is asked; any other `host` is a base
    URL to write down. What is copied is hashed on its way.
    """
    keep = store or ModelStore()
    pin = keep.pin(id)
    if host is None and pin.source == "hub":
        from hinny.models.pins import HUB

        host = keep.base_url or HUB
    if host is not None and host != "site":
        return {**pin.to_dict(), "base": host.rstrip("/")}
    for file in pin.files:
        target = Path(folder) / FOLDER / pin.id / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(keep.load(pin, file))
    return {**pin.to_dict(), "base": FOLDER}


def file_url(pin: ModelPin, path: str, base: str) -> str:
    """Where a page fetches a model's file: relative to the bundle when `base` is `models`."""
    if base == FOLDER:
        return f"{FOLDER}/{pin.id}/{path}"
    file = next(item for item in pin.files if item.path == path)
    return pin.url(file, base)
