"""Fetching, from sources that misbehave: a web server of our own, and archives made on the spot."""

import hashlib
import io
import subprocess
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hinny.errors import IntegrityError, RuntimeFileError
from hinny.runtime import fetch as fetching
from hinny.runtime.fetch import cached_path, check, default_cache, fetch, fetch_file
from hinny.runtime.lock import RuntimeFile, RuntimeLock, Source
from hinny.runtime.sources import Sources

GOOD = bytes(range(256)) * 1000


class Misbehaving(BaseHTTPRequestHandler):
    """Each path is a way to go wrong."""

    protocol_version = "HTTP/1.1"
    asked: list[str] = []

    def do_GET(self):
        self.asked.append(self.path)
        body = GOOD
        if self.path == "/missing":
            self.send_error(404)
            return
        if self.path == "/broken":
            self.send_error(503)
            return
        if self.path == "/flipped":
            body = GOOD[:5] + b"\x00" + GOOD[6:]
        if self.path == "/long":
            body = GOOD + b"more"
        if self.path == "/short":
            body = GOOD[:-1]
        if self.path == "/page":
            body = b"<html>not what you asked for</html>"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path in ("/truncated", "/stalled"):
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            if self.path == "/stalled":
                self.server.let_go.wait(10)
            self.close_connection = True
            return
        self.wfile.write(body)

    def log_message(self, format, *values):
        pass


@pytest.fixture(scope="module")
def host():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Misbehaving)
    server.let_go = threading.Event()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.let_go.set()
    server.shutdown()
    server.server_close()
    thread.join()


def locked(*sources):
    """A file whose right content is GOOD, from these sources."""
    return RuntimeFile("some.bin", "core", "x/y", len(GOOD), hashlib.sha256(GOOD).hexdigest(), sources)


def url(host, path):
    return Source("url", f"{host}/{path}")


def get(file, cache, **options):
    with Sources(timeout=options.pop("timeout", 5)) as sources:
        return fetch_file(file, cache, sources=sources, **options)


def left_behind(cache):
    return sorted(path.name for path in cache.rglob("*") if path.is_file())


def test_a_good_file_is_kept_under_a_name_with_its_hash(host, tmp_path):
    file = locked(url(host, "good"))
    path = get(file, tmp_path)
    assert path.read_bytes() == GOOD
    assert path == cached_path(file, tmp_path)
    assert left_behind(tmp_path) == [f"{file.sha256[:16]}-some.bin"]


def test_a_cached_file_costs_no_request(host, tmp_path):
    file = locked(url(host, "good"))
    get(file, tmp_path)
    Misbehaving.asked.clear()
    get(file, tmp_path)
    assert Misbehaving.asked == []


def test_a_damaged_copy_in_the_cache_is_fetched_anew(host, tmp_path):
    file = locked(url(host, "good"))
    path = get(file, tmp_path)
    path.write_bytes(GOOD[::-1])
    problems = []
    assert get(file, tmp_path, problem=problems.append).read_bytes() == GOOD
    assert len(problems) == 1
    assert "the cache" in problems[0]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("missing", "404"),
        ("broken", "503"),
        ("flipped", "SHA-256"),
        ("long", f"over {len(GOOD)} bytes"),
        ("short", f"{len(GOOD) - 1} bytes"),
        ("page", "35 bytes"),
        ("truncated", f"{len(GOOD)} bytes"),
    ],
)
def test_a_bad_source_is_named_and_the_next_one_tried(host, tmp_path, bad, said):
    file = locked(url(host, bad), url(host, "good"))
    problems = []
    assert get(file, tmp_path, problem=problems.append).read_bytes() == GOOD
    assert len(problems) == 1
    assert "some.bin" in problems[0]
    assert f"/{bad}" in problems[0]
    assert said in problems[0]
    assert len(left_behind(tmp_path)) == 1


@pytest.mark.parametrize("bad", ["missing", "flipped", "long", "short", "truncated"])
def test_without_a_good_source_nothing_is_left_behind(host, tmp_path, bad):
    with pytest.raises(RuntimeFileError) as caught:
        get(locked(url(host, bad), url(host, "missing")), tmp_path)
    assert len(caught.value.problems) == 2
    assert left_behind(tmp_path) == []


def test_a_wrong_hash_names_file_source_expected_and_found(host, tmp_path):
    file = locked(url(host, "flipped"))
    found = hashlib.sha256(GOOD[:5] + b"\x00" + GOOD[6:]).hexdigest()
    with pytest.raises(RuntimeFileError) as caught:
        get(file, tmp_path)
    for piece in ("some.bin", f"{host}/flipped", file.sha256, found):
        assert piece in str(caught.value)


