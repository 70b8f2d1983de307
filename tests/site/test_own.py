"""A reader's own files become a bundle in memory, and are searched in it."""

from __future__ import annotations

import io
import zipfile

import pytest

from hinny.bundle.reader import BundleReader
from hinny.errors import BundleError, NothingIndexed
from hinny.site.own import OwnBundle, build_own, open_zip
from hinny.site.search import SiteSearch
from support import run

FILES = [
    (
        "notes/mules.md",
        b"# Mules\n\nIts father is a donkey.\n\n## Hinnies\n\nIts father is a stallion.\n",
    ),
    ("notes/care.html", "<title>Care</title><h1>Care</h1><p>Hay twice a day. Größe zählt.</p>".encode()),
    ("todo.txt", b"Buy hay.\r\n\r\nMend the fence.\r\n"),
]


def search(own: OwnBundle, text: str) -> list[str]:
    async def ask() -> list[str]:
        site = await SiteSearch.open(await BundleReader.open(open_zip(own.zip)))
        answer = await site.search({"text": text})
        return [result["url"] for result in answer["results"]]

    return run(ask())


def test_markdown_html_and_text_are_found_after_a_round_trip_through_the_zip() -> None:
    own = build_own(FILES, title="Notes")
    assert own.manifest.title == "Notes"
    assert own.manifest.counts["pages"] == 3
    assert own.skipped == ()
    assert search(own, "stallion") == ["notes/mules.md#hinnies"]
    assert search(own, "größe") == ["notes/care.html"]
    assert search(own, "fence") == ["todo.txt"]
    assert set(search(own, "hay")) == {"notes/care.html", "todo.txt"}


def test_the_same_files_give_the_same_bytes() -> None:
    assert build_own(FILES, title="Notes").zip == build_own(list(FILES), title="Notes").zip


def test_the_zip_is_what_hinny_build_would_have_written() -> None:
    own = build_own(FILES, title="Notes")
    with zipfile.ZipFile(io.BytesIO(own.zip)) as archive:
        names = set(archive.namelist())
        assert archive.testzip() is None
    assert names == {"manifest.json", *(part.file for part in own.manifest.parts.values())}


def test_what_is_left_out_is_named_with_its_reason() -> None:
    files = [
        *FILES,
        ("picture.png", b"\x89PNG"),
        ("program.txt", b"\x7fELF\x00\x00\x00\x00"),
        ("empty.md", b"  \n"),
        ("draft.md", b"---\ndraft: true\n---\n# Later\n"),
        ("todo.txt", b"Once more."),
    ]
    own = build_own(files, title="Notes")
    assert [(item.path, item.reason) for item in own.skipped] == [
        ("picture.png", "not HTML, Markdown, JSON Lines or text"),
        ("program.txt", "binary, not text"),
        ("empty.md", "empty"),
        ("draft.md", "a draft"),
        ("todo.txt", "same URL as todo.txt: todo.txt"),
    ]


def test_nothing_to_index_says_why() -> None:
    with pytest.raises(NothingIndexed, match=r"empty\.md: empty"):
        build_own([("empty.md", b"")], title="x")
    with pytest.raises(NothingIndexed, match="no files"):
        build_own([], title="x")


def test_long_text_is_cut_into_passages_at_paragraphs() -> None:
    paragraphs = [f"{word} " * 150 for word in ("alpha", "beta", "gamma", "delta")]
    own = build_own([("long.txt", "\n\n".join(paragraphs).encode())], title="x")
    assert own.manifest.counts == {**own.manifest.counts, "pages": 1, "sections": 2}
    assert search(own, "delta") == ["long.txt"]


def test_progress_counts_files_also_those_that_are_skipped() -> None:
    seen: list[int] = []
    build_own([*FILES, ("x.png", b"x")], title="Notes", progress=seen.append)
    assert seen == [1, 2, 3, 4]


def test_a_damaged_zip_is_a_bundle_error() -> None:
    with pytest.raises(BundleError, match="damaged"):
        open_zip(b"not a zip")
    with pytest.raises(BundleError, match="damaged"):
        open_zip(build_own(FILES, title="Notes").zip[:-40])
