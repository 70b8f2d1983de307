"""`<hinny-search>` over prepared answers: what is shown of them, and how a reader moves through it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from page_support import answer, box, drawn, hit, mount, search_for, view, wait_answer

THREE_PAGES = answer(
    [
        hit(1, page="a.html", title="CREATE INDEX", exact=True, reasons=["exact-promotion"]),
        hit(2, page="a.html", headings=[{"text": "Parameters", "marks": []}]),
        hit(3, page="b.html", title="DROP INDEX"),
        hit(4, page="a.html", headings=[{"text": "Notes", "marks": []}]),
        hit(5, page="c.html", title="Partial Indexes"),
    ]
)


def rows(page: Page) -> list[str]:
    """Each row's text up to its first line break."""
    return [text.split("\n")[0] for text in page.locator("#search .row").all_inner_texts()]


def test_hits_stand_under_their_page_in_the_order_of_the_best(page: Page, site: str) -> None:
    mount(page, site, {"*": THREE_PAGES})
    search_for(page, "index")
    assert rows(page) == ["CREATE INDEX", "Parameters", "Notes", "DROP INDEX", "Partial Indexes"]
    assert page.locator("#search .group").count() == 3
    expect(page.locator("#search .count")).to_contain_text("5 results in")


def test_many_hits_of_one_page_wait_behind_a_button(page: Page, site: str) -> None:
    many = [hit(n, page="a.html", headings=[{"text": f"H{n}", "marks": []}]) for n in range(1, 9)]
    mount(page, site, {"*": answer(many)})
    search_for(page, "x")
    assert page.locator("#search .row.sub").count() == 3
    page.locator("#search .in-page").click()
    assert page.locator("#search .row.sub").count() == 7
    assert page.locator("#search .in-page").count() == 0


def test_excerpts_are_marked_by_offsets(page: Page, site: str) -> None:
    mount(page, site, {"*": THREE_PAGES})
    search_for(page, "index")
    assert page.locator("#search .excerpt mark").first.inner_text() == "excerpt"


def test_a_link_names_its_anchor_and_passage(page: Page, site: str) -> None:
    mount(page, site, {"*": THREE_PAGES}, base="https://docs.example.org/manual/")
    search_for(page, "index")
    href = page.locator("#search a.hit").first.get_attribute("href")
    assert href == "https://docs.example.org/manual/a.html#s1:~:text=An%20excerpt"


class TestNotices:
    def test_did_you_mean_asks_again(self, page: Page, site: str) -> None:
        mount(
            page,
            site,
            {
                "vaccum": answer([], query={"didYouMean": "vacuum"}),
                "vacuum": answer([hit(1, title="VACUUM")]),
            },
        )
        search_for(page, "vaccum")
        expect(page.locator("#search .empty")).to_contain_text("Nothing found for “vaccum”")
        page.locator("#search .did-you-mean button").click()
        expect(page.locator("#search .title").first).to_have_text("VACUUM")
        expect(box(page)).to_have_value("vacuum")
        expect(box(page)).to_be_focused()

    def test_other_words_problems_and_missing_sources_are_named(self, page: Page, site: str) -> None:
        shown = answer(
            [hit(1)],
            query={"alsoSearched": ["indexes", "indexing"], "problems": ["an operator stands alone"]},
            degraded=[
                {"source": "vector", "reason": "loading", "message": ""},
                {"source": "tokens", "reason": "error", "message": "out of memory"},
            ],
        )
        mount(page, site, {"*": shown})
        search_for(page, "index")
        assert page.locator("#search .notices p").all_inner_texts() == [
            "Also searched: indexes, indexing",
            "an operator stands alone",
            "“Meaning” is still loading; these results do without it.",
            "“Passages” could not answer; these results do without it. out of memory Try again",
        ]
        expect(page.locator("#search .status .without")).to_have_text("without Meaning and Passages")

    def test_an_error_is_told_and_the_next_query_works(self, page: Page, site: str) -> None:
        mount(page, site, {"bad": {"error": "KeyError: 'bad'"}, "*": THREE_PAGES})
        search_for(page, "bad")
        expect(page.locator("#search [role=alert]")).to_have_text("KeyError: 'bad'")
        search_for(page, "good")
        expect(page.locator("#search [role=alert]")).to_have_count(0)
        assert len(rows(page)) == 5


