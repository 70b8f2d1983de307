"""Search by words over the built demo: answers, keys, the dialog, explanations, links, the strict policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from other_browsers.conftest import Answers
from other_browsers.server import EMPTY, Server
from other_browsers.tab import Tab

QUERIES = [
    "create index concurrently",
    "pg_stat_activity",
    '"write ahead log" archive',
    "vaccum",
    "continuous archiving -replication",
]


@pytest.fixture
def demo(warm: Tab, manual: str) -> Iterator[Tab]:
    """The demo with its core up."""
    warm.open(manual)
    warm.wait_ready()
    yield warm


@pytest.mark.parametrize("query", QUERIES)
def test_answers_are_those_of_the_command_line(
    demo: Tab, query: str, site_folder: Path, on_cpython: Answers
) -> None:
    demo.search_for(query)
    demo.press(Keys.ENTER)  # whole words, as the command line takes them
    demo.wait("return document.querySelector('#search').view.answer?.query.text === arguments[0]", query)
    found = demo.ask(
        """const { sharedClient } = await import(new URL("app/hinny.js", location.href).href);
        const session = await sharedClient().open({ bundle: "./" });
        const answer = await session.search({ text: args[0], limit: 10 });
        await session.close();
        return answer.results.map(({ url, score }) => [url, score]);""",
        query,
    )
    expected = on_cpython(site_folder, query)
    assert [url for url, _ in found] == [url for url, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], rel=1e-6)
    assert demo.view()["results"][0]["url"] == expected[0][0]


def test_python_starts_from_the_snapshot(demo: Tab) -> None:
    marks = demo.ask(
        """const { sharedClient } = await import(new URL("app/hinny.js", location.href).href);
        return await sharedClient().start();"""
    )
    assert "python" in marks, "the snapshot did not fit, and Python started plainly"


def test_typing_shows_only_the_answer_to_what_the_box_says(demo: Tab) -> None:
    demo.run(
        """window.shown = [];
        const search = document.querySelector("#search");
        search.addEventListener("hinny-answer", (event) => {
          window.shown.push([event.detail.answer.query.text, search.query]);
        });"""
    )
    demo.press("/")  # the focus goes to the box
    for letter in "logical replication slot":
        demo.press(letter)
    demo.wait_answer("logical replication slot")
    shown = demo.run("return window.shown")
    assert shown[-1][0] == "logical replication slot"
    assert all(answered == asked for answered, asked in shown)


def test_by_keyboard_alone_to_a_hit_and_back(demo: Tab) -> None:
    demo.press("/")
    demo.press("create index")
    demo.wait_answer("create index")
    active = """const root = document.querySelector("#search").shadowRoot;
    const id = root.querySelector("input").getAttribute("aria-activedescendant");
    return id && root.getElementById(id).innerText;"""
    assert demo.run(active) is None
    demo.press(Keys.ARROW_DOWN)
    first = demo.wait(active)
    demo.press(Keys.ARROW_DOWN)
    assert demo.wait(active) != first
    demo.press(Keys.ARROW_UP)
    assert demo.wait(active) == first
    demo.press(Keys.ESCAPE)  # back to the box
    assert demo.run(active) is None
    assert demo.view()["query"] == "create index"
    demo.press(Keys.ARROW_DOWN, Keys.ENTER)
    demo.wait("return location.pathname.includes('/site/')")
    demo.driver.back()
    demo.wait_answer("create index")
    demo.run("document.querySelector('#search').focus()")
    demo.press(Keys.ESCAPE, Keys.ESCAPE)  # leaves the hit, where one is active, then empties the box
    demo.wait("return document.querySelector('#search').view.query === ''")


def test_a_hit_is_marked_and_leads_to_its_passage(demo: Tab) -> None:
    demo.search_for("building indexes concurrently")
    assert {text.lower() for text in demo.texts("mark")} & {"building", "indexes", "concurrently"}
    link = demo.one("a.hit[href*='CONCURRENTLY']")
    assert ":~:text=" in (link.get_attribute("href") or "")
    link.click()
    demo.wait("return location.pathname.endsWith('/site/sql-createindex.html')")
    demo.wait("return document.readyState === 'complete' && scrollY > 0")
    assert demo.run("return location.hash") == "#SQL-CREATEINDEX-CONCURRENTLY"


def test_why_this_result_opens_by_keys(demo: Tab) -> None:
    demo.search_for("create index")
    demo.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER)
    demo.one(".why")
    said = demo.one(".why").text.lower()
    assert "create" in said
    assert "index" in said
    assert "ms" in said
    # Bars are as long as their numbers say: set by script, which the policy allows.
    widths = demo.run(
        """const root = document.querySelector("#search").shadowRoot;
        return [...root.querySelectorAll(".why *")].map((e) => e.style.length).filter(Boolean).length;"""
    )
    assert widths > 0


def test_titles_answer_before_the_core_is_up(fresh: Tab, manual: str) -> None:
    fresh.open(manual)
    fresh.one("input.input").send_keys("create ind")
    fresh.wait(
        """const root = document.querySelector("#search").shadowRoot;
        return [...root.querySelectorAll(".title")].some((hit) => hit.innerText.includes("CREATE INDEX"));"""
    )
    fresh.wait_answer("create ind")


class TestUnderTheStrictPolicy:
    @pytest.fixture
    def strict(self, site_folder: Path) -> Iterator[str]:
        server = Server(site_folder, strict=True)
        yield server.url
        server.close()

    def test_the_demo_answers_and_nothing_is_forbidden(self, fresh: Tab, strict: str) -> None:
        fresh.open(strict)
        fresh.run(
            """window.forbidden = [];
            addEventListener("securitypolicyviolation", (e) => window.forbidden.push(e.violatedDirective));"""
        )
        fresh.wait_ready()
        assert fresh.search_for("pg_stat_activity")
        fresh.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ENTER)
        fresh.one(".why")
        assert fresh.run("return window.forbidden") == []
        # The sheet of the element's own styles applies.
        assert fresh.run("return getComputedStyle(arguments[0]).display", fresh.one(".box")) == "flex"

    def test_the_dialog_opens_by_its_keys_and_closes(self, fresh: Tab, strict: str) -> None:
        fresh.open(strict + EMPTY)
        fresh.ask(
            """await import(new URL("app/hinny.js", location.href).href);
            const element = document.createElement("hinny-search");
            element.id = "search";
            element.setAttribute("mode", "dialog");
            element.setAttribute("bundle", "./");
            document.body.append(element);
            await element.start();"""
        )
        is_open = "return document.querySelector('#search').shadowRoot.querySelector('dialog').open"
        for opening in ("chord", "/"):
            if opening == "chord":
                fresh.chord(Keys.CONTROL, "k")
            else:
                fresh.press("/")
            fresh.wait(is_open)
            fresh.press("vacuum full")
            fresh.wait_answer("vacuum full")
            fresh.press(Keys.ESCAPE)
            fresh.wait(f"{is_open} === false")
        fresh.chord(Keys.CONTROL, "k")
        fresh.wait(is_open)
        fresh.search_for("vacuum full")
        fresh.press(Keys.ENTER)
        fresh.wait("return location.hash.length > 1 || location.pathname.endsWith('.html')")
