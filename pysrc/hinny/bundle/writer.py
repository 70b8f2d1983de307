"""Writing a bundle: beside its place first, then renamed, so that it appears whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from hinny.bundle.manifest import FORMAT, NAME, Manifest, make_part
from hinny.errors import OutputExists


def is_bundle(folder: Path) -> bool:
    """True for a folder that `hinny build` wrote, of whatever version."""
    try:
        return f'"{FORMAT}"'.encode() in (folder / NAME).read_bytes()[:4096]
    except OSError:
        return False


def check_output(out: Path, *, force: bool = False) -> None:
    """Raises `OutputExists` when `out` holds something that is not ours and may not be replaced."""
    if not out.exists():
        return
    if not out.is_dir():
        raise OutputExists(f"{out} is a file: choose a folder for the bundle")
    if force or is_bundle(out) or not any(out.iterdir()):
        return
    raise OutputExists(
        f"{out} holds files that are not a Hinny bundle: "
        "choose another folder, or replace all of it with --force"
    )


def with_parts(manifest: Manifest, parts: Mapping[str, bytes]) -> Manifest:
    """The manifest with the list of these parts."""
    return replace(manifest, parts={name: make_part(name, data) for name, data in parts.items()})


def bundle_files(manifest: Manifest, parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a bundle by their paths: what `write_bundle` writes, for a zip or for memory."""
    files = {part.file: parts[name] for name, part in manifest.parts.items()}
    files[NAME] = manifest.to_bytes()
    return files


def write_bundle(
    out: Path,
    manifest: Manifest,
    parts: Mapping[str, bytes],
    *,
    force: bool = False,
    more: Callable[[Path], None] | None = None,
) -> Manifest:
    """Write `parts` and a manifest that lists them to the folder `out`, and return that manifest.

    `more` may add files to the folder before it is put in place. Raises `OutputExists` as `check_output`
    does; whatever fails, `out` is as it was and nothing is left beside it.
    """
    check_output(out, force=force)
    out.parent.mkdir(parents=True, exist_ok=True)
    holder = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    # The holder is for its owner alone; what is put in place must be readable by a web server too.
    aside = holder / "new"
    try:
        aside.mkdir()
        manifest = with_parts(manifest, parts)
        for file, data in bundle_files(manifest, parts).items():
            path = aside / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if more is not None:
            more(aside)
        _put_in_place(aside, out, holder / "old")
    finally:
        shutil.rmtree(holder, ignore_errors=True)
    return manifest


def _put_in_place(aside: Path, out: Path, old: Path) -> None:
    if not out.exists():
        aside.replace(out)
        return
    out.replace(old)
    try:
        aside.replace(out)
    except OSError:
        old.replace(out)
        raise