def test_facets_filter_and_can_be_removed(page: Page, site: str) -> None:
    facets = {
        "kind": [
            {"value": "guide", "before": 3, "after": 3},
            {"value": "<b>reference</b>", "before": 2, "after": 2},
        ]
    }
    mount(page, site, {"*": {**THREE_PAGES, "facets": facets}})
    search_for(page, "index")
    chip = page.locator("#search .chip", has_text="guide")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "true")
    page.locator("#search .chip", has_text="<b>reference</b>").click()
    page.wait_for_function("() => asked.length === 3")
    assert page.evaluate("asked.at(-1).filters") == {"kind": ["guide", "<b>reference</b>"]}
    page.get_by_role("button", name="Remove filters").click()
    page.wait_for_function("() => asked.length === 4")
    assert page.evaluate("asked.at(-1).filters") is None


def test_more_results_are_put_behind_those_that_are_shown(page: Page, site: str) -> None:
    mount(page, site, {"*": answer([hit(n) for n in range(1, 46)])})
    search_for(page, "x")
    button = page.get_by_role("button", name="Show more results")
    for count in (10, 30, 45):
        page.wait_for_function(
            "(n) => document.querySelector('#search').view.results.length === n", arg=count
        )
        drawn(page)
        assert page.locator("#search .row").count() == count
        if count < 45:
            button.click()
    expect(button).to_be_hidden()


def test_why_shows_sources_words_reasons_and_time(page: Page, site: str) -> None:
    word = {"tf": 1, "idf": 2.3, "weight": 1}
    explanation = {
        "sources": [
            {"name": "lexical", "rank": 1, "score": 12.4, "contribution": 0.0164},
            {"name": "vector", "rank": 3, "score": 0.71, "contribution": 0.0082},
        ],
        "terms": [
            {**word, "word": "index", "match": "exact", "field": "title", "contribution": 5.2},
            {**word, "word": "indx", "match": "typo", "field": "text", "contribution": 1.3},
            {**word, "word": "indeks", "match": "sound", "field": "text", "contribution": 0.3},
        ],
        "rerank": {"cross-encoder": 0.8},
        "reasons": ["weak-lexical"],
    }
    best = hit(1, title="CREATE INDEX", exact=True, reasons=["exact-promotion"], explanation=explanation)
    mount(page, site, {"*": answer([best], timings={"parse": 1.0, "lexical": 3.0, "total": 4.0}, ms=4.0)})
    search_for(page, "index")
    button = page.locator("#search .why-button")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    panel = page.locator("#search .why")
    text = panel.inner_text()
    kinds = ("spelling", "sounds like", "Exact match", "Moved up")
    for said in ("Words", "Meaning", "12.4", "0.0164", *kinds, "4 ms"):
        assert said in text, said
    lengths = panel.locator(".bar-fill").evaluate_all(
        "(bars) => bars.map((bar) => Math.round(100 * bar.offsetWidth / bar.parentElement.offsetWidth))"
    )
    # Sources 1 and 1/2, words 1, 1/4 and 6 %, the one reranker, then parse, lexical and the total.
    assert lengths == pytest.approx([100, 50, 100, 25, 6, 100, 25, 75, 100], abs=1)
    starts = panel.locator(".bar-fill.time").evaluate_all("(bars) => bars.map((bar) => bar.offsetLeft > 0)")
    assert starts == [False, True, False]
    button.click()
    expect(panel).to_have_count(0)


