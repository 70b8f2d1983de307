"""Excerpts: the window against brute force; what is marked in every script and for every kind of match."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hinny.lexical.syntax import parse
from hinny.site.excerpts import Excerpt, _densest, cut, ranges
from hinny.site.wanted import Match, Wanted, wanted_of
from hinny.text.analyzer import get_analyzer
from support import steps

EN = get_analyzer("en@1")
CJK = get_analyzer("cjk@1")
FILLER = "Nothing of interest stands in this sentence about the weather. "


def excerpt(text: str, wanted: Wanted, length: int = 240) -> Excerpt:
    return cut(text, wanted.find(text), length=length)


def shown(found: Excerpt) -> str:
    """The excerpt as a reader sees it, marks in square brackets."""
    text = found.text
    for start, end in reversed(found.marks):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return ("… " if found.cut_before else "") + text + (" …" if found.cut_after else "")


def marked(text: str, query: str, analyzer_id: str = "en@1", *, typing: bool = False) -> list[str]:
    wanted = wanted_of(parse(query, as_you_type=typing), get_analyzer(analyzer_id))
    return [text[start:end] for start, end in ranges(wanted.find(text))]


def test_the_densest_window_is_shown() -> None:
    text = FILLER * 5 + "Search is hard. " + FILLER * 5 + "A search index answers fast. " + FILLER * 5
    found = excerpt(text, wanted_of(parse("search index"), EN), length=80)
    assert (
        shown(found)
        == "… A [search] [index] answers fast. Nothing of interest stands in this sentence about …"
    )


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    text = "The index of an index. " + FILLER * 6 + "One okapi was seen."
    words = {"index": 0.5, "okapi": 5.0}
    assert "[okapi]" in shown(excerpt(text, Wanted(EN, words), length=60))
    assert "[index]" in shown(excerpt(text, Wanted(EN, {"index": 5.0, "okapi": 0.5}), length=60))


def test_words_that_stand_together_win() -> None:
    text = "A path for a search. " + FILLER * 5 + "The search path. " + FILLER * 5
    found = excerpt(text, wanted_of(parse("search path"), EN), length=60)
    assert shown(found).startswith("… The [search] [path].")


def test_without_a_match_it_is_the_beginning() -> None:
    found = excerpt(FILLER * 5, Wanted(EN, {"absent": 1.0}), length=50)
    assert shown(found) == "Nothing of interest stands in this sentence about …"
    assert excerpt("", Wanted(EN), length=50) == Excerpt("", (), 0, 0, False, False)
    assert shown(excerpt("short", Wanted(EN), length=50)) == "short"


def test_white_space_is_collapsed_and_marks_follow() -> None:
    found = excerpt("  One\n\n  two\tthree   four ", Wanted(EN, {"three": 1.0, "four": 1.0}))
    assert found.text == "One two three four"
    assert [found.text[start:end] for start, end in found.marks] == ["three", "four"]
    assert (found.cut_before, found.cut_after) == (False, False)


def test_markup_is_text() -> None:
    found = excerpt("Use <b>bold</b> & <script>bold()</script>.", Wanted(EN, {"bold": 1.0}))
    assert shown(found) == "Use <b>[bold]</b> & <script>[bold]()</script>."


def test_every_kind_of_match_is_marked() -> None:
    assert marked("Indexing an index of indexes", "indexed") == ["Indexing", "index", "indexes"]
    assert marked("Prefer prefixes", "pref*") == ["Prefer", "prefixes"]
    assert marked("seen unseen", "*seen") == ["seen", "unseen"]
    assert marked("a subscription", "*script*") == ["subscription"]
    assert marked("full text search", "full text sea", typing=True) == ["full", "text", "search"]
    assert marked("The WORK_MEM setting", "work_mem") == ["WORK_MEM"]
    assert marked("Set createUserName", "user") == ["User"]
    assert marked("an e-mail, an email", "email") == ["e-mail", "email"]
    assert marked("Ein Résumé", "resume", "de@1") == ["Résumé"]
    assert marked("C++ and C", "c++") == ["C++"]
    assert marked("data\u00adbase", "database") == ["data\u00adbase"]


def test_corrected_words_are_marked_when_the_search_names_them() -> None:
    wanted = wanted_of(parse("serch"), EN, also={"search": 0.5})
    assert ranges(wanted.find("a search")) == ((2, 8),)


def test_what_is_excluded_is_not_marked() -> None:
    assert marked("cats and dogs", "cat -dog") == ["cats"]
    assert marked("cats and dogs", "cat -(dog bird)") == ["cats"]


def test_stop_words_are_marked_only_when_there_is_nothing_else() -> None:
    assert marked("to be or not to be a bee", "to be a bee") == ["bee"]
    assert marked("to be or not", "to be") == ["to", "be"]


def test_a_word_that_weighs_nothing_is_marked() -> None:
    wanted = wanted_of(parse("to be"), EN, weigh=lambda term: 0.0)
    assert ranges(wanted.find("to be or not")) == ((0, 2), (3, 5))


def test_chinese_marks_runs_and_not_single_characters() -> None:
    text = "全文检索系统可以检查索引。"
    assert marked(text, "检索系统", "cjk@1") == ["检索系统"]
    assert marked(text, "检", "cjk@1") == ["检", "检"]
    assert marked(text, "系统 Python", "cjk@1") == ["系统"]


def test_thai_marks_keep_their_vowel_signs() -> None:
    (piece,) = marked("ภาษาไทยมีวรรณยุกต์", "วรรณยุกต์", "cjk@1")
    assert piece == "วรรณยุกต์"


def test_wide_characters_take_two_columns() -> None:
    text = "这里没有什么可看的。" * 30 + "检索系统。" + "这里没有什么可看的。" * 30
    found = excerpt(text, wanted_of(parse("检索系统"), CJK), length=60)
    assert "[检索系统]" in shown(found)
    assert 20 <= len(found.text) <= 34


def test_an_excerpt_starts_and_ends_at_words() -> None:
    words = [f"word{number}" for number in range(400)]
    text = " ".join(words)
    found = excerpt(text, Wanted(EN, {"word200": 1.0}), length=100)
    assert set(found.text.split()) <= set(words)
    assert "word200" in found.text.split()
    assert 70 <= len(found.text) <= 110


def test_a_match_at_the_end_leaves_room_before() -> None:
    text = "abc " * 200 + "final"
    found = excerpt(text, Wanted(EN, {"final": 1.0}), length=100)
    assert 80 <= len(found.text) <= 110
    assert not found.cut_after


MATCHES = st.lists(
    st.tuples(st.integers(0, 400), st.integers(1, 9), st.sampled_from("abcd")), min_size=1, max_size=25
)
WEIGHTS = {"a": 1.0, "b": 2.5, "c": 0.25, "d": 4.0}


@given(MATCHES, st.integers(5, 200))
def test_the_window_is_the_best_by_brute_force(places: list[tuple[int, int, str]], length: int) -> None:
    places.sort()
    ends = accumulate((start + size for start, size, _ in places), max)  # none inside the one before
    matches = [
        Match(start, end, start // 10, WEIGHTS[concept], concept)
        for (start, _, concept), end in zip(places, ends, strict=True)
    ]

    def score(window: list[Match]) -> float:
        total = 0.0
        for concept in {match.concept for match in window}:
            count = sum(match.concept == concept for match in window)
            total += WEIGHTS[concept] * (1 + 0.25 * sum(0.5**again for again in range(1, count)))
        total += 0.05 * sum(match.weight for match in window)
        for one, two in pairwise(window):
            if two.position - one.position == 1 and one.concept != two.concept:
                total += 0.5 * min(one.weight, two.weight)
        return total

    best = max(
        score(matches[left : right + 1])
        for left in range(len(matches))
        for right in range(left, len(matches))
        if left == right
        or max(match.end for match in matches[left : right + 1]) - matches[left].start <= length
    )
    first, last = _densest(matches, length)
    assert score(matches[first : last + 1]) == pytest.approx(best)
    assert first == last or matches[last].end - matches[first].start <= length


@given(
    st.lists(
        st.sampled_from(["cat ", "Dogs. ", "é", "漢字", "\n\n", "<b>", "ที่", "x" * 50, "e\u0301 ", "🐈 "]),
        max_size=60,
    ),
    st.integers(1, 120),
)
def test_marks_lie_inside_and_apart(pieces: list[str], length: int) -> None:
    text = "".join(pieces)
    wanted = wanted_of(parse("cat dog 漢字 ที่ é"), EN)
    found = excerpt(text, wanted, length=length)
    assert found.text == re.sub(r"\s+", " ", text[found.start : found.end])
    assert found.text == found.text.strip()
    end = -1
    for start, stop in found.marks:
        assert end < start < stop <= len(found.text)
        end = stop
    if wanted.find(text):
        assert found.marks
    assert found.cut_before == bool(text[: found.start].strip())
    assert found.cut_after == bool(text[found.end :].strip())


def test_long_texts_take_linear_time() -> None:
    wanted = wanted_of(parse("weather index pre*"), EN)

    def lines(size: int) -> int:
        text = (FILLER + "An index. ") * (size // 73)
        return steps(lambda: excerpt(text, wanted))

    assert lines(300_000) < 11 * lines(30_000)
