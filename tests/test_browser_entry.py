"""What the worker calls, with a stand-in for the worker."""

import asyncio
import json

import pytest

import hinny
from hinny import browser_entry
from hinny.browser import sessions
from hinny.bundle.storage import MappingStorage
from hinny.bundle.writer import bundle_files, with_parts
from hinny.errors import (
    BundleMissing,
    FetchFailed,
    IntegrityError,
    InvalidOption,
    MissingExtra,
    UnsupportedVersion,
)
from hinny.platform.browser import HostError, HostStorage
from hinny.site.build import build_parts
from hinny.site.sections import Page, Section
from support import run

PAGES = [
    Page(
        f"{name}.html", name.title(), (Section(f"{name}.html", f"{name}.html", name.title(), (), text, "en"),)
    )
    for name, text in (("vacuum", "It removes dead rows."), ("index", "It finds rows quickly."))
]


class JsBytes:
    """What a Uint8Array looks like from Python."""

    def __init__(self, data):
        self.data = data

    def to_bytes(self):
        return self.data


class JsError(Exception):
    """A JavaScript error as Pyodide raises it: with the fields that the error had."""

    def __init__(self, message, **fields):
        super().__init__(message)
        self.__dict__.update({"message": message, **fields})


class FakeHost:
    """The worker's side: files of a bundle, or an error for a file."""

    base = "https://example.org/search/"

    def __init__(self, files, errors=None):
        self.storage = MappingStorage(files)
        self.errors = errors or {}

    async def file(self, path):
        for start, error in self.errors.items():
            if path.startswith(start):
                raise error
        return JsBytes(self.storage.read(path))


def files():
    built = build_parts(PAGES, title="Two pages")
    return bundle_files(with_parts(built.manifest, built.parts), built.parts)


def call(coroutine):
    return json.loads(run(coroutine))


async def opened(host):
    answer = json.loads(await browser_entry.open(host, json.dumps({"bundle": host.base})))
    assert answer["ok"], answer
    return answer["value"]["session"], answer["value"]["info"]


def test_open_tells_what_is_inside_and_search_answers():
    async def story():
        session, info = await opened(FakeHost(files()))
        answer = json.loads(await browser_entry.search(session, "1", json.dumps({"text": "dead rows"})))
        return info, answer

    info, answer = run(story())
    assert info["title"] == "Two pages"
    assert info["pages"] == 2
    assert answer["ok"]
    assert answer["value"]["results"][0]["url"] == "vacuum.html"


def test_a_closed_session_is_an_error_of_the_question():
    async def story():
        session, _ = await opened(FakeHost(files()))
        await browser_entry.close(session)
        return json.loads(await browser_entry.search(session, "1", '{"text": "rows"}'))

    answer = run(story())
    assert not answer["ok"]
    assert answer["error"]["kind"] == "query"
    assert "session" in answer["error"]["message"]


def test_to_prepare_words_is_to_do_nothing_and_what_is_unknown_is_said():
    async def story():
        session, _ = await opened(FakeHost(files()))
        asked = [(session, "lexical-only"), (session, "tiny"), (session, "best"), (0, "tiny")]
        return [json.loads(await browser_entry.prepare(*each)) for each in asked]

    words, without_tokens, unknown, closed = run(story())
    assert words == {"ok": True, "value": None}
    # A search that asks for it says what is missing.
    assert without_tokens == {"ok": True, "value": None}
    assert "expected one of lexical-only" in unknown["error"]["message"]
    assert "a session that is open" in closed["error"]["message"]


def test_a_cancelled_search_says_so_and_the_next_one_works():
    async def story():
        session, _ = await opened(FakeHost(files()))
        first = asyncio.ensure_future(browser_entry.search(session, "first", '{"text": "rows"}'))
        await asyncio.sleep(0)
        browser_entry.cancel("first")
        browser_entry.cancel("no such search")
        second = await browser_entry.search(session, "second", '{"text": "rows"}')
        return json.loads(await first), json.loads(second)

    first, second = run(story())
    assert not first["ok"]
    assert "given up" in first["error"]["message"]
    assert len(second["value"]["results"]) == 2


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (JsError("gone", kind="bundle-missing"), "bundle-missing"),
        (JsError("no network", kind="offline"), "offline"),
        (JsError("bad", kind="bundle-damaged", source="u", expected="a", found="b"), "bundle-damaged"),
        (JsError("something else"), "bundle-damaged"),
    ],
)
def test_the_workers_errors_keep_their_kind(error, kind):
    answer = call(browser_entry.open(FakeHost(files(), {"manifest.json": error}), "{}"))
    assert not answer["ok"]
    assert answer["error"]["kind"] == kind


@pytest.mark.parametrize(
    ("error", "kind", "incomplete"),
    [
        (UnsupportedVersion("manifest.json", 9, 1), "bundle-version", False),
        (BundleMissing("none"), "bundle-missing", False),
        (IntegrityError("f", "u", "a", "b"), "bundle-damaged", False),
        (HostError("offline", "no network"), "offline", False),
        (FetchFailed("404"), "model", False),
        (InvalidOption("limit", -1, "more"), "query", False),
        (ValueError("a bug"), "query", False),
        (ModuleNotFoundError("No module named 'csv'", name="csv"), "query", True),
        (MissingExtra("snowballstemmer", "site", "stemming"), "bundle-damaged", True),
        (FileNotFoundError(44, "No such file", "/lib/python312.zip"), "query", True),
        (FileNotFoundError(44, "No such file", "/home/x"), "query", False),
    ],
)
def test_every_exception_becomes_an_answer(monkeypatch, error, kind, incomplete):
    class Broken:
        async def search(self, request):
            raise error

    monkeypatch.setitem(sessions.opened, 10**6, Broken())
    answer = call(browser_entry.search(10**6, "1", "{}"))
    assert not answer["ok"]
    assert answer["error"]["kind"] == kind
    assert answer.get("incomplete", False) is incomplete
    assert answer["error"]["message"]


def test_a_bug_is_told_with_its_type_and_our_line(monkeypatch):
    session, _ = run(opened(FakeHost(files())))
    answer = call(browser_entry.search(session, "1", "not JSON"))
    assert answer["error"]["kind"] == "query"
    assert answer["error"]["message"].startswith("JSONDecodeError: ")
    assert "hinny/browser_entry.py, line " in answer["error"]["message"]


def test_storage_names_its_place_and_says_that_its_bytes_are_checked():
    storage = HostStorage(FakeHost({"a": b"1"}))
    assert storage.place == FakeHost.base
    assert storage.verified
    assert run(storage.read("a")) == b"1"


def test_a_damaged_file_is_named_with_both_hashes():
    error = JsError("bad", kind="bundle-damaged", source="https://u/", expected="aa", found="bb")
    with pytest.raises(IntegrityError) as caught:
        run(HostStorage(FakeHost({}, {"": error})).read("parts/x"))
    assert (caught.value.name, caught.value.expected, caught.value.found) == ("parts/x", "aa", "bb")


def test_preload_imports_all_of_ours_that_a_browser_can():
    names = browser_entry.preload()
    assert "hinny.site.search" in names
    assert "hinny.lexical.index" in names
    assert not set(browser_entry._modules_below(hinny.__path__, "hinny.")) & {"hinny.cli", "hinny.sources"}
