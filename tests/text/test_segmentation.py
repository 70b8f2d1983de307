"""Texts to tokens: scripts by hand, offsets and bulk paths by hypothesis."""

from __future__ import annotations

import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hinny.text import segmentation
from hinny.text.analyzer import BIGRAM, UNIGRAM, WORD, get_analyzer
from hinny.text.segmentation import Segmenter
from support import steps

ANALYZER = get_analyzer("standard@1")

# Texts in which the interesting characters meet often.
PIECES = st.sampled_from(
    [
        *"aBcZ09 .,'/-_+#@$\\&:\n\"()",
        "é",
        "e\u0301",
        "ß",
        "İ",
        "ﬁ",
        "½",
        "\u00ad",
        "\u200b",
        "\u200d",
        "ﷺ",
        "漢",
        "字",
        "か",
        "が",
        "ｶﾞ",
        "ี่",
        "ท",
        "ำ",
        "한",
        "\u1112\u1161\u11ab",
        "हि",
        "क्",
        "\u2019",
        "·",
        "\u2010",
        "２",
        "Ａ",
        "node.js",
        "C++",
        "don't",
        "l'homme",
        "2024-05-12",
        "fooBar",
        "e-mail",
        "1,000",
        "__init__",
        "--flag",
        "U.S.",
    ]
)
TEXTS = st.lists(PIECES, max_size=20).map("".join) | st.text(max_size=40)


def described(text: str) -> list[tuple[str, int, int]]:
    return [(token.term, token.position, token.kind) for token in ANALYZER.analyze(text)]


def test_plain_text() -> None:
    text = "The quick, (brown) FOX\njumps!"
    assert [(t.term, t.position, text[t.start : t.end]) for t in ANALYZER.analyze(text)] == [
        ("the", 0, "The"),
        ("quick", 1, "quick"),
        ("brown", 2, "brown"),
        ("fox", 3, "FOX"),
        ("jumps", 4, "jumps"),
    ]


def test_nothing_to_find_gives_nothing() -> None:
    for text in ("", "   ", "...", "-- ++ ## '' @ $", "\u200b\u00ad", "\u0301", "\U0001f600", "\ud800"):
        assert ANALYZER.analyze(text) == []
        assert ANALYZER.analyze_words(text) == ([], [])


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert described("全文検索") == [
        ("全", 0, UNIGRAM),
        ("全文", 0, BIGRAM),
        ("文", 1, UNIGRAM),
        ("文検", 1, BIGRAM),
        ("検", 2, UNIGRAM),
        ("検索", 2, BIGRAM),
        ("索", 3, UNIGRAM),
    ]
    assert described("ที่นี่") == [("ที่", 0, UNIGRAM), ("ที่นี่", 0, BIGRAM), ("นี่", 1, UNIGRAM)]
    assert described("ｶﾞｲﾄﾞ") == described("ガイド")


def test_scripts_do_not_pair_across_their_border() -> None:
    pairs = [term for term, _, kind in described("漢字ไทย") if kind == BIGRAM]
    assert pairs == ["漢字", "ไท", "ทย"]


def test_latin_words_inside_chinese() -> None:
    assert [term for term, _, kind in described("使用Python3.12编写C++程序") if kind == WORD] == [
        "python3.12",
        "c++",
    ]
    assert described("用Go写") == [("用", 0, UNIGRAM), ("go", 1, WORD), ("写", 2, UNIGRAM)]


def test_korean_is_words_and_pairs() -> None:
    assert described("검색엔진을 쓴다") == [
        ("검색엔진을", 0, WORD),
        ("검색", 0, BIGRAM),
        ("색엔", 0, BIGRAM),
        ("엔진", 0, BIGRAM),
        ("진을", 0, BIGRAM),
        ("쓴다", 1, WORD),
    ]
    assert described(unicodedata.normalize("NFD", "검색엔진을 쓴다")) == described("검색엔진을 쓴다")


def test_indic_marks_stay_with_their_letter() -> None:
    assert [term for term, _, _ in described("हिन्दी में खोज, किताबें।")] == ["हिन्दी", "में", "खोज", "किताबें"]
    assert [term for term, _, _ in described("தமிழ் மொழி")] == ["தமிழ்", "மொழி"]


