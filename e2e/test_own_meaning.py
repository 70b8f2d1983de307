"""The reader's own files by meaning: read in the background, paused, given up, taken up again, exported."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from meaning_pages import MEANING_MODELS, MEANING_PAGES
from page_support import (
    choose_factory,
    own_tab,
    remove_own,
    search_for,
    serious,
    view,
    wait_factory,
    wait_ready,
)

COLLECTION = ".collection"
ELEMENT = ".collection hinny-search"
PICKER = ".collection .picker"
FEW = [
    {"name": path, "mimeType": "text/html", "buffer": text.encode()} for path, text in MEANING_PAGES.items()
]
# Enough to read for some seconds.
LONG = "# Diary\n\n" + "\n\n".join(
    f"## Day {n}\n\nThe {word} was fed at dawn, walked to the river and back, brushed and put to bed."
    for n in range(1, 41)
    for word in [("mule", "donkey", "pony", "hinny")[n % 4]]
)
MANY = [{"name": "diary.md", "mimeType": "text/markdown", "buffer": LONG.encode()}]


@pytest.fixture(scope="module")
def own(browser: Browser, meaning: str) -> Iterator[Page]:
    """One tab for all of these, whose models come once."""
    yield from own_tab(browser, meaning)


@pytest.fixture(autouse=True)
def emptied(own: Page) -> Iterator[None]:
    yield
    remove_own(own)


def add(page: Page, files: list[dict[str, Any]]) -> None:
    page.locator("#pick-files").set_input_files(files)  # type: ignore[arg-type]
    expect(page.locator(COLLECTION)).to_have_count(1)
    expect(page.locator(f"{PICKER} input[value='semantic']")).to_be_enabled()


def reading(page: Page) -> int:
    """Wait until sections are being read; how many are."""
    page.wait_for_function(
        "() => /^Read [1-9]/.test(document.querySelector('.reading p')?.textContent ?? '')"
    )
    return int(page.locator(".reading progress").evaluate("(bar) => bar.value"))


def test_chosen_agreed_to_read_and_found_by_meaning(own: Page, tmp_path: Path) -> None:
    add(own, FEW)
    search_for(own, "when does the dentist come", ELEMENT)
    assert view(own, ELEMENT)["answer"]["factory"] == "lexical-only"
    own.locator(f"{PICKER} input[value='semantic']").check()
    consent = own.locator(f"{PICKER} .consent")
    expect(consent).to_contain_text(MEANING_MODELS["semantic"])
    expect(consent).to_contain_text("MB")
    assert serious(own) == []
    consent.get_by_role("button", name="Download").click()
    expect(own.locator(".reading progress")).to_be_visible()
    wait_factory(own, "semantic", ELEMENT)
    expect(own.locator(".reading")).to_be_hidden()
    shown = view(own, ELEMENT)
    assert shown["results"][0]["url"] == "teeth.html"
    own.locator(f"{ELEMENT} .why-button").first.click()
    expect(own.locator(f"{ELEMENT} .why")).to_contain_text("Meaning")

    own.reload()
    search_for(own, "when does the dentist come", ELEMENT)
    wait_factory(own, "semantic", ELEMENT)
    assert [hit["id"] for hit in view(own, ELEMENT)["results"]] == [hit["id"] for hit in shown["results"]]
    with own.expect_download() as download:
        own.get_by_role("button", name="Export as a bundle").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-m", "hinny", "search", str(tmp_path), "when does the dentist come"]
    done = subprocess.run(
        [*command, "--factory", "semantic", "--json"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["degraded"] == []
    assert found["results"][0]["url"] == "teeth.html"


def test_paused_searched_and_taken_up_again_after_a_reload(own: Page) -> None:
    add(own, MANY)
    choose_factory(own, "semantic", PICKER)
    reading(own)
    own.get_by_role("button", name="Pause").click()
    expect(own.locator(".reading p")).to_contain_text("Paused after")
    assert serious(own) == []
    own.wait_for_timeout(300)  # what was under way when it was pressed
    done = own.locator(".reading progress").evaluate("(bar) => bar.value")
    search_for(own, "river", ELEMENT)
    assert view(own, ELEMENT)["results"]
    own.wait_for_timeout(1000)
    assert own.locator(".reading progress").evaluate("(bar) => bar.value") == done
    own.get_by_role("button", name="Go on").click()
    reading(own)
    own.reload()
    reading(own)
    search_for(own, "dawn", ELEMENT)
    assert view(own, ELEMENT)["answer"]["factory"] == "lexical-only"
    wait_factory(own, "semantic", ELEMENT)


def test_a_second_tab_waits_and_takes_what_the_first_has_read(own: Page, meaning: str) -> None:
    add(own, MANY)
    choose_factory(own, "semantic", PICKER)
    reading(own)
    own.get_by_role("button", name="Pause").click()
    second = own.context.new_page()
    second.goto(meaning + "#yours")
    expect(second.locator(".reading p")).to_have_text("Waiting for its turn.")
    search_for(second, "dawn", ELEMENT)
    assert view(second, ELEMENT)["answer"]["factory"] == "lexical-only"
    own.get_by_role("button", name="Go on").click()
    wait_factory(second, "semantic", ELEMENT)
    expect(second.locator(".reading")).to_be_hidden()
    second.close()


def test_given_up_the_words_stay(own: Page) -> None:
    add(own, MANY)
    choose_factory(own, "semantic", PICKER)
    reading(own)
    own.get_by_role("button", name="Cancel").click()
    expect(own.locator(".reading")).to_be_hidden()
    expect(own.locator(f"{PICKER} input[value='lexical-only']")).to_be_checked()
    search_for(own, "river", ELEMENT)
    assert view(own, ELEMENT)["answer"]["degraded"] == []


def test_a_refused_model_is_named_and_may_be_tried_again(browser: Browser, meaning: str) -> None:
    context = browser.new_context(locale="en-GB", service_workers="block")
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(meaning + "#yours")
    wait_ready(page)
    context.route("**/models/**/*.onnx", lambda route: route.fulfill(status=404, body="no"))
    add(page, FEW)
    choose_factory(page, "semantic", PICKER)
    expect(page.locator(".reading p")).to_contain_text("404")
    context.unroute("**/models/**/*.onnx")
    page.get_by_role("button", name="Try again").click()
    search_for(page, "when does the dentist come", ELEMENT)
    wait_factory(page, "semantic", ELEMENT)
    context.close()


def test_by_keyboard_alone(own: Page) -> None:
    own.locator("#pick-files").focus()
    expect(own.locator("#pick-files")).to_be_focused()
    add(own, FEW)
    own.locator("#pick-folder").focus()
    for expected in ("Export as a bundle", "Remove"):
        own.keyboard.press("Tab")
        expect(own.get_by_role("button", name=expected, exact=True)).to_be_focused()
    own.keyboard.press("Tab")
    own.keyboard.type("litres")
    own.keyboard.press("Tab")
    # The button that empties the box, then the choices.
    own.keyboard.press("Tab")
    expect(own.locator(f"{PICKER} input[value='lexical-only']")).to_be_focused()
    own.keyboard.press("ArrowRight")
    own.keyboard.press("ArrowRight")
    wait_factory(own, "semantic", ELEMENT)
    expect(own.locator(f"{PICKER} input[value='semantic']")).to_be_focused()


def test_without_files_to_write_they_lie_in_indexeddb_and_stay_removed(
    browser: Browser, meaning: str
) -> None:
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(90_000)
    context.add_init_script("delete FileSystemFileHandle.prototype.createWritable")
    page = context.new_page()
    page.goto(meaning + "#yours")
    add(page, FEW)
    page.reload()
    expect(page.locator(COLLECTION)).to_have_count(1)
    search_for(page, "teeth", ELEMENT)
    assert view(page, ELEMENT)["results"]
    other = context.new_page()
    other.goto(meaning + "#device")
    expect(other.locator("#device-own")).to_contain_text("kept in IndexedDB")
    other.goto(meaning + "#yours")
    expect(other.locator(f"{PICKER} input[value='tiny']")).to_be_enabled()
    remove_own(page)
    # What another tab has removed does not come back by a choice made here.
    choose_factory(other, "tiny", PICKER)
    expect(other.locator(f"{COLLECTION} > p.bad")).to_contain_text("no longer on this device")
    other.reload()
    expect(other.locator("#pick-files")).to_be_attached()
    expect(other.locator(COLLECTION)).to_have_count(0)
    context.close()
