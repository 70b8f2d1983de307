"""HTML to sections: what is text, where headings land, and what broken pages come to."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.site.html import NoText, parse_html
from hinny.site.sections import Link, Page


def page(html: str, url: str = "p.html") -> Page:
    return parse_html(dedent(html).encode(), url)


def outline(html: str) -> list[tuple[str, tuple[str, ...], str]]:
    return [(section.url, section.headings, section.text) for section in page(html).sections]


def test_a_page_is_cut_at_its_headings() -> None:
    found = page("""
        <!doctype html><html lang=en><title>Mules</title>
        <body><h1>Mules</h1><p>A cross.</p>
        <h2 id=care>Care</h2><p>Hay.
        <h3 id=hooves>Hooves</h3><p>Trim them every six weeks, and look at them daily.
        <h2 id=names>Names</h2><p>Short ones.
        """)
    assert found.title == "Mules"
    assert [(s.url, s.headings, s.text) for s in found.sections] == [
        ("p.html", (), "A cross."),
        ("p.html#care", ("Care",), "Hay."),
        ("p.html#hooves", ("Care", "Hooves"), "Trim them every six weeks, and look at them daily."),
        ("p.html#names", ("Names",), "Short ones."),
    ]
    assert {s.language for s in found.sections} == {"en"}
    assert {s.page for s in found.sections} == {"p.html"}


def test_text_before_the_first_heading_is_the_introduction() -> None:
    assert outline("<title>T</title><p>Before.</p><h2 id=a>A</h2><p>After.</p>") == [
        ("p.html", (), "Before."),
        ("p.html#a", ("A",), "After."),
    ]


@pytest.mark.parametrize(
    ("markup", "anchor"),
    [
        ("<h2 id=own>H</h2>", "own"),
        ("<h2><a name=inside></a>H</h2>", "inside"),
        ("<h2><a id=inside href='#inside'>H</a></h2>", "inside"),
        ("<h2><span id=inside>H</span></h2>", "inside"),
        ("<a name=before></a><h2>H</h2>", "before"),
        ("<p><a id=before></a></p><h2>H</h2>", "before"),
        ("<section id=around><h2>H</h2></section>", "around"),
        ("<div id=around><div class=titlepage><div><h2>H</h2></div></div></div>", "around"),
        ("<div id=outer><div id=inner><h2>H</h2></div></div>", "inner"),
        ("<div id=content><a name=near></a><h2>H</h2></div>", "near"),
        ("<span id=alias></span><section id=around><h2>H</h2></section>", "around"),
        # DocBook puts the anchors of index terms before a heading: the section's own id says more.
        ("<div id=SECT><a id=id-1.2 class=indexterm></a><h2>H</h2></div>", "SECT"),
        ("<h2>H<a class=headerlink href='#link'>¶</a></h2>", None),
        ("<h2>H <a href='#link'>#</a></h2>", "link"),
        ("<h2>H</h2>", None),
    ],
)
def test_a_headings_anchor_is_found(markup: str, anchor: str | None) -> None:
    text = "Text that is long enough to be a section."
    sections = outline(f"<title>T</title><h1>T</h1><p>Intro.</p>{markup}<p>{text}</p>")
    assert sections[1] == (f"p.html#{anchor}" if anchor else "p.html", ("H",), text)


def test_an_anchor_with_text_after_it_is_not_the_headings() -> None:
    sections = outline(
        "<title>T</title><h1>T</h1><a name=x></a><p>Intro.</p><h2>H</h2>"
        "<p>Text that is long enough to be a section.</p>"
    )
    assert sections[1][0] == "p.html"


def test_headings_without_anchors_share_a_url_and_differ_in_id() -> None:
    long = "Text that is long enough to be a section of its own."
    found = page(f"<title>T</title><h1>T</h1><p>Intro.<h2>A</h2><p>{long}<h2>B</h2><p>{long}")
    assert [s.url for s in found.sections] == ["p.html"] * 3
    assert [s.id for s in found.sections] == ["p.html", "p.html~2", "p.html~3"]


def test_an_unanchored_heading_below_an_anchored_one_links_to_it() -> None:
    long = "Text that is long enough to be a section of its own."
    found = page(f"<title>T</title><h1>T</h1><h2 id=a>A</h2><p>{long}<h3>B</h3><p>{long}")
    assert [(s.url, s.headings) for s in found.sections][1:] == [
        ("p.html#a", ("A",)),
        ("p.html#a", ("A", "B")),
    ]


def test_furniture_is_dropped() -> None:
    found = page("""
        <title>T</title><body>
        <header><h1>Site</h1><nav>Home</nav></header>
        <div role=navigation>Menu</div><div class="wide navheader">Next</div>
        <aside>Newest posts</aside>
        <script>var a = "script"</script><style>p{}</style><template><p>template</p></template>
        <noscript>Turn it on</noscript><p hidden>hidden</p><p aria-hidden=true>icon</p>
        <div data-hinny-ignore>ignored</div><form><select><option>One</select><button>Go</button></form>
        <svg><text>drawing</text></svg><iframe>frame</iframe>
        <article><header><h1>T</h1></header><p>Kept.</p><aside>A note beside.</aside>
        <footer>Tags</footer></article>
        <footer>Imprint</footer>
        """)
    assert [s.text for s in found.sections] == ["Kept.\nA note beside."]


def test_only_main_is_read_where_there_is_one() -> None:
    found = page("<title>T</title><body><p>Outside.</p><main><p>Inside.</p></main><p>Below.</p>")
    assert [s.text for s in found.sections] == ["Inside."]


def test_what_the_author_marks_is_read_alone() -> None:
    found = page(
        "<title>T</title><main><p>Not this.</p><div data-hinny-body><p>This.</p></div></main>"
        "<div data-pagefind-body>And this.</div>"
    )
    assert [s.text for s in found.sections] == ["This.\nAnd this."]


def test_blocks_are_lines_and_inline_elements_are_not() -> None:
    found = page(
        "<title>T</title><p>One <b>bo</b>ld\n  word.<p>Two<br>three<ul><li>a<li>b</ul>"
        "<table><tr><td>x<td>y<tr><td>z</table>"
    )
    assert found.sections[0].text == "One bold word.\nTwo\nthree\na\nb\nx y\nz"


def test_lines_of_code_stay_lines() -> None:
    found = page("<title>T</title><pre><code>SELECT 1\n   FROM a;\n</code></pre>")
    assert found.sections[0].text == "SELECT 1\nFROM a;"


def test_entities_and_odd_blanks_are_read() -> None:
    assert page("<title>A &amp; B</title><p>x&nbsp;&lt;y&gt; &#x1F40E;").title == "A & B"
    assert page("<title>T</title><p>x&nbsp;&lt;y&gt; &#x1F40E;").sections[0].text == "x <y> 🐎"


def test_the_language_is_that_of_most_of_a_section() -> None:
    found = page(
        "<html lang=en><title>T</title><h1>T</h1><p>English.</p>"
        "<div lang=de><h2 id=d>Deutsch</h2><p>Hier ist es <span lang=en>short</span> und deutsch.</p></div>"
        "<h2 id=e>More</h2><p>English again, with <i lang=la>sic</i>.</p>"
    )
    assert [(s.url, s.language) for s in found.sections] == [
        ("p.html", "en"),
        ("p.html#d", "de"),
        ("p.html#e", "en"),
    ]


def test_a_page_without_a_language_has_none() -> None:
    assert page("<title>T</title><p>x").sections[0].language is None


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Care</title><h1>Care of mules</h1><p>x", "Care"),
        ("<title>Care | Mules</title><h1>Care</h1><p>x", "Care"),
        ("<title>Care — The mule book</title><h1>Care</h1><p>x", "Care"),
        ("<title>Care: a guide</title><h1>Care</h1><p>x", "Care: a guide"),
        ("<h1>Care</h1><p>x", "Care"),
        ("<h2 id=a>Care</h2><p>x", "Care"),
        ("<p>x", "p.html"),
    ],
)
def test_the_title_is_the_pages_own(html: str, title: str) -> None:
    assert page(html).title == title


def test_terms_with_an_id_are_sections_of_the_heading_above() -> None:
    long = "Sets how much memory may be used before it writes to disk."
    found = page(f"""
        <title>T</title><h1>T</h1><h2 id=memory>Memory</h2><p>Settings of memory.</p>
        <dl><dt id=WORK>work_mem</dt><dd><p>{long}</p></dd>
        <dt id=A>a</dt><dt id=B>b</dt><dd><p>{long}</p></dd>
        <dt>plain</dt><dd>Belongs to what is above it.</dd></dl>
        <p>After the list.</p>""")
    assert [(s.url, s.headings, s.text) for s in found.sections[1:]] == [
        ("p.html#memory", ("Memory",), "Settings of memory.\nAfter the list."),
        ("p.html#WORK", ("Memory", "work_mem"), long),
        ("p.html#A", ("Memory", "a, b"), f"{long}\nplain\nBelongs to what is above it."),
    ]
    assert found.anchors["B"] == 3


def test_a_tiny_term_joins_the_section_above() -> None:
    found = page("<title>T</title><p>Codes.</p><dl><dt id=x>0</dt><dd>OK</dd><dt id=y>1</dt><dd>No</dd></dl>")
    assert [s.text for s in found.sections] == ["Codes.\n0\nOK\n1\nNo"]
    assert found.anchors == {"x": 0, "y": 0}


def test_a_heading_without_text_lives_on_in_the_paths_below() -> None:
    found = page("<title>T</title><h1>T</h1><p>Intro.<h2 id=a>A</h2><h3 id=b>B</h3><p>Text.")
    assert [(s.url, s.headings) for s in found.sections] == [("p.html", ()), ("p.html#b", ("A", "B"))]
    assert found.anchors == {"a": 1, "b": 1}


def test_titles_of_notes_and_cells_are_text() -> None:
    found = page(
        "<title>T</title><h1>T</h1><div class=note><h3>Note</h3><p>Mind this.</p></div>"
        "<table><tr><td><h4>Cell</h4></table>"
    )
    assert [s.text for s in found.sections] == ["Note\nMind this.\nCell"]


def test_links_inside_the_site_are_kept_with_their_section() -> None:
    found = page(
        "<title>T</title><h1>T</h1><p><a href='other.html#x'>o</a> <a href='https://example.org/'>e</a>"
        "<h2 id=a>A</h2><p><a href='../up/index.html'>u</a> <a href='#a'>self</a> <a href='mailto:x@y'>m</a>"
        "<nav><a href='menu.html'>m</a></nav>",
    )
    assert found.links == (
        Link(0, "other.html#x"),
        Link(1, "up/"),
        Link(1, "p.html#a"),
    )


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<title>T</title>", "no text"),
        ("<title>T</title><nav>only this</nav>", "no text"),
        ("", "no text"),
        ("<html data-hinny-ignore><p>x", "marked data-hinny-ignore"),
        ("<body data-hinny-ignore><p>x", "marked data-hinny-ignore"),
        ("<meta http-equiv=refresh content='0; url=b.html'><p>Moved", "redirects elsewhere"),
    ],
)
def test_a_page_with_nothing_to_index_says_why(html: str, reason: str) -> None:
    with pytest.raises(NoText) as caught:
        page(html)
    assert str(caught.value) == reason


def test_a_page_with_a_title_heading_alone_is_kept() -> None:
    assert outline("<title>Part II</title><h1>Part II</h1><div class=toc>1. One</div>") == [
        ("p.html", (), "")
    ]


def test_a_description_stands_in_for_an_introduction_without_text() -> None:
    head = "<title>T</title><meta name=description content='All of it.'><h1>T</h1>"
    assert outline(f"{head}<h2 id=a>A</h2><p>x")[0] == ("p.html", (), "All of it.")
    assert outline(f"{head}<p>Own words.")[0] == ("p.html", (), "Own words.")


def test_a_wrong_encoding_is_a_problem_of_the_page() -> None:
    found = parse_html("<title>T</title><p>Größe".encode("latin-1"), "p.html")
    assert found.sections[0].text == "Größe"
    assert found.problems == ("not UTF-8: read as windows-1252",)


def test_anchors_are_escaped_in_urls() -> None:
    long = "Text that is long enough to be a section of its own."
    found = page(f"<title>T</title><h1>T</h1><h2 id='a b%'>A</h2><p>{long}<h2 id='größe'>B</h2><p>{long}")
    assert [s.url for s in found.sections][1:] == ["p.html#a%20b%25", "p.html#größe"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # The adoption agency: a <b> closed inside an <i>; a heading left open takes in the paragraph.
        ("<title>T</title><p>1<b>2<i>3</b>4</i><h2 id=a>A<p>5", [((), "1234\nA 5")]),
        # Text in a table that is in no cell goes before the table; stray end tags mean nothing.
        ("<title>T</title><table><p>1</table></div></div><p>2", [((), "1\n2")]),
        ("<title>T</title><div><h2 id=a>A</div><p>1</h2>", [(("A",), "1")]),
        ("</html><body></body><p>1", [((), "1")]),
        ("<p>1<!-- --><p 2", [((), "1")]),
        ("<p>1<!-- never closed <p>2", [((), "1")]),
        ("<h1><h2><h3>1", [((), "")]),
    ],
)
def test_broken_pages_are_read_as_browsers_read_them(html: str, expected: list[object]) -> None:
    found = page(html)
    assert [(section.headings, section.text) for section in found.sections] == expected


def test_deep_nesting_is_no_problem() -> None:
    deep = "<div>" * 5000 + "deep" + "</div>" * 5000
    assert page(f"<title>T</title>{deep}").sections[0].text == "deep"


TAGS = st.sampled_from(
    [
        *("<h1>", "<h2 id=a>", "</h2>", "<p>", "<div>", "</div>", "<section id=s>", "</section>", "<dl>"),
        *("<dt id=d>", "<dd>", "</dl>", "<table>", "<td>", "</table>", "<pre>", "</pre>", "<nav>", "</nav>"),
        *(
            "<main>",
            "</main>",
            "<a name=n>",
            "</a>",
            "<b>",
            "</b>",
            "word",
            "other",
            "<!--",
            "-->",
            "<script>",
        ),
    ]
)


@given(st.lists(TAGS, max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_soup_gives_sections_with_unique_ids_and_sound_anchors(soup: list[str]) -> None:
    try:
        found = page("<title>T</title>" + " ".join(soup))
    except NoText:
        return
    ids = [section.id for section in found.sections]
    assert len(set(ids)) == len(ids)
    assert all(section.page == "p.html" and section.page_title == found.title for section in found.sections)
    assert all(0 <= place < len(ids) for place in found.anchors.values())
    assert all(section.text == section.text.strip() for section in found.sections)