def test_invisible_characters_are_gone_and_offsets_know_it() -> None:
    text = "the data\u00adbase of zero\u200bwidth"
    tokens = ANALYZER.analyze(text)
    assert [token.term for token in tokens] == ["the", "database", "of", "zerowidth"]
    assert [text[token.start : token.end] for token in tokens] == text.split()
    assert [token.term for token in ANALYZER.analyze("می\u200cخواهم")] == ["ميخواهم"]


def test_accents_are_kept_in_the_exact_form() -> None:
    (token,) = ANALYZER.analyze("Re\u0301sume\u0301")
    assert (token.term, token.exact, token.start, token.end) == ("resume", "résumé", 0, 8)
    (plain,) = ANALYZER.analyze("Resume")
    assert plain.exact is plain.term


def test_turkish_lower_case() -> None:
    (token,) = get_analyzer("tr@1").analyze("ISPARTA")
    assert (token.term, token.exact) == ("isparta", "ısparta")
    (token,) = get_analyzer("en@1").analyze("ISPARTA")
    assert token.exact is token.term


@settings(max_examples=500)
@given(TEXTS)
@example("½")
@example("C++½")
@example("ﷺ")
@example("don\u2019t've")
@example("_A_b_")
def test_offsets_survive_normalisation(text: str) -> None:
    """What stands at a token's offsets gives that token again, over the whole of it."""
    for token in ANALYZER.analyze(text):
        assert 0 <= token.start < token.end <= len(text)
        written = text[token.start : token.end]
        again = ANALYZER.analyze(written)
        assert token.term in [other.term for other in again], (token, written, again)


@settings(max_examples=300)
@given(TEXTS)
def test_tokens_are_in_order_and_folded(text: str) -> None:
    tokens = ANALYZER.analyze(text)
    positions = [token.position for token in tokens]
    assert positions == sorted(positions)
    assert set(positions) == set(range(positions[-1] + 1 if positions else 0))
    for token in tokens:
        assert token.term
        assert token.exact
        assert (token.exact is token.term) == (token.exact == token.term)


@settings(max_examples=300)
@given(TEXTS)
def test_bulk_paths_say_the_same_as_tokens(text: str) -> None:
    tokens = ANALYZER.analyze(text)
    terms = [token.term for token in tokens]
    positions = [token.position for token in tokens]
    for _ in range(2):  # unknown chunks, then remembered ones
        assert ANALYZER.analyze_words(text) == (terms, positions)
        columns = ANALYZER.analyze_columns(text)
        assert columns == (terms, positions, [t.kind for t in tokens], [t.exact for t in tokens])


@settings(max_examples=500)
@given(st.text(alphabet="abC.,'\"()[]!:-_/+#Z09", max_size=12))
def test_the_short_cut_for_plain_words_changes_nothing(chunk: str) -> None:
    segmenter = Segmenter()
    assert segmenter.rows(chunk) == segmenter._cut_normal(chunk)


@given(TEXTS, TEXTS)
def test_texts_are_cut_alone(left: str, right: str) -> None:
    """Nothing across white space: a text's tokens are those of its chunks."""
    together = [token.term for token in ANALYZER.analyze(f"{left} {right}")]
    apart = [token.term for token in ANALYZER.analyze(left) + ANALYZER.analyze(right)]
    assert together == apart


def test_memory_is_bounded() -> None:
    segmenter = Segmenter()
    before = segmentation._MAX_CACHED
    try:
        segmentation._MAX_CACHED = 10
        segmenter.words(" ".join(f"word{number}" for number in range(100)) + " " + "x" * 100)
        assert len(segmenter._forms) <= 10
    finally:
        segmentation._MAX_CACHED = before


def test_long_texts_without_spaces_take_linear_time() -> None:
    for unit in ("a.", "aB", "a-", "漢", "é_", "'a", "한", "--a", "1,000,"):
        short, long = (
            steps(lambda text=unit * count: Segmenter().tokens(text))  # type: ignore[misc]
            for count in (500, 5_000)
        )
        assert long < 11 * short + 1_000, unit
        # What runs inside a pattern is no line of Python: a search that went back and forth would not end.
        assert Segmenter().words(unit * 40_000)[0]