class TestKeyboard:
    def active(self, page: Page) -> str | None:
        """The text of the cell that the box points to."""
        found: str | None = page.evaluate(
            """() => {
              const root = document.querySelector("#search").shadowRoot;
              const id = root.querySelector("input").getAttribute("aria-activedescendant");
              return id && root.getElementById(id).innerText.split("\\n")[0];
            }"""
        )
        return found

    def test_arrows_home_end_and_escape(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES})
        search_for(page, "index")
        assert self.active(page) is None
        expected = {
            "ArrowDown": "CREATE INDEX",
            "End": "Partial Indexes",
            "ArrowUp": "DROP INDEX",
            "Home": "CREATE INDEX",
        }
        for key, title in expected.items():
            page.keyboard.press(key)
            assert self.active(page) == title
        page.keyboard.press("ArrowUp")
        assert self.active(page) is None
        page.keyboard.press("ArrowUp")
        assert self.active(page) == "Partial Indexes"
        page.keyboard.press("ArrowDown")
        assert self.active(page) is None
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Escape")
        assert self.active(page) is None
        expect(box(page)).to_have_value("index")
        page.keyboard.press("Escape")
        expect(box(page)).to_have_value("")
        assert view(page)["results"] == []

    def test_home_and_end_move_the_caret_while_no_row_is_active(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES})
        search_for(page, "index")
        page.keyboard.press("Home")
        page.keyboard.type("my ")
        expect(box(page)).to_have_value("my index")

    def test_right_and_enter_explain_left_and_enter_open(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES})
        search_for(page, "index")
        page.evaluate(
            """() => document.querySelector("#search").addEventListener("hinny-open", (event) => {
              event.preventDefault();
              globalThis.opened = event.detail.result.url;
            })"""
        )
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator("#search .why")).to_be_visible()
        assert "Exact match" in page.locator("#search .why").inner_text()
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        assert page.evaluate("opened") == "a.html#s1"
        expect(box(page)).to_be_focused()

    def test_the_place_stays_on_its_hit_when_new_answers_come(self, page: Page, site: str) -> None:
        other = answer(
            [hit(3, page="b.html", title="DROP INDEX"), hit(1, page="a.html", title="CREATE INDEX")]
        )
        mount(page, site, {"index": THREE_PAGES, "*": other})
        search_for(page, "index")
        for _ in range(4):
            page.keyboard.press("ArrowDown")
        assert self.active(page) == "DROP INDEX"
        search_for(page, "index d")
        assert self.active(page) == "DROP INDEX"


class TestDialog:
    def test_opens_by_shortcut_slash_and_button_and_gives_focus_back(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES}, mode="dialog")
        dialog = page.locator("#search dialog")
        expect(dialog).to_be_hidden()
        for opening in ("Control+k", "/", "button"):
            if opening == "button":
                page.locator("#search .opener").click()
            else:
                page.keyboard.press(opening)
            expect(dialog, opening).to_be_visible()
            expect(box(page)).to_be_focused()
            page.keyboard.type("index")
            expect(page.locator("#search .title").first).to_be_visible()
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()
        expect(page.locator("#search .opener")).to_be_focused()

    def test_enter_opens_the_first_hit(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES}, mode="dialog", base=site)
        page.keyboard.press("Control+k")
        search_for(page, "index")
        page.keyboard.press("Enter")
        page.wait_for_url("**/a.html#s1**")

    def test_what_led_to_a_hit_is_offered_again_and_can_be_forgotten(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES}, mode="dialog")
        page.evaluate(
            """() => document.querySelector("#search")
              .addEventListener("hinny-open", (event) => event.preventDefault())"""
        )
        for query in ("create index", "drop index"):
            page.keyboard.press("Control+k")
            search_for(page, query)
            page.keyboard.press("Enter")
        expect(page.locator("#search dialog")).to_be_hidden()
        page.keyboard.press("Control+k")
        page.locator("#search .clear").click()
        recent = page.locator("#search .recent [data-query]")
        expect(recent).to_have_text(["drop index", "create index"])
        for key in ("ArrowDown", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        wait_answer(page, "create index")
        expect(box(page)).to_have_value("create index")
        page.locator("#search .clear").click()
        page.get_by_role("button", name="Forget them").click()
        expect(recent).to_have_count(0)
        assert page.evaluate("localStorage.length") == 0

    def test_a_click_beside_it_closes_it(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES}, mode="dialog")
        page.keyboard.press("Control+k")
        page.mouse.click(5, 400)
        expect(page.locator("#search dialog")).to_be_hidden()


