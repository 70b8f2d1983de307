"""A folder to pages: which files count, in which order, and why others do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hinny.errors import BuildError
from hinny.site.loaders import Loaded, Skipped, find_sources, load
from hinny.site.sections import Page

PAGE = "<title>T</title><p>Text."


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def skipped(answers: list[Loaded]) -> list[tuple[str, str]]:
    return [(answer.path, answer.reason) for answer in answers if isinstance(answer, Skipped)]


def urls(answers: list[Loaded]) -> list[str]:
    return [answer.url for answer in answers if isinstance(answer, Page)]


def test_pages_come_in_the_order_of_their_paths(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "b.html": PAGE,
            "a/index.html": PAGE,
            "a.md": "# A\n\nText.",
            "c.HTM": PAGE,
            "style.css": "p{}",
            "d.jsonl": '{"_id":"one","text":"1"}\n{"_id":"two","text":"2"}',
        },
    )
    answers = list(load(find_sources(tmp_path)))
    assert urls(answers) == ["a/", "b.html", "c.HTM", "one", "two"]
    # a.md and a/index.html are one page at a/: the first path has it.
    assert skipped(answers) == [("a/index.html", "same URL as a.md: a/")]


def test_hidden_foreign_and_excluded_files_are_not_entered(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".git/a.html": PAGE,
            "node_modules/a.html": PAGE,
            "old/manifest.json": '{"format": "hinny-bundle"}',
            "old/a.html": PAGE,
            "out/a.html": PAGE,
            "drafts/a.html": PAGE,
            "keep/a.html": PAGE,
        },
    )
    found = find_sources(tmp_path, exclude=["drafts/*"], skip=[tmp_path / "out"])
    assert [source.path for source in found] == ["keep/a.html"]


def test_a_link_to_a_folder_above_is_not_followed_for_ever(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.html": PAGE})
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    assert len(find_sources(tmp_path)) <= 3


def test_one_file_of_records_is_a_site(tmp_path: Path) -> None:
    write(tmp_path, {"all.jsonl": '{"_id":"one","text":"1"}\n'})
    assert urls(list(load(find_sources(tmp_path / "all.jsonl")))) == ["one"]


@pytest.mark.parametrize("name", ["nowhere", "picture.png"])
def test_what_is_no_site_is_named(tmp_path: Path, name: str) -> None:
    write(tmp_path, {"picture.png": b"\x89PNG"})
    with pytest.raises(BuildError, match=name):
        find_sources(tmp_path / name)


def test_every_file_that_is_no_page_says_why(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "binary.html": b"\x89PNG\0\0\0",
            "draft.md": "---\ndraft: true\n---\nText.",
            "empty.html": b"",
            "blank.html": b" \n",
            "good.html": PAGE,
            "large.html": PAGE + "x" * 2000,
            "nothing.html": "<title>T</title><nav>only</nav>",
            "records.jsonl": '{"_id":"one","text":"1"}\nnot json\n',
        },
    )
    answers = list(load(find_sources(tmp_path), largest=1000))
    assert urls(answers) == ["good.html", "one"]
    assert dict(skipped(answers)) == {
        "binary.html": "binary, not text",
        "draft.md": "a draft",
        "empty.html": "empty",
        "blank.html": "empty",
        "large.html": "0 MiB: over the limit of 0 MiB",
        "nothing.html": "no text",
        "records.jsonl, line 2": "not JSON: Expecting value at column 1",
    }


def test_a_file_that_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": PAGE, "b.html": PAGE})
    sources = find_sources(tmp_path)
    (tmp_path / "a.html").unlink()
    answers = list(load(sources))
    assert urls(answers) == ["b.html"]
    assert skipped(answers) == [("a.html", "cannot be read: No such file or directory")]


def test_a_page_of_50_megabytes_is_skipped_by_its_size_alone(tmp_path: Path) -> None:
    with (tmp_path / "a.html").open("wb") as file:
        file.truncate(50 * 2**20)
    assert skipped(list(load(find_sources(tmp_path)))) == [("a.html", "50 MiB: over the limit of 16 MiB")]


def test_progress_is_told_of_every_file(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": PAGE, "b.html": ""})
    seen: list[str] = []
    list(load(find_sources(tmp_path), progress=seen.append))
    assert seen == ["a.html", "b.html"]


def test_markdown_urls_follow_the_site_generator(tmp_path: Path) -> None:
    write(tmp_path, {"a/b.md": "# B\n\n[c](c.md)", "a/c.md": "# C\n\nText."})
    for style, expected in (("folder", ["a/b/", "a/c/"]), ("html", ["a/b.html", "a/c.html"])):
        sources = find_sources(tmp_path, markdown_urls=style)  # type: ignore[arg-type]
        answers = list(load(sources, markdown_urls=style))  # type: ignore[arg-type]
        assert urls(answers) == expected
        first = answers[0]
        assert isinstance(first, Page)
        assert [link.target for link in first.links] == [expected[1]]
