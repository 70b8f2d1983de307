from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hinny.errors import FetchFailed, IntegrityError
from hinny.models.fetch import ATTEMPTS, download
from hub_server import Hub, serve

DATA = bytes(range(256)) * 40


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serve() as hub:
        hub.files["/m"] = DATA
        yield hub


def fetch(hub: Hub, part: Path, *, path: str = "/m", timeout: float = 5, **more) -> list[float]:
    """Download without pausing for real; the pauses that it would have made."""
    pauses: list[float] = []
    download(f"{hub.url}{path}", part, len(DATA), timeout=timeout, pause=pauses.append, **more)
    return pauses


def test_a_file_arrives_whole_with_byte_progress(hub: Hub, tmp_path: Path):
    seen: list[tuple[int, int]] = []
    assert fetch(hub, tmp_path / "p", progress=lambda have, size: seen.append((have, size))) == []
    assert (tmp_path / "p").read_bytes() == DATA
    assert seen[-1] == (len(DATA), len(DATA))
    assert [have for have, _ in seen] == sorted(have for have, _ in seen)


def test_an_answer_that_ends_early_is_taken_up_where_it_broke(hub: Hub, tmp_path: Path):
    hub.faults = ["cut"]
    assert fetch(hub, tmp_path / "p") == [0.5]
    assert (tmp_path / "p").read_bytes() == DATA
    assert [range for _, range in hub.requests] == [None, f"bytes={len(DATA) // 2}-"]


def test_what_a_broken_run_left_is_not_asked_for_again(hub: Hub, tmp_path: Path):
    part = tmp_path / "p"
    part.write_bytes(DATA[:100])
    fetch(hub, part)
    assert part.read_bytes() == DATA
    assert hub.requests == [("/m", "bytes=100-")]


def test_a_host_without_ranges_starts_over(hub: Hub, tmp_path: Path):
    part = tmp_path / "p"
    part.write_bytes(b"x" * 100)
    hub.faults = ["no-range"]
    fetch(hub, part)
    assert part.read_bytes() == DATA


def test_a_part_that_is_too_long_is_thrown_away(hub: Hub, tmp_path: Path):
    part = tmp_path / "p"
    part.write_bytes(DATA + b"rest")
    fetch(hub, part)
    assert part.read_bytes() == DATA
    assert hub.requests == [("/m", None)]


def test_server_errors_are_tried_again_with_growing_pauses(hub: Hub, tmp_path: Path):
    hub.faults = ["500", "503"]
    assert fetch(hub, tmp_path / "p") == [0.5, 1.0]
    assert (tmp_path / "p").read_bytes() == DATA


def test_after_the_last_attempt_the_reason_is_named(hub: Hub, tmp_path: Path):
    hub.faults = ["500"] * ATTEMPTS
    with pytest.raises(FetchFailed, match=r"answered 500, 4 attempts made"):
        fetch(hub, tmp_path / "p")
    assert len(hub.requests) == ATTEMPTS


def test_a_stall_is_noticed_and_what_came_is_kept(hub: Hub, tmp_path: Path):
    hub.faults = ["stall"]
    assert fetch(hub, tmp_path / "p", timeout=0.3) == [0.5]
    assert (tmp_path / "p").read_bytes() == DATA


def test_a_missing_file_is_not_tried_again(hub: Hub, tmp_path: Path):
    with pytest.raises(FetchFailed, match="answered 404: there is no such file"):
        fetch(hub, tmp_path / "p", path="/absent")
    assert len(hub.requests) == 1


def test_a_web_page_in_place_of_the_file_is_named(hub: Hub, tmp_path: Path):
    hub.faults = ["html"]
    with pytest.raises(FetchFailed, match="a web page in place of the file"):
        fetch(hub, tmp_path / "p")
    assert not (tmp_path / "p").exists()


def test_more_bytes_than_pinned_are_refused_and_removed(hub: Hub, tmp_path: Path):
    hub.faults = ["more"]
    with pytest.raises(IntegrityError, match=f"{len(DATA)} bytes, found {len(DATA) + 1} bytes and more"):
        fetch(hub, tmp_path / "p")
    assert not (tmp_path / "p").exists()


def test_redirects_are_followed(hub: Hub, tmp_path: Path):
    hub.redirect = True
    fetch(hub, tmp_path / "p")
    assert (tmp_path / "p").read_bytes() == DATA


def test_a_host_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(FetchFailed, match="no answer"):
        download("http://127.0.0.1:9/x", tmp_path / "p", 5, pause=lambda _: None)
