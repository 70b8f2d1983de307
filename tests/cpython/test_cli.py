"""The command line: what it prints, its exit status, its help, its documentation."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hinny import __version__
from hinny.bundle.manifest import NAME
from hinny.cli import main
from hinny.cli.main import COMMANDS, make_parser
from hinny.cli.text import size
from site_pages import HTML

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for name, (_, html) in HTML.items():
        (folder / name).write_text(html, "utf-8")
    return folder


@pytest.fixture
def bundle(site: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["build", str(site), "--out", str(site / "search")]) == 0
    capsys.readouterr()
    return site / "search"


def test_build_writes_a_bundle_and_sums_up(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "empty.html").write_text("")
    (site / "odd.html").write_bytes(b"<title>Odd</title><p>caf\xe9")
    assert main(["build", str(site), "--out", str(site / "search"), "--title", "Mule book"]) == 0
    shown = capsys.readouterr()
    assert "4 pages, 6 sections," in shown.out
    assert f"files, {site / 'search'}" in shown.out
    assert "1 skipped:\n  empty.html: empty" in shown.err
    assert "1 with a problem:\n  odd.html: not UTF-8: read as windows-1252" in shown.err
    manifest = json.loads((site / "search" / NAME).read_text("utf-8"))
    assert manifest["title"] == "Mule book"
    assert manifest["root"] == "../"


def test_build_prints_json_on_request(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "empty.html").write_text("")
    assert main(["build", str(site), "--out", str(site / "a" / "b"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["pages"], shown["sections"], shown["files"]) == (
        3,
        5,
        len(list((site / "a/b/parts").iterdir())),
    )
    assert shown["bytes"] == sum(path.stat().st_size for path in (site / "a/b/parts").iterdir())
    assert shown["skipped"] == [{"path": "empty.html", "reason": "empty"}]
    assert json.loads((site / "a/b" / NAME).read_text("utf-8"))["root"] == "../../"


def test_the_same_pages_give_the_same_bytes_and_the_old_bundle_is_not_indexed(site: Path) -> None:
    def built() -> dict[str, bytes]:
        assert main(["build", str(site), "--out", str(site / "search")]) == 0
        return {path.name: path.read_bytes() for path in (site / "search").rglob("*") if path.is_file()}

    assert built() == built()


def test_nothing_to_index_is_exit_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty.html").write_text("")
    (tmp_path / "image.png").write_bytes(b"\x89PNG")
    assert main(["build", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    shown = capsys.readouterr()
    assert "empty.html: empty" in shown.err
    assert "hinny build: nothing to index" in shown.err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_not_ours_is_kept(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = site.parent / "thesis"
    out.mkdir()
    (out / "chapter1.txt").write_text("years of work")
    assert main(["build", str(site), "--out", str(out)]) == 1
    assert "--force" in capsys.readouterr().err
    assert [path.name for path in out.iterdir()] == ["chapter1.txt"]
    assert main(["build", str(site), "--out", str(out), "--force"]) == 0
    assert (out / NAME).is_file()


@pytest.mark.parametrize("out", [".", ".."])
def test_the_pages_themselves_are_never_overwritten(
    site: Path, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", str(site), "--out", str(site / out), "--force"]) == 1
    assert "a folder of its own" in capsys.readouterr().err
    assert (site / "care.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere does not exist"),
        (["--factory", "huge"], "huge"),
        (["--model", "x"], "words need no model"),
        (["--questions", "x"], "words need no model"),
        (["--factory", "tiny", "--model", "no-such"], "no model 'no-such'"),
        (
            ["--factory", "tiny", "--model", "all-minilm-l6-v2"],
            "of the kind colbert; this is one of embedder",
        ),
        (["--factory", "tiny", "--tokens", "4"], "a number from 8 to 256"),
        (["--synonyms", "nowhere"], "nowhere: "),
    ],
)
def test_build_says_what_it_cannot_do(
    site: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = [] if arguments == ["nowhere"] else [str(site)]
    assert main(["build", *source, *arguments, "--out", str(site.parent / "out")]) == 1
    assert message in capsys.readouterr().err
    assert not (site.parent / "out").exists()


def test_search_prints_hits(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", str(bundle), "rasping", "teeth", "--limit", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "  1. Care › Teeth"
    assert lines[1].endswith("  care.html#teeth")
    assert lines[2] == "     A vet should rasp the teeth of a mule once a year."
    assert lines[-1].startswith("1 hit in ")


def test_a_file_of_synonyms_goes_into_the_bundle_and_is_searched(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, out = site.parent / "synonyms.txt", site.parent / "out"
    own.write_text("dental care => rasp the teeth\n")
    assert main(["build", str(site), "--synonyms", str(own), "--out", str(out), "--json"]) == 0
    capsys.readouterr()
    assert main(["search", str(out), "dental", "care", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "care.html#teeth" in [result["url"] for result in answer["results"]]
    own.write_text("dental care\n")
    assert main(["build", str(site), "--synonyms", str(own), "--out", str(out), "--force"]) == 1
    assert "synonyms.txt: synonyms, line 1: a group needs two words or more" in capsys.readouterr().err


def test_a_site_can_be_searched_by_sound(
    site: Path, bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = site.parent / "out"
    assert main(["build", str(site), "--phonetic", "--out", str(out), "--json"]) == 0
    totals = []
    for folder in (out, bundle):
        capsys.readouterr()
        assert main(["search", str(folder), "muhl", "--json"]) == 0
        totals.append(json.loads(capsys.readouterr().out)["total"])
    assert totals[0] > 0 == totals[1]


def test_search_prints_json(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", str(bundle), "teeth", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [result["url"] for result in answer["results"]] == ["care.html#teeth"]


def test_search_without_hits_is_no_failure(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", str(bundle), "xylophone"]) == 0
    assert capsys.readouterr().out.startswith("0 hits in ")


def test_search_says_when_a_factory_is_not_there(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", str(bundle), "teeth", "--factory", "tiny"]) == 0
    assert "built without tokens (hinny build --factory tiny)" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["search", "{}", "x"], ["inspect", "{}"]])
def test_a_missing_bundle_is_exit_status_1(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([part.format(tmp_path) for part in command]) == 1
    assert f"hinny {command[0]}: " in capsys.readouterr().err


def test_a_damaged_manifest_is_exit_status_1(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (bundle / NAME).read_text("utf-8")
    (bundle / NAME).write_text(text.replace('"version": 1', '"version": 9'), "utf-8")
    assert main(["search", str(bundle), "x"]) == 1
    assert "format version 9" in capsys.readouterr().err


def test_inspect_says_what_is_inside(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(bundle)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Care: 3 pages, 5 sections, ")
    assert f"made by Hinny {__version__}, pages at ../" in shown
    assert "languages de (1), en (4)" in shown
    assert "site/texts" in shown
    assert main(["inspect", str(bundle), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pages"] == 3
    assert found["parts"]["site/texts"]["files"] == 1


def test_inspect_shows_what_vectors_cost_a_section(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = json.loads((bundle / NAME).read_text("utf-8"))
    part = next(iter(manifest["parts"].values()))
    manifest["parts"]["vectors/codes"] = {**part, "bytes": 1000}
    (bundle / NAME).write_text(json.dumps(manifest), "utf-8")
    assert main(["inspect", str(bundle)]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "vectors/codes" in line)
    assert line.endswith("200 bytes a section")  # 5 sections


def test_inspect_verifies_every_byte(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(bundle), "--verify"]) == 0
    assert "every part is as the manifest says" in capsys.readouterr().out
    part = next((bundle / "parts").glob("site-texts*"))
    part.write_bytes(part.read_bytes()[:-1] + b"x")
    assert main(["inspect", str(bundle), "--verify"]) == 1
    shown = capsys.readouterr()
    assert part.name in shown.err
    assert "1 parts are not" in shown.out
    assert main(["inspect", str(bundle), "--verify", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verified"] is False


def _parsers(
    parser: argparse.ArgumentParser, name: str = "hinny"
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, inner in action.choices.items():
                yield from _parsers(inner, f"{name} {command}")


def test_every_command_and_option_is_documented() -> None:
    text = DOCS.read_text("utf-8")
    missing = []
    for name, parser in _parsers(make_parser()):
        section = _section(text, name)
        if section is None:
            missing.append(name)
            continue
        missing += [
            f"{name} {option}"
            for action in parser._actions
            for option in action.option_strings
            if option.startswith("--")
            and option not in ("--help", "--version")
            and f"`{option}" not in section
        ]
    assert missing == []


def _section(text: str, command: str) -> str | None:
    """The part of docs/cli.md under the command's heading: `## hinny build`, `### hinny models list`."""
    if command == "hinny":
        return text
    for mark in ("## ", "### "):
        start = text.find(f"\n{mark}{command}\n")
        if start >= 0:
            end = text.find("\n## ", start + 1)
            return text[start : end if end >= 0 else len(text)]
    return None


@pytest.mark.parametrize("command", list(COMMANDS))
def test_help_teaches_by_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert "examples:" in shown
    assert f"hinny {command} " in shown.partition("examples:")[2]


def test_help_lists_the_commands_and_version_is_ours(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(f"    {name} " in shown for name in COMMANDS)
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"hinny {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["build"], ["search", "x"]])
def test_what_is_not_understood_is_exit_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "usage: hinny" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (999_600, "1.0 MB"),
        (2_930_000, "2.9 MB"),
        (5e12, "5000.0 GB"),
    ],
)
def test_sizes_are_for_people(count: Any, text: str) -> None:
    assert size(count) == text
