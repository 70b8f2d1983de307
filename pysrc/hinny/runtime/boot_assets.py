"""What the worker needs that is made, not written: the start snapshot, and `runtime.json`.

`make build` puts into `hinny/assets/boot/` the snapshot of a started interpreter (numpy and Hinny imported),
packed by Zstandard, the decoder that unpacks it, the shared libraries it needs, and a copy of
`pyodide.asm.js`. `write_runtime` writes an output folder's `app/runtime.json`, which lists every file with
URL, size and SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from hinny import __version__
from hinny.errors import RuntimeFileError
from hinny.runtime import core_archive
from hinny.runtime.fetch import fetch, runtime_file
from hinny.runtime.lock import RuntimeFile, load_lock

ASSETS = core_archive.PACKAGE / "assets"
BOOT = ASSETS / "boot"
_WORKER = core_archive.PACKAGE.parents[1] / "worker"

_LEVEL = 19
_WINDOW_LOG = 25

_LOGICAL = {
    "pyodide.asm.js": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
    "numpy.whl": "numpy-",
    "snowballstemmer.whl": "snowballstemmer-",
}
"""Name in runtime.json -> how the locked file's name starts."""

_READERS = {
    "justhtml.whl": "justhtml-",
    "markdown_it_py.whl": "markdown_it_py-",
    "mdit_py_plugins.whl": "mdit_py_plugins-",
    "mdurl.whl": "mdurl-",
    "ruamel_yaml.whl": "ruamel_yaml-",
}
"""What reads HTML and Markdown: fetched only when a reader's own files are indexed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file's line in runtime.json."""

    url: str
    bytes: int
    sha256: str
    type: str


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _packed(snapshot: bytes) -> bytes:
    """The snapshot as one Zstandard frame: much recurs megabytes later, out of reach of gzip's window."""
    import zstandard

    parameters = zstandard.ZstdCompressionParameters.from_level(_LEVEL, window_log=_WINDOW_LOG)
    return zstandard.ZstdCompressor(compression_params=parameters).compress(snapshot)


def make_boot(out: Path = BOOT, *, timeout: float = 300.0) -> dict[str, int]:
    """Make the snapshot with Node and write it to `out`, replacing what was there; sizes by file name.

    Needs the built tools (`npm run build`) and the locked core files, which are fetched when missing.
    """
    fetch(["core"])
    with tempfile.TemporaryDirectory(prefix="hinny-boot-") as folder:
        work = Path(folder)
        paths = {name: str(runtime_file(prefix)) for name, prefix in _LOGICAL.items()}
        # Node tells a module from a script by the file's ending and folder.
        loader = work / "pyodide.asm.js"
        shutil.copyfile(paths["pyodide.asm.js"], loader)
        paths["pyodide.asm.js"] = str(loader)
        core = work / "hinny-core.zip"
        core.write_bytes(core_archive.build())
        paths["hinny-core.zip"] = str(core)
        made_with = {name: _sha256(Path(path).read_bytes()) for name, path in sorted(paths.items())}
        task = json.dumps({"paths": paths, "madeWith": made_with, "out": str(work)})
        done = subprocess.run(
            ["node", str(_WORKER / "tools" / "make-boot.mjs"), task],
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        if done.returncode:
            raise RuntimeFileError("the start snapshot", [done.stderr.strip()[-2000:]])
        libraries: list[str] = json.loads(done.stdout.splitlines()[-1])["libraries"]
        # No `.zst`: a server might take that for an encoding, and undo it.
        files = {"snapshot.bin": _packed((work / "snapshot.bin").read_bytes())}
        files["pyodide.asm.js"] = loader.read_bytes()
        files |= {f"{name}.wasm": (work / f"{name}.wasm").read_bytes() for name in ["zstd", *libraries]}
        listing = {
            "hinny": __version__,
            "madeWith": made_with,
            "snapshot": "snapshot.bin",
            "unpacker": "zstd.wasm",
            "libraries": [f"{name}.wasm" for name in libraries],
            "files": {name: {"bytes": len(data), "sha256": _sha256(data)} for name, data in files.items()},
        }
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        for name, data in files.items():
            (out / name).write_bytes(data)
        (out / "boot.json").write_text(json.dumps(listing, indent=1) + "\n")
    return {name: len(data) for name, data in files.items()}


def _hashed(name: str, sha256: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return f"{stem}.{sha256[:16]}{dot}{ending}"


def _local(data: bytes, name: str, type_: str, folder: Path, prefix: str) -> Entry:
    """Write the file under a name that carries its hash."""
    digest = _sha256(data)
    target = _hashed(name, digest)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / target).write_bytes(data)
    return Entry(f"{prefix}{target}", len(data), digest, type_)


def _locked(name: str, file: RuntimeFile, out: Path, *, offline: bool) -> Entry:
    # Scripts always come from the site itself, so that a policy of script-src 'self' is enough.
    if offline or file.url is None or file.type == "text/javascript":
        return _local(runtime_file(file.name).read_bytes(), name, file.type, out / "runtime", "../runtime/")
    return Entry(file.url, file.bytes, file.sha256, file.type)


def _boot_is_ours(listing: Mapping[str, object], core: bytes) -> bool:
    made_with = listing.get("madeWith")
    return isinstance(made_with, dict) and made_with.get("hinny-core.zip") == _sha256(core)


def write_runtime(
    out: Path, *, offline: bool, models: bool = False, webgpu: bool = False, boot: Path = BOOT
) -> dict[str, Entry]:
    """Write `out`/app/runtime.json and the files that it names; its entries by logical name.

    With `offline` every file is copied to `out`/runtime, so that no third party is ever asked; without, the
    large ones keep the addresses of the lock. `models` adds onnxruntime-web and the tokeniser, `webgpu` the
    build that runs them on WebGPU where a page asks for it. Files are fetched when the cache lacks them.
    """
    lock = load_lock()
    entries = {
        name: _locked(name, lock.find(prefix), out, offline=offline)
        for name, prefix in (_LOGICAL | _READERS).items()
    }
    groups = [name for name, wanted in (("onnx", models), ("webgpu", webgpu)) if wanted]
    for file in lock.of(groups):
        entries[file.name] = _locked(file.name, file, out, offline=offline)
    core = core_archive.build()
    entries["hinny-core.zip"] = _local(core, "hinny-core.zip", "application/zip", out / "app", "")
    ready = None
    if (boot / "boot.json").exists():
        listing = json.loads((boot / "boot.json").read_text())
        if _boot_is_ours(listing, core):
            for name in [listing["snapshot"], listing["unpacker"], *listing["libraries"]]:
                type_ = "application/wasm" if name.endswith(".wasm") else "application/octet-stream"
                data = (boot / name).read_bytes()
                entries[name] = _local(data, name, type_, out / "runtime", "../runtime/")
            ready = {name: listing[name] for name in ("snapshot", "unpacker", "libraries")}
    manifest = {
        "format": "hinny-runtime",
        "version": 1,
        "hinny": __version__,
        **{key: lock.versions[key] for key in ("pyodide", "python")},
        "files": {name: asdict(entry) for name, entry in sorted(entries.items())},
        "boot": ready,
    }
    (out / "app").mkdir(parents=True, exist_ok=True)
    (out / "app" / "runtime.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return entries


def main() -> int:
    """`python -m hinny.runtime.boot_assets`: make the snapshot into the package's assets."""
    import sys

    for name, size in make_boot().items():
        sys.stdout.write(f"{size:>10} {name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
