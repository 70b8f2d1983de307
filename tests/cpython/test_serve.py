"""`hinny serve`: media types, caching, isolation, over a real socket."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from hinny.cli.serve import Handler, make_server, page_for
from hinny.errors import InvalidOption
from hinny.site import app
from hinny.site.own import build_own, open_zip


@contextmanager
def served(folder: Path, **options: Any) -> Iterator[str]:
    server = make_server(folder, **options)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_an_answer_does_not_wait_for_the_acknowledgement_of_its_head(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    sent = Handler.end_headers

    def end_headers(handler: Handler) -> None:
        seen.append(handler.connection.getsockopt(IPPROTO_TCP, TCP_NODELAY))
        sent(handler)

    monkeypatch.setattr(Handler, "end_headers", end_headers)
    with served(folder) as url, urlopen(f"{url}a.html") as answer:
        answer.read()
    assert seen and all(seen)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.html", "a.mjs", "a.wasm", "a.npz", "a.jsonz", "part.0123456789abcdef.npz", "noending"):
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("a.html", "text/html; charset=utf-8"),
        ("a.mjs", "text/javascript; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.npz", "application/octet-stream"),
        ("a.jsonz", "application/octet-stream"),
        ("noending", "application/octet-stream"),
    ],
)
def test_files_have_the_media_types_that_browsers_insist_on(folder: Path, name: str, media_type: str) -> None:
    with served(folder) as url, urlopen(url + name) as answer:
        assert answer.headers["Content-Type"] == media_type
        assert answer.headers["Content-Encoding"] is None
        assert answer.read() == name.encode()


def test_names_with_a_hash_may_be_kept_and_others_are_asked_for_again(folder: Path) -> None:
    with served(folder) as url:
        with urlopen(url + "part.0123456789abcdef.npz") as answer:
            assert "immutable" in answer.headers["Cache-Control"]
        with urlopen(url + "a.npz") as answer:
            assert answer.headers["Cache-Control"] == "no-cache"


def test_isolation_is_on_request(folder: Path) -> None:
    with served(folder) as url, urlopen(url + "a.html") as answer:
        assert answer.headers["Cross-Origin-Embedder-Policy"] is None
    with served(folder, isolate=True) as url, urlopen(url + "a.html") as answer:
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Embedder-Policy"] == "require-corp"


def test_what_is_not_there_is_404_and_never_cached(folder: Path) -> None:
    with served(folder) as url, pytest.raises(HTTPError) as caught:
        urlopen(url + "gone.0123456789abcdef.npz")
    with caught.value as answer:
        assert answer.code == 404
        assert answer.headers["Cache-Control"] == "no-cache"


def test_a_folder_that_is_none_and_a_port_that_is_taken_are_named(folder: Path) -> None:
    with pytest.raises(InvalidOption, match="a folder that exists"):
        make_server(folder / "nowhere")
    with make_server(folder) as server, pytest.raises(InvalidOption, match="a port that is free"):
        make_server(folder, port=server.server_address[1])
    with pytest.raises(InvalidOption, match="a port that is free"):
        make_server(folder, port=70_000)


def test_the_command_prints_the_url_and_serves(folder: Path) -> None:
    command = [sys.executable, "-m", "hinny", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            with urlopen(url + "a.html", timeout=20) as answer:
                assert answer.status == 200
        finally:
            process.terminate()


def fetch(url: str) -> bytes:
    with urlopen(url, timeout=10) as answer:
        found: bytes = answer.read()
        return found


def test_a_bundle_without_a_page_gets_one_and_keeps_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle, made = tmp_path / "bundle", tmp_path / "made"
    bundle.mkdir()
    made.mkdir()
    own = build_own([("mules.md", b"# Mules <b>\n\nIts father is a donkey.\n")], title="My <notes>")
    for name, data in open_zip(own.zip).files.items():
        (bundle / name).parent.mkdir(parents=True, exist_ok=True)
        (bundle / name).write_bytes(data)
    assets = tmp_path / "assets" / "app"
    assets.mkdir(parents=True)
    (assets / "hinny.js").write_text("script")
    monkeypatch.setattr(
        app.add_app, "__kwdefaults__", {"models": False, "webgpu": False, "assets": assets.parent}
    )
    asked: list[dict[str, object]] = []
    monkeypatch.setattr(
        "hinny.runtime.boot_assets.write_runtime", lambda out, **options: asked.append(options)
    )
    page = page_for(bundle, made)
    assert page == made
    assert [(options["offline"], options["models"]) for options in asked] == [(True, False)]
    monkeypatch.chdir(tmp_path)
    with served(Path("bundle"), page=page) as url:
        html = fetch(url).decode()
        assert "<h1>My &lt;notes&gt;</h1>" in html
        assert '<hinny-search bundle="./" factory="lexical-only">' in html
        assert fetch(url + "app/hinny.js") == b"script"
        assert fetch(url + "manifest.json") == (bundle / "manifest.json").read_bytes()
        with pytest.raises(HTTPError, match="404"):
            fetch(url + "nothing")
        with pytest.raises(HTTPError, match="404"):
            fetch(url + "..%2fbundle")
    assert sorted(path.name for path in bundle.iterdir()) == ["manifest.json", "parts"]


def test_a_site_and_any_other_folder_are_served_as_they_are(folder: Path, tmp_path: Path) -> None:
    assert page_for(folder, tmp_path) is None
    (folder / "manifest.json").write_text('{"format": "hinny-bundle"}')
    (folder / "index.html").write_text("mine")
    assert page_for(folder, tmp_path) is None
