"""A folder (or a JSON Lines file) to pages, in an order that depends on nothing but the names.

Every file that could have been a page and is not is reported with its reason: nothing is left out in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from hinny.errors import BuildError
from hinny.site.encoding import is_binary
from hinny.site.html import NoText, parse_html
from hinny.site.jsonl import parse_jsonl
from hinny.site.markdown import parse_markdown
from hinny.site.sections import Page
from hinny.site.urls import MarkdownUrls, page_url

LARGEST = 16 * 2**20
"""Bytes of the largest page that is read; JSON Lines files hold many pages and have no such limit."""

_KINDS = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__"))
_POOL_FROM = 200  # pages, below which starting processes costs more than it saves


@dataclass(frozen=True, slots=True)
class Source:
    """A file that should become a page, or pages."""

    path: str
    """Relative to the site's root, with `/`."""
    file: Path
    kind: str
    url: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, page or line that was left out, and why."""

    path: str
    reason: str


def find_sources(
    root: Path,
    *,
    exclude: Sequence[str] = (),
    skip: Sequence[Path] = (),
    markdown_urls: MarkdownUrls = "folder",
) -> list[Source]:
    """The site's files in the order of their paths.

    `exclude` are patterns such as `drafts/*` for paths; `skip` are folders, such as the output, to stay out
    of. Hidden folders, `node_modules` and other Hinny bundles are never entered. Raises `BuildError` when
    there is no such file or folder.
    """
    if root.is_file():
        kind = _KINDS.get(root.suffix.lower())
        if kind is None:
            raise BuildError(f"{root} is no page: expected a folder, or a file of {', '.join(_KINDS)}")
        return [Source(root.name, root, kind, page_url(root.name, markdown_urls))]
    if not root.is_dir():
        raise BuildError(f"{root} does not exist: expected a folder of pages, or a .jsonl file")
    found = []
    avoided = {folder.resolve() for folder in skip}
    for file in _files(root, avoided):
        path = file.relative_to(root).as_posix()
        kind = _KINDS.get(file.suffix.lower())
        if kind and not any(fnmatchcase(path, pattern) for pattern in exclude):
            found.append(Source(path, file, kind, page_url(path, markdown_urls)))
    return sorted(found, key=lambda source: source.path)


def _files(folder: Path, avoided: set[Path]) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.name.startswith(".") or entry.name in _SKIPPED_FOLDERS:
            continue
        if entry.is_dir():
            inside = entry.resolve()
            if inside not in avoided and not _is_bundle(entry):
                # A link that leads back up would never end.
                yield from _files(entry, avoided | {inside})
        elif entry.is_file():
            yield entry


def _is_bundle(folder: Path) -> bool:
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        return False
    with manifest.open("rb") as file:
        return b'"hinny-bundle"' in file.read(4096)


Loaded = Page | Skipped


def load(
    sources: Sequence[Source],
    *,
    largest: int = LARGEST,
    markdown_urls: MarkdownUrls = "folder",
    workers: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Iterator[Loaded]:
    """The pages of the sources in their order, and what was skipped.

    `workers` above 1 parses in as many processes (spawned: the calling script needs its
    `if __name__ == "__main__"`). `progress` is called with each file's path when it is done.
    """
    taken: dict[str, str] = {}
    for source, answers in _parse_all(sources, largest, markdown_urls, workers):
        for answer in answers:
            if isinstance(answer, Page) and answer.url in taken:
                yield Skipped(source.path, f"same URL as {taken[answer.url]}: {answer.url}")
                continue
            if isinstance(answer, Page):
                taken[answer.url] = source.path
            yield answer
        if progress is not None:
            progress(source.path)


def _parse_all(
    sources: Sequence[Source], largest: int, urls: MarkdownUrls, workers: int
) -> Iterator[tuple[Source, list[Loaded]]]:
    if workers < 2 or len(sources) < _POOL_FROM:
        for source in sources:
            yield source, parse_source(source, largest, urls)
        return
    from concurrent.futures import ProcessPoolExecutor  # a browser has no processes
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        count = len(sources)
        answers = pool.map(parse_source, sources, [largest] * count, [urls] * count, chunksize=16)
        yield from zip(sources, answers, strict=True)


def parse_source(source: Source, largest: int = LARGEST, urls: MarkdownUrls = "folder") -> list[Loaded]:
    """What one file holds: a page, the pages of a JSON Lines file, or the reason why there is none."""
    try:
        size = source.file.stat().st_size
        if source.kind != "jsonl" and size > largest:
            return [
                Skipped(source.path, f"{size / 2**20:.0f} MiB: over the limit of {largest / 2**20:.0f} MiB")
            ]
        data = source.file.read_bytes()
    except OSError as broken:
        return [Skipped(source.path, f"cannot be read: {broken.strerror or broken}")]
    return parse_data(data, source.path, source.kind, source.url, urls)


def kind_of(path: str) -> str | None:
    """What a file's name says that it holds: `html`, `markdown` or `jsonl`; None for no page."""
    return _KINDS.get(path[path.rfind(".") :].lower()) if "." in path else None


def parse_data(data: bytes, path: str, kind: str, url: str, urls: MarkdownUrls = "folder") -> list[Loaded]:
    """What a file's bytes hold, wherever they came from; `url` is that of a page made of all of them."""
    if not data.strip():
        return [Skipped(path, "empty")]
    if is_binary(data):
        return [Skipped(path, "binary, not text")]
    if kind == "jsonl":
        return [
            Skipped(f"{path}, {name}", str(answer)) if isinstance(answer, NoText) else answer
            for name, answer in parse_jsonl(data)
        ]
    try:
        if kind == "markdown":
            return [parse_markdown(data, url, source=path, urls=urls)]
        return [parse_html(data, url)]
    except NoText as reason:
        return [Skipped(path, str(reason))]
