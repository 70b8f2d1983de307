"""What every reader needs: nothing serious for axe, no jumping page, no blocked page, phones, dark rooms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from page_support import WATCH, answer, box, hit, mount, search_for, serious, wait_answer, wait_ready

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module", params=["light", "dark"])
def scheme(request: pytest.FixtureRequest, browser: Browser, site: str) -> Iterator[Page]:
    context = browser.new_context(color_scheme=request.param, viewport={"width": 1280, "height": 800})
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(site)
    wait_ready(page)
    yield page
    context.close()


def test_axe_finds_nothing_serious_on_any_view(scheme: Page) -> None:
    assert serious(scheme) == []
    search_for(scheme, "create index")
    scheme.keyboard.press("ArrowDown")
    scheme.locator("#search .why-button").first.click()
    scheme.locator("#search .why").wait_for()
    assert serious(scheme) == []
    for view in ("compare", "yours", "device", "benchmarks"):
        scheme.evaluate("(view) => { location.hash = view; }", view)
        scheme.locator(f"#view-{view}").wait_for()
        scheme.wait_for_timeout(300)
        assert serious(scheme) == [], view


def test_axe_finds_nothing_serious_in_the_dialog(page: Page, site: str) -> None:
    facets = {"kind": [{"value": "guide", "before": 1, "after": 1}]}
    shown = answer([hit(1), hit(2)], facets=facets, query={"didYouMean": "x", "alsoSearched": ["y"]})
    mount(page, site, {"*": shown}, mode="dialog")
    page.evaluate("document.documentElement.lang = 'en'")
    page.keyboard.press("Control+k")
    search_for(page, "x")
    assert serious(page) == []


def test_the_count_is_spoken_once_the_reader_pauses(page: Page, site: str) -> None:
    mount(page, site, {"*": answer([hit(1), hit(2)])})
    live = page.locator("#search .live")
    assert live.get_attribute("aria-live") == "polite"
    search_for(page, "x")
    assert live.inner_text() == ""
    expect(live).to_have_text("2 results")


@pytest.mark.parametrize("query", ["", "?q=create+index"])
def test_the_page_does_not_jump(context: BrowserContext, site: str, query: str) -> None:
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(site + query)
    wait_ready(page)
    if query:
        wait_answer(page, "create index")
    page.wait_for_timeout(500)
    assert page.evaluate("shift") < 0.05


def test_searching_does_not_block_the_page(context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(site)
    wait_ready(page)
    box(page).click()
    page.evaluate("long.length = 0")
    page.keyboard.type("create index concurrently", delay=60)
    wait_answer(page, "create index concurrently")
    # 25 letters, each with its own answer: a busy machine may stretch one or two tasks, not more.
    assert len(page.evaluate("long")) <= 2


def test_on_a_phone_nothing_is_cut_and_everything_can_be_touched(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(site)
    wait_ready(page)
    search_for(page, "create index")
    # With the first answer the box is at the top, and the hits can be seen.
    first = page.locator("#search a.hit").first.bounding_box()
    assert first is not None
    assert 0 < first["y"] < PHONE["height"] / 3
    page.locator("#search .why-button").first.tap()
    page.locator("#search .why").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small: list[Any] = page.locator("#search a.hit, #search button").evaluate_all(
        """(all) => all.map((element) => element.getBoundingClientRect())
          .filter(({ width, height }) => width > 0 && (width < 24 || height < 24))
          .map(({ width, height }) => [width, height])"""
    )
    assert small == []
    # Below 16 pixels a phone zooms into the box.
    size = box(page).evaluate("(input) => parseFloat(getComputedStyle(input).fontSize)")
    assert size >= 16
    context.close()


def test_motion_is_left_out_for_those_who_ask(browser: Browser, site: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    mount(page, site, {"*": answer([hit(1)])})
    durations = page.locator("#search .box, #search .progress span").evaluate_all(
        "(all) => all.map((element) => getComputedStyle(element).transitionDuration)"
    )
    assert set(durations) == {"0s"}
    context.close()
