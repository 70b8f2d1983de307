"""Analyzer ids, stems and stop words as an index and a query see them."""

from __future__ import annotations

import pytest

from hinny.errors import InvalidOption, UnknownAnalyzer
from hinny.text.analyzer import Columns, analyzer_ids, for_language, get_analyzer
from hinny.text.languages import LANGUAGES


def test_ids_are_stable() -> None:
    assert get_analyzer("en@1").id == "en@1"
    assert get_analyzer("en@1") is get_analyzer("en@1")
    assert repr(get_analyzer("de@1")) == "get_analyzer('de@1')"
    assert set(analyzer_ids()) == {f"{name}@1" for name in LANGUAGES} | {"standard@1"}
    for id in analyzer_ids():
        assert get_analyzer(id).id == id


@pytest.mark.parametrize(
    "id",
    [
        "",
        "en",
        "en@2",
        "xx@1",
        "en@1 ",
        "EN@1",
        "en+@1",
        "en+nostem+nostem@1",
        "en+phonetic+nostem@1",
        "en+x@1",
        "@1",
        "en@",
    ],
)
def test_an_unknown_id_is_an_error(id: str) -> None:
    with pytest.raises(UnknownAnalyzer) as caught:
        get_analyzer(id)
    assert isinstance(caught.value, InvalidOption)
    assert repr(id) in str(caught.value)


@pytest.mark.parametrize(
    ("tag", "id"),
    [
        ("en", "en@1"),
        ("en-GB", "en@1"),
        ("EN_us", "en@1"),
        ("pt-BR", "pt@1"),
        ("nb", "no@1"),
        ("zh-Hant-TW", "cjk@1"),
        ("ja", "cjk@1"),
        ("th", "cjk@1"),
        ("ko-KR", "ko@1"),
        ("iw", "he@1"),
        (None, "standard@1"),
        ("", "standard@1"),
        ("tlh", "standard@1"),
        ("x-default", "standard@1"),
    ],
)
def test_analyzers_by_language_tag(tag: str | None, id: str) -> None:
    assert for_language(tag).id == id


def test_stems_group_the_forms_of_a_word() -> None:
    english = get_analyzer("en@1")
    assert english.stem("indexing") == english.stem("indexes") == "index"
    german = get_analyzer("de@1")
    assert german.stem("häuser") == german.stem("haus") == "haus"
    french = get_analyzer("fr@1")
    assert french.stem("répétées") == french.stem("répéter") == "repet"
    assert get_analyzer("ru@1").stem("книгами") == get_analyzer("ru@1").stem("книга")


def test_only_words_are_stemmed() -> None:
    english = get_analyzer("en@1")
    for term in ("c++", "node.js", "err_404", "users/things", "--flags", "x86s", "1.2.3", "全文"):
        assert english.stem(term) == term
    assert get_analyzer("standard@1").stem("Indexés") == "indexes"
    assert not get_analyzer("standard@1").stems


def test_stems_are_remembered_within_bounds() -> None:
    from hinny.text import analyzer as module

    english = module.Analyzer("en@1", "en", frozenset())
    before = module._MAX_CACHED_STEMS
    try:
        module._MAX_CACHED_STEMS = 3
        for word in ("walking", "talking", "making", "taking", "walking"):
            assert (
                english.stem(word) == word.removesuffix("ing")
                if word[0] in "wt" and word != "taking"
                else True
            )
        assert len(english._stem_cache) <= 3
    finally:
        module._MAX_CACHED_STEMS = before


def test_options() -> None:
    plain = get_analyzer("en+nostem@1")
    assert plain.stem("indexing") == "indexing"
    assert not plain.stems
    assert plain.is_stop("the")
    assert get_analyzer("en@1").surface() is plain
    assert plain.surface() is plain
    assert get_analyzer("standard@1").surface().id == "standard@1"
    assert get_analyzer("en+phonetic@1").surface().id == "en+nostem+phonetic@1"
    assert get_analyzer("en@1").phonetic("knight") == ""


def test_stop_words_stay_in_the_text() -> None:
    english = get_analyzer("en@1")
    assert english.analyze_words("to be or not to be")[0] == ["to", "be", "or", "not", "to", "be"]
    assert all(map(english.is_stop, ["to", "be", "or", "not"]))
    assert not english.is_stop("index")


def test_columns_have_four_lists() -> None:
    columns = get_analyzer("en@1").analyze_columns("Café e-mail")
    assert columns == Columns(
        ["cafe", "email", "e", "mail"], [0, 1, 1, 2], [0, 4, 0, 0], ["café", "e-mail", "e", "mail"]
    )
