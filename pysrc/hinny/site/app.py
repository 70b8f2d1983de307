"""The browser's side of a bundle: the built scripts, the runtime's list, and the demo page around a search.

The scripts are made by `make build` into `hinny/assets` and travel in the wheel; a checkout without them
still builds and searches on the command line.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from html import escape
from pathlib import Path

ASSETS = Path(__file__).parents[1] / "assets"
RELEASE = "release.json"


class NoApp(Exception):
    """The scripts have not been built; the message says how."""


def add_app(
    folder: Path, *, offline: bool, models: bool = False, webgpu: bool = False, assets: Path = ASSETS
) -> int:
    """Write `app/` (and `runtime/`) into a bundle's folder; the bytes of both.

    With `offline`, every file that a browser loads is copied, so that no third party is asked; with `models`,
    what runs neural models is among them, and with `webgpu` what runs them there. Raises `NoApp` when the
    scripts have not been built.
    """
    if not (assets / "app" / "hinny.js").is_file():
        raise NoApp("its scripts are not built (run `make build` in a checkout, or install a released wheel)")
    from hinny.runtime.boot_assets import write_runtime

    _copy(assets / "app", folder / "app")
    write_runtime(folder, offline=offline, models=models, webgpu=webgpu, boot=assets / "boot")
    return sum(_size(folder / name) for name in ("app", "runtime"))


def add_demo(folder: Path, source: Path, *, assets: Path = ASSETS) -> None:
    """Write the demo page and, as `site/`, a copy of the pages, so that the folder is a site of its own.

    Raises `NoApp` when the page has not been built.
    """
    if not (assets / "demo" / "index.html").is_file():
        raise NoApp("its page is not built (run `make build` in a checkout)")
    _copy(assets / "demo", folder)
    _copy(source, folder / "site")


def add_page(folder: Path, title: str, factory: str) -> None:
    """Write an `index.html` with nothing but a search over the bundle beside it."""
    name, chosen = escape(title), escape(factory, quote=True)
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{name}</title>'
        '<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'
        "<style>body{max-width:46rem;margin:2rem auto;padding:0 1rem;font-family:system-ui}</style>"
        f'<h1>{name}</h1><script type="module" src="app/hinny.js"></script>'
        f'<hinny-search bundle="./" factory="{chosen}"></hinny-search></html>\n'
    )
    (folder / "index.html").write_text(page, "utf-8")


def write_release(folder: Path) -> str:
    """Write `release.json`: all files of the folder with size and SHA-256, under one id, which is returned.

    The demo's service worker changes from one release to the next as a whole.
    """
    files = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != RELEASE:
            data = path.read_bytes()
            files.append({"path": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    listing = json.dumps(files, separators=(",", ":"))
    id = hashlib.sha256(listing.encode()).hexdigest()[:16]
    (folder / RELEASE).write_text(f'{{"id":"{id}","files":{listing}}}\n', "utf-8")
    return id


def _copy(source: Path, target: Path) -> None:
    """Copy a folder without hidden files, file by file, merging into what is there."""
    for path in sorted(source.rglob("*")):
        inside = path.relative_to(source)
        if path.is_file() and not any(part.startswith(".") for part in inside.parts):
            (target / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target / inside)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
