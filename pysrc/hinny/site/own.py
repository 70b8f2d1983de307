"""The reader's own files to a bundle, in memory: what the page does with a dropped folder, zip or file.

The same readers, index and writer as `hinny build`; only where the bytes come from and go to differs.
Beside HTML, Markdown and JSON Lines, plain text is read here: nobody drops it by mistake.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from hinny.bundle.manifest import NAME, Manifest
from hinny.bundle.storage import MappingStorage
from hinny.bundle.writer import bundle_files, with_parts
from hinny.errors import BundleError, NothingIndexed
from hinny.site.build import build_parts
from hinny.site.encoding import decode, is_binary
from hinny.site.loaders import Loaded, Skipped, kind_of, parse_data
from hinny.site.sections import Page, Section
from hinny.site.urls import page_url

TEXT = (".txt", ".text", ".rst")
_LONGEST_TEXT = 2000  # characters of a section of plain text: about what a passage of a manual has
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class OwnBundle:
    """A bundle's files as one zip, its manifest, and what was left out."""

    zip: bytes
    manifest: Manifest
    skipped: tuple[Skipped, ...]


def build_own(
    files: Iterable[tuple[str, bytes]],
    *,
    title: str,
    language: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> OwnBundle:
    """Index files given as path and bytes. The same files in the same order give the same bytes.

    `progress` is called with the number of files that are read. Raises `NothingIndexed`, with the first
    reasons, when no file holds a page.
    """
    pages: list[Page] = []
    skipped: list[Skipped] = []
    taken: dict[str, str] = {}
    for done, (path, data) in enumerate(files, 1):
        for answer in _read(path, data):
            if isinstance(answer, Skipped):
                skipped.append(answer)
            elif answer.url in taken:
                skipped.append(Skipped(path, f"same URL as {taken[answer.url]}: {answer.url}"))
            else:
                taken[answer.url] = path
                pages.append(answer)
        if progress is not None:
            progress(done)
    if not pages:
        why = ", ".join(f"{item.path}: {item.reason}" for item in skipped[:3])
        raise NothingIndexed(f"nothing to index ({why or 'no files'})")
    built = build_parts(pages, title=title, root="./", language=language)
    manifest = with_parts(built.manifest, built.parts)
    return OwnBundle(pack_files(bundle_files(manifest, built.parts)), manifest, tuple(skipped))


def _read(path: str, data: bytes) -> list[Loaded]:
    kind = kind_of(path)
    url = page_url(path, "source")
    if kind is not None:
        return parse_data(data, path, kind, url, "source")
    if not path.lower().endswith(TEXT):
        return [Skipped(path, "not HTML, Markdown, JSON Lines or text")]
    if not data.strip():
        return [Skipped(path, "empty")]
    if is_binary(data):
        return [Skipped(path, "binary, not text")]
    return [_text_page(path, url, data)]


def _text_page(path: str, url: str, data: bytes) -> Page:
    """Plain text has no headings: the file's name is its title, and paragraphs are gathered to passages."""
    text, problem = decode(data)
    name = path.rpartition("/")[2]
    sections = tuple(
        Section(url, url, name, (), passage, copy=number) for number, passage in enumerate(_passages(text), 1)
    )
    return Page(url, name, sections, problems=(problem,) if problem else ())


def _passages(text: str) -> Iterator[str]:
    gathered: list[str] = []
    size = 0
    for paragraph in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n\n"):
        words = " ".join(paragraph.split())
        if gathered and size + len(words) > _LONGEST_TEXT:
            yield "\n".join(gathered)
            gathered, size = [], 0
        if words:
            gathered.append(words)
            size += len(words)
    if gathered:
        yield "\n".join(gathered)


def pack_files(files: Mapping[str, bytes]) -> bytes:
    """A zip whose bytes depend on nothing but the files. They are compressed already, so they are stored."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, files[name])
    return out.getvalue()


def open_zip(data: bytes, place: str = "your files") -> MappingStorage:
    """The storage of a bundle that `build_own` made. Raises `BundleError` for what is no zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, OSError, EOFError) as broken:
        raise BundleError(f"{place}: the kept bundle is damaged: {broken}") from broken
    if NAME not in files:  # cut off, the zip ends in a part, which is a zip of its own
        raise BundleError(f"{place}: the kept bundle is damaged: it holds no {NAME}")
    return MappingStorage(files, place)