def test_a_silent_source_is_given_up(host, tmp_path):
    problems = []
    file = locked(url(host, "stalled"), url(host, "good"))
    assert get(file, tmp_path, timeout=0.3, problem=problems.append).read_bytes() == GOOD
    assert "nothing came for 0.3 seconds" in problems[0]


def test_a_host_that_is_not_there(tmp_path):
    with pytest.raises(RuntimeFileError, match="refused"):
        get(locked(Source("url", "http://127.0.0.1:9/file")), tmp_path)


def test_an_interruption_leaves_nothing_behind(host, tmp_path):
    def interrupt(file, count):
        if count > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        get(locked(url(host, "good")), tmp_path, progress=interrupt)
    assert left_behind(tmp_path) == []


def test_progress_adds_up_to_the_size_even_after_a_bad_source(host, tmp_path):
    counts = []
    file = locked(url(host, "flipped"), url(host, "good"))
    get(file, tmp_path, progress=lambda _, count: counts.append(count))
    assert sum(counts) == len(GOOD)
    counts.clear()
    get(file, tmp_path, progress=lambda _, count: counts.append(count))
    assert counts == [len(GOOD)]


# Archives, by stand-ins for the two package clients.


@pytest.fixture
def clients(monkeypatch):
    """Stand-ins for npm and pip that write an archive to the folder they are told; the commands they got."""
    commands = []

    def run(command, **options):
        commands.append(command)
        assert options["timeout"]
        flag = "--pack-destination" if command[0] == "npm" else "--dest"
        folder = Path(command[command.index(flag) + 1])
        if command[-1] == "absent==1.0":
            return subprocess.CompletedProcess(command, 1, "", "ERROR: No matching distribution")
        if command[0] == "npm":
            with tarfile.open(folder / "p.tgz", "w:gz") as tar:
                entry = tarfile.TarInfo("package/some.bin")
                entry.size = len(GOOD)
                tar.addfile(entry, io.BytesIO(GOOD))
        else:
            with zipfile.ZipFile(folder / "p-1.0-py3-none-any.whl", "w") as wheel:
                wheel.writestr("inside/some.bin", GOOD)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    return commands


def test_a_member_of_an_npm_package(clients, tmp_path):
    file = locked(Source("npm", "thing@1.0.0", "package/some.bin"))
    assert get(file, tmp_path).read_bytes() == GOOD
    assert clients[0][-1] == "thing@1.0.0"


def test_a_member_of_a_wheel(clients, tmp_path):
    file = locked(Source("pypi", "thing==1.0", "inside/some.bin"))
    assert get(file, tmp_path).read_bytes() == GOOD


def test_a_wheel_itself_is_checked_like_any_file(clients, tmp_path):
    with pytest.raises(RuntimeFileError, match="expected 256000 bytes"):
        get(locked(Source("pypi", "thing==1.0")), tmp_path)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (Source("npm", "thing@1.0.0", "package/other.bin"), "no member package/other.bin"),
        (Source("pypi", "thing==1.0", "inside/other.bin"), "no member inside/other.bin"),
        (Source("pypi", "absent==1.0", "inside/some.bin"), "No matching distribution"),
    ],
)
def test_what_an_archive_lacks_is_said(clients, tmp_path, source, said):
    with pytest.raises(RuntimeFileError, match=said):
        get(locked(source), tmp_path)
    assert left_behind(tmp_path) == []


def test_an_archive_is_fetched_once_for_all_its_members(clients, tmp_path):
    source = Source("npm", "thing@1.0.0", "package/some.bin")
    other = RuntimeFile("other.bin", "core", "x/y", len(GOOD), locked().sha256, (source,))
    lock = RuntimeLock({}, (locked(source), other))
    paths = fetch(["core"], tmp_path, lock=lock)
    assert sorted(paths) == ["other.bin", "some.bin"]
    assert len(clients) == 1


def test_a_client_that_is_not_installed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeFileError, match="npm is not installed"):
        get(locked(Source("npm", "thing@1.0.0", "package/some.bin")), tmp_path)


def test_check_tells_size_from_content(tmp_path):
    path = tmp_path / "some.bin"
    path.write_bytes(GOOD)
    check(path, locked())
    path.write_bytes(GOOD[1:])
    with pytest.raises(IntegrityError, match=f"{len(GOOD) - 1} bytes"):
        check(path, locked())
    path.write_bytes(GOOD[1:] + b"x")
    with pytest.raises(IntegrityError, match="SHA-256"):
        check(path, locked())


def test_the_cache_is_where_the_environment_says(monkeypatch, tmp_path):
    for name in ("HINNY_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert default_cache() == Path.home() / ".cache" / "hinny"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "hinny"
    monkeypatch.setenv("HINNY_CACHE", str(tmp_path / "own"))
    assert default_cache() == tmp_path / "own"
    assert fetching.cached_path(locked()).parent == tmp_path / "own" / "runtime"
