"""Pagefind's index of some documents: one page a document, indexed by its own program from npm."""

from __future__ import annotations

import gzip
import html
import json
import platform
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.rivals_npm import RIVALS

ABOUT: dict[str, Any] = {
    "package": "pagefind",
    "module": "/lexical-pagefind.js",
    "setup": (
        "its own program over one HTML page a document (title as h1, headings as h2), its own client and "
        "worker, ids without page texts; phrases in quotation marks; files come from a server on the same "
        "machine. It finds pages that have all words, and has no typo search"
    ),
    "modes": ["plain", "typing", "phrase"],
}
_MARK = b"pagefind_dcd"
_SYSTEMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "windows"}
_PROCESSORS = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def version() -> str:
    """Of the installed package."""
    found: dict[str, str] = json.loads((RIVALS / "node_modules" / "pagefind" / "package.json").read_text())
    return found["version"]


def program() -> Path:
    """The program. Raises `FileNotFoundError` where npm has none for this machine."""
    name = f"{_SYSTEMS.get(platform.system())}-{_PROCESSORS.get(platform.machine())}"
    folder = RIVALS / "node_modules" / "@pagefind" / name / "bin"
    for file in ("pagefind_extended", "pagefind_extended.exe"):
        if (folder / file).is_file():
            return folder / file
    raise FileNotFoundError(f"pagefind has no program for {name}")


def page(document: Mapping[str, str], language: str = "en") -> str:
    """A document as a page."""
    title, headings, text = (html.escape(document.get(name, "")) for name in ("title", "headings", "text"))
    below = f"<h2>{headings}</h2>" if headings else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><main><h1>{title}</h1>{below}<p>{text}</p></main></body></html>"
    )


def build(
    documents: Sequence[Mapping[str, str]],
    out: Path,
    base: str,
    language: str = "en",
    *,
    timeout_s: float = 300.0,
) -> dict[str, Any]:
    """Index into `out`; what took how long, its bytes, and `data`, what the client's adapter is told.

    `gz` counts the index that questions read, without the pages' texts, `engine_gz` client and wasm.
    """
    with tempfile.TemporaryDirectory(prefix="hinny-pages-") as name:
        site = Path(name)
        for row, document in enumerate(documents):
            (site / f"{row}.html").write_text(page(document, language), encoding="utf-8")
        began = perf_counter()
        command = [str(program()), "--site", str(site), "--output-path", str(out)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
        except subprocess.TimeoutExpired:
            raise RuntimeError(f"pagefind: not built within {timeout_s:.0f} s") from None
        took = (perf_counter() - began) * 1000
    if done.returncode:
        raise RuntimeError(f"pagefind: {(done.stderr or done.stdout).strip()[-500:]}")
    pages = {}
    for file in (out / "fragment").glob("*.pf_fragment"):
        content = json.loads(gzip.decompress(file.read_bytes()).removeprefix(_MARK))
        pages[file.stem] = documents[int(Path(content["url"]).stem)]["id"]
    files = [*(out / "index").iterdir(), *out.glob("*.pf_meta")]
    size = sum(file.stat().st_size for file in files)
    client = [out / "pagefind.js", out / "pagefind-worker.js"]
    return {
        "data": json.dumps({"base": base, "documents": pages}),
        "build_ms": took,
        "gz": size,
        "raw": size,
        "files": len(files),
        "engine_gz": sum(len(gzip.compress(file.read_bytes(), 9, mtime=0)) for file in client)
        + _wasm(out, language).stat().st_size,
    }


def _wasm(out: Path, language: str) -> Path:
    """The client's wasm: a language with no stemmer shares one."""
    own = out / f"wasm.{language}.pagefind"
    return own if own.exists() else out / "wasm.unknown.pagefind"
