"""Search by meaning from the page: asked before anything is downloaded, explained, compared, offline."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from meaning_pages import MEANING_MODELS, MEANING_QUESTIONS
from page_support import (
    WATCH,
    box,
    choose_factory,
    drawn,
    search_for,
    serious,
    view,
    wait_answer,
    wait_factory,
    wait_ready,
)

QUESTION = "when does the dentist come"


def models_in(asked: list[str]) -> list[str]:
    return [path for path in asked if "/models/" in path]


@pytest.fixture(scope="module")
def kept(browser: Browser, meaning: str) -> Iterator[BrowserContext]:
    """A profile to which the models have come: each test is a visit more."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(meaning)
    wait_ready(page)
    choose_factory(page, "three-source")
    search_for(page, QUESTION)
    wait_factory(page, "three-source")
    page.close()
    yield context
    context.close()


def open_page(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url)
    wait_ready(page)
    drawn(page)
    return page


def test_what_is_asked_before_a_download_by_keyboard_alone(
    context: BrowserContext, meaning: str, asked: list[str]
) -> None:
    page = open_page(context, meaning)
    chips = page.locator("#picker .choice")
    texts = [text.replace("\n", " ") for text in chips.all_inner_texts()]
    assert texts[0] == "Words"
    assert [text.rsplit(" ", 1)[-1] for text in texts[1:]] == ["MB", "MB", "MB"]
    page.locator("#picker input[value='lexical-only']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    consent = page.locator("#picker .consent")
    expect(consent).to_contain_text(MEANING_MODELS["semantic"])
    expect(consent).to_contain_text("from this site")
    assert serious(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Not now")).to_be_focused()
    page.keyboard.press("Enter")
    expect(consent).to_have_count(0)
    expect(page.locator("#picker input[value='lexical-only']")).to_be_focused()
    assert view(page)["factory"] == "lexical-only"
    assert models_in(asked) == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_factory(page, "semantic")
    assert page.evaluate("location.search") == "?factory=semantic"
    search_for(page, QUESTION)
    wait_factory(page, "semantic")  # with a query: its sources have answered, so its model has come
    assert {path.rsplit("/", 2)[-2] for path in models_in(asked)} == {MEANING_MODELS["semantic"]}


def test_an_address_that_names_a_factory_asks_too(
    context: BrowserContext, meaning: str, asked: list[str]
) -> None:
    page = open_page(context, f"{meaning}?q=hooves&factory=tiny")
    wait_answer(page, "hooves")
    expect(page.locator("#picker .consent")).to_contain_text(MEANING_MODELS["tiny"])
    assert view(page)["answer"]["factory"] == "lexical-only"
    assert models_in(asked) == []


@pytest.mark.parametrize(
    ("factory", "sources"),
    [
        ("tiny", {"Words", "Passages"}),
        ("semantic", {"Words", "Meaning"}),
        ("three-source", {"Words", "Passages", "Meaning"}),
    ],
)
def test_each_factory_answers_and_its_bars_say_by_what(
    kept: BrowserContext, meaning: str, asked: list[str], factory: str, sources: set[str]
) -> None:
    page = open_page(kept, f"{meaning}?factory={factory}")
    search_for(page, "when does the dentist file molars")
    wait_factory(page, factory)
    shown = view(page)
    assert shown["answer"]["degraded"] == []
    assert shown["results"][0]["url"] == "teeth.html"
    page.locator("#search .why-button").first.click()
    panel = page.locator("#search .why")
    expect(panel.locator("table").last).to_be_visible()
    named = panel.locator("table").first.locator("tbody th").all_inner_texts()
    assert set(named) == sources
    bars = panel.locator("table").first.locator(".bar-fill")
    assert all(width > 0 for width in bars.evaluate_all("(all) => all.map((bar) => bar.offsetWidth)"))
    # The waterfall: every source has its time, one begins where another ends.
    times = panel.locator("table").last
    assert sources <= set(times.locator("tbody th").all_inner_texts())
    assert times.locator(".bar-fill.total").count() == 1
    assert models_in(asked) == []
    page.close()


def test_recorded_questions_are_ranked_by_meaning_without_a_model(
    context: BrowserContext, meaning: str, asked: list[str]
) -> None:
    page = open_page(context, meaning)
    questions = page.locator("#recorded button")
    assert questions.all_inner_texts() == list(MEANING_QUESTIONS.values())
    questions.first.click()
    wait_answer(page, QUESTION)
    shown = view(page)
    assert (shown["answer"]["factory"], shown["answer"]["degraded"]) == ("semantic", [])
    assert shown["results"][0]["url"] == "teeth.html"
    expect(page.locator("#recorded-note")).to_contain_text("no model was loaded")
    page.locator("#search .why-button").first.click()
    expect(page.locator("#search .why")).to_contain_text("Meaning")
    search_for(page, "hooves")
    expect(page.locator("#recorded-note")).to_be_hidden()
    assert view(page)["answer"]["factory"] == "lexical-only"
    assert models_in(asked) == []


def test_two_factories_side_by_side_without_a_model(
    context: BrowserContext, meaning: str, asked: list[str]
) -> None:
    page = open_page(context, f"{meaning}#compare")
    page.locator("#compare-questions button", has_text=QUESTION).click()
    columns = page.locator("#compare-columns .column")
    left, right = (columns.nth(number).locator("hinny-search") for number in range(2))
    first = right.locator("a.hit .title").first
    expect(first).to_have_text("Teeth")
    expect(right.locator(".row.only-here").first).to_be_visible()
    expect(columns.nth(1)).to_contain_text("no model was loaded")
    expect(left.locator(".empty")).to_be_visible()
    assert serious(page) == []
    # Any other question needs the model, which is offered with its size.
    page.locator("#compare-input").fill("water")
    expect(columns.nth(1).locator(".reason")).to_contain_text("Download its model")
    expect(right.locator("a.hit .title").first).to_have_text("Water")
    assert models_in(asked) == []


def test_with_the_network_off_the_second_visit_searches_by_meaning(
    kept: BrowserContext, meaning: str
) -> None:
    page = open_page(kept, f"{meaning}?factory=three-source")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    search_for(page, QUESTION)
    wait_factory(page, "three-source")
    page.close()
    kept.set_offline(True)
    try:
        page = open_page(kept, f"{meaning}?factory=three-source&q=thirsty")
        wait_factory(page, "three-source")
        shown = view(page)
        assert shown["answer"]["degraded"] == []
        assert shown["results"][0]["url"] == "water.html"
        expect(box(page)).to_have_value("thirsty")
        page.close()
    finally:
        kept.set_offline(False)


def test_by_meaning_nothing_jumps_and_nothing_blocks(kept: BrowserContext, meaning: str) -> None:
    page = kept.new_page()
    page.add_init_script(WATCH)
    page.goto(f"{meaning}?factory=three-source")
    wait_ready(page)
    box(page).click()
    page.evaluate("long.length = 0")
    page.keyboard.type("when does the dentist come", delay=60)
    wait_answer(page, QUESTION)
    wait_factory(page, "three-source")
    assert page.evaluate("shift") < 0.05
    assert len(page.evaluate("long")) <= 2
    page.close()
