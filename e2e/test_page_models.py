"""A model refused, slow, damaged or too large: words answer, the page says what is missing and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from page_support import choose_factory, drawn, search_for, serious, view, wait_factory, wait_ready

GRAPH = "**/models/minilm-l6-int8/**/*.onnx"
QUESTION = "when do we trim hooves"


@pytest.fixture
def visit(browser: Browser, meaning: str) -> Iterator[Page]:
    """A first visit whose requests are the page's own, so that a route stands in for the server."""
    context = browser.new_context(locale="en-GB", service_workers="block")
    context.set_default_timeout(90_000)
    page = context.new_page()
    page.goto(meaning)
    wait_ready(page)
    yield page
    context.close()


def damaged(route: Route) -> None:
    """One bit of the file turned."""
    found = route.fetch()
    body = bytearray(found.body())
    body[len(body) // 2] ^= 1
    route.fulfill(response=found, body=bytes(body))


def failed(page: Page) -> None:
    page.wait_for_function(
        """() => document.querySelector('#search').view.answer?.degraded
          .some(({ reason }) => reason === 'error')"""
    )
    drawn(page)


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (lambda route: route.fulfill(status=404, body="no"), "404"),
        (lambda route: route.fulfill(status=403, body="no"), "403"),
        (lambda route: route.fulfill(body="<html>", content_type="text/html"), "web page"),
        (damaged, "SHA-256"),
    ],
    ids=["missing", "refused", "login page", "damaged"],
)
def test_words_answer_and_the_missing_source_is_named_until_it_comes(
    visit: Page, handler: Callable[[Route], Any], reason: str
) -> None:
    visit.context.route(GRAPH, handler)
    choose_factory(visit, "semantic")
    search_for(visit, QUESTION)
    failed(visit)
    assert view(visit)["results"][0]["url"] == "hooves.html"
    expect(visit.locator("#search .status .without")).to_have_text("without Meaning")
    notice = visit.locator("#search .notices .degraded")
    expect(notice).to_contain_text(reason, ignore_case=True)
    visit.locator("#search .why-button").first.click()
    expect(visit.locator("#search .why .note")).to_contain_text(reason, ignore_case=True)
    assert serious(visit) == []
    visit.context.unroute(GRAPH)
    notice.get_by_role("button", name="Try again").click()
    wait_factory(visit, "semantic")
    expect(notice).to_have_count(0)
    expect(visit.locator("#search .status .without")).to_have_count(0)


def test_while_a_model_stands_still_words_answer_and_it_goes_on_when_the_line_is_back(visit: Page) -> None:
    held: list[Route] = []
    visit.context.route(GRAPH, lambda route: held.append(route))
    choose_factory(visit, "semantic")
    for query in (QUESTION, "water", "hay"):
        search_for(visit, query)
        assert view(visit)["results"]
        assert [lost["reason"] for lost in view(visit)["answer"]["degraded"]] == ["loading"]
    expect(visit.locator("#search .notices .degraded")).to_contain_text("still loading")
    expect(visit.locator("#search .notices .degraded button")).to_have_count(0)
    expect(visit.locator("#search .status .starting")).to_contain_text("Model")
    for route in held:
        route.continue_()
    wait_factory(visit, "semantic")
    expect(visit.locator("#search .status .starting")).to_have_count(0)


def test_a_model_that_never_comes_is_given_up_with_its_reason(visit: Page, meaning: str) -> None:
    visit.context.route(GRAPH, lambda route: None)
    visit.goto(meaning + "empty.html")
    visit.evaluate(
        """async () => {
          const { sharedClient } = await import("./app/hinny.js");
          sharedClient({ downloads: { stallMs: 500, attempts: 1 } });
          const search = document.createElement("hinny-search");
          search.id = "search";
          search.setAttribute("bundle", "./");
          search.setAttribute("lang", "en");
          search.setAttribute("factory", "semantic");
          document.body.append(search);
        }"""
    )
    search_for(visit, QUESTION)
    failed(visit)
    expect(visit.locator("#search .notices .degraded")).to_contain_text("0.5 s")
    assert view(visit)["results"][0]["url"] == "hooves.html"


def test_one_of_two_models_leaves_the_other_sources(visit: Page) -> None:
    visit.context.route(GRAPH, lambda route: route.fulfill(status=404, body="no"))
    choose_factory(visit, "three-source")
    search_for(visit, QUESTION)
    failed(visit)
    visit.wait_for_function("() => document.querySelector('#search').view.answer.degraded.length === 1")
    (lost,) = view(visit)["answer"]["degraded"]
    assert (lost["source"], lost["reason"]) == ("vector", "error")
    visit.locator("#search .why-button").first.click()
    panel = visit.locator("#search .why table").first
    expect(panel).to_contain_text("Passages")
    assert "Meaning" not in panel.inner_text()


def test_a_model_without_room_works_and_the_page_says_that_it_comes_again(visit: Page, meaning: str) -> None:
    search_for(visit, "water")
    used = visit.evaluate("navigator.storage.estimate().then(({ usage }) => usage)")
    control = visit.context.new_cdp_session(visit)
    origin = meaning.split("/sites/", 1)[0]
    control.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": used + 8_000_000})
    choose_factory(visit, "semantic")
    wait_factory(visit, "semantic")
    expect(visit.locator("#search .status .problem")).to_contain_text("will be downloaded again")
    assert view(visit)["answer"]["degraded"] == []