class TestLanguages:
    def test_texts_and_numbers_are_the_languages_own(self, page: Page, site: str) -> None:
        mount(page, site, {"*": answer([hit(1)], total=12345)}, lang="de")
        search_for(page, "x")
        expect(page.locator("#search .count")).to_contain_text("12.345 Treffer")
        expect(box(page)).to_have_attribute("placeholder", "Suchen")

    def test_right_to_left_mirrors_the_arrows_too(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES}, lang="ar")
        search_for(page, "x")
        assert page.locator("#search .root").get_attribute("dir") == "rtl"
        why = page.locator("#search .why-button").first.bounding_box()
        link = page.locator("#search a.hit").first.bounding_box()
        assert why and link and why["x"] < link["x"]
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        expect(page.locator("#search .why")).to_be_visible()

    def test_a_change_of_language_keeps_the_query(self, page: Page, site: str) -> None:
        mount(page, site, {"*": THREE_PAGES})
        search_for(page, "index")
        page.evaluate("document.querySelector('#search').setAttribute('lang', 'fr')")
        expect(page.locator("#search .count")).to_contain_text("5 résultats")
        expect(box(page)).to_have_value("index")


HOSTILE = [
    hit(1, title='<img src=x onerror="globalThis.hacked=1"><script>hacked=1</script>'),
    hit(2, title="script URL", url="javascript:globalThis.hacked=1", page="javascript:1"),
    hit(3, title="data URL", url="data:text/html,<script>1</script>", page="data:1"),
    hit(4, title="x" * 1_000_000, excerpt={"text": "y " * 500_000, "marks": [[0, 900_000]]}),
    hit(5, title="safe\u202egnp.exe\u2066", headings=[{"text": "\u202eover", "marks": [[-5, 99], [3, 1]]}]),
    hit(6, title="</bdi></span></a><h1>out</h1>", language='"><script>1</script>'),
]


def test_hostile_documents_are_text(page: Page, site: str) -> None:
    mount(page, site, {"*": answer(HOSTILE, query={"didYouMean": "<b>x</b>", "problems": ["<i>p</i>"]})})
    search_for(page, "<script>hacked=1</script>")
    page.wait_for_timeout(200)
    assert page.evaluate("globalThis.hacked") is None
    root = page.locator("#search .root")
    assert root.locator("img, script, h1, i, iframe").count() == 0
    titles = page.locator("#search .title").all_inner_texts()
    assert titles[0].startswith("<img src=x onerror=")
    assert titles[5] == "</bdi></span></a><h1>out</h1>"
    # No link for what is unsafe to open; the text is there all the same.
    assert page.locator("#search span.unlinked").count() == 2
    assert "script URL" in titles
    hrefs: list[Any] = page.locator("#search a").evaluate_all("(links) => links.map((link) => link.protocol)")
    assert set(hrefs) == {"http:"}
    assert page.locator("#search .title").nth(3).inner_text() == "x" * 200 + "…"
    # A control in one title turns nothing outside of it around.
    isolated = (
        page.locator("#search .title bdi").nth(4).evaluate("(run) => getComputedStyle(run).unicodeBidi")
    )
    assert isolated == "isolate"
    assert page.locator("#search .row").count() == 6


def test_several_elements_share_one_worker(page: Page, site: str) -> None:
    page.goto(site + "empty.html")
    page.evaluate(
        """async () => {
          await import("./app/hinny.js");
          for (const mode of ["inline", "dialog", "inline"]) {
            const element = document.createElement("hinny-search");
            element.setAttribute("mode", mode);
            document.body.append(element);
          }
          await Promise.all([...document.querySelectorAll("hinny-search")].map((element) => element.start()));
        }"""
    )
    phases = page.locator("hinny-search").evaluate_all("(all) => all.map((element) => element.view.phase)")
    assert phases == ["ready"] * 3
    assert len(page.workers) == 1


def test_every_part_and_colour_can_be_set_from_outside(page: Page, site: str) -> None:
    mount(page, site, {"*": THREE_PAGES})
    page.evaluate(
        """() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(`hinny-search { --hinny-accent: rgb(1, 2, 3) }
            hinny-search::part(box) { border-radius: 33px }`);
          document.adoptedStyleSheets = [sheet];
        }"""
    )
    search_for(page, "index")
    style = "(element, name) => getComputedStyle(element)[name]"
    assert page.locator("#search .title").first.evaluate(style, "color") == "rgb(1, 2, 3)"
    assert page.locator("#search .box").evaluate(style, "borderTopLeftRadius") == "33px"
