"""Every way to ask, against scans of the texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hinny.errors import BundleMissing, InvalidInput, InvalidOption, UnknownAnalyzer, UnknownField
from hinny.lexical.index import LexicalIndex
from hinny.lexical.options import PLAIN, FieldOptions, Scoring
from hinny.records import Document
from hinny.text.analyzer import get_analyzer
from lexical_naive import Naive

WORDS = ["run", "running", "table", "tables", "quick", "quickly", "index", "node", "zebra", "resume"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=12)
QUERY = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True)
FIELDS = {"title": FieldOptions(2.0, 0.3), "text": FieldOptions(1.0, 0.75)}


def corpus(texts: list[tuple[str, str]]) -> list[Document]:
    return [Document(f"d{n:02}", {"title": a, "text": b}, {}, "en") for n, (a, b) in enumerate(texts)]


@given(CORPUS, QUERY)
@settings(deadline=None)
def test_scores_are_those_of_the_formula(texts: list[tuple[str, str]], words: list[str]) -> None:
    scoring = Scoring(k1=1.3, exact=0.4, delta=0.1, title=0.0, exact_title=0.0)
    documents = corpus(texts)
    index = LexicalIndex.build(documents, FIELDS, scoring=scoring)
    expected = Naive(documents, FIELDS).scores(words, scoring)
    found = index.search(" ".join(words), limit=50, fuzzy=False)
    assert {hit.id: hit.score for hit in found.hits} == pytest.approx(
        {d.id: s for d, s in zip(documents, expected, strict=True) if s}, rel=1e-5
    )
    ranks = sorted(((-s, d.id) for d, s in zip(documents, expected, strict=True) if s))
    assert [hit.score for hit in found.hits] == pytest.approx([-s for s, _ in ranks], rel=1e-5)


@given(CORPUS, QUERY)
@settings(deadline=None)
def test_every_way_through_gives_the_same_scores(texts: list[tuple[str, str]], words: list[str]) -> None:
    index = LexicalIndex.build(corpus(texts), FIELDS)
    query = " ".join(words)
    short = {hit.id: hit.score for hit in index.search(query, limit=50).hits}
    session = {hit.id: hit.score for hit in index.search(query, limit=50, ids=index.ids).hits}
    assert session == short
    tree = {hit.id: hit.score for hit in index.search(query, limit=50, match=0.0).hits}
    weighed = index.search(query, limit=50, fields={"title": 2.0, "text": 1.0}).hits
    assert tree == pytest.approx(short, rel=1e-6)
    assert {hit.id: hit.score for hit in weighed} == pytest.approx(short, rel=1e-6)


@given(CORPUS, st.lists(st.sampled_from(WORDS), min_size=2, max_size=3, unique=True), st.integers(0, 3))
@settings(deadline=None)
def test_phrases_are_those_of_a_scan(texts: list[tuple[str, str]], words: list[str], slop: int) -> None:
    documents = corpus(texts)
    index = LexicalIndex.build(documents, FIELDS)
    naive = Naive(documents, FIELDS)
    phrase = f'"{" ".join(words)}"' + (f"~{slop}" if slop else "")
    assert {hit.id for hit in index.search(phrase, limit=50).hits} == naive.phrase(words, slop, list(FIELDS))
    titles = index.search(f"title:{phrase}", limit=50)
    assert {hit.id for hit in titles.hits} == naive.phrase(words, slop, ["title"])
    mode = index.search(" ".join(words), mode="phrase", slop=slop, limit=50)
    assert {hit.id for hit in mode.hits} == {hit.id for hit in index.search(phrase, limit=50).hits}


@given(CORPUS, st.sampled_from(["ru", "qui", "tab", "node", "x"]))
@settings(deadline=None)
def test_pieces_of_words_are_those_of_a_scan(texts: list[tuple[str, str]], piece: str) -> None:
    documents = corpus(texts)
    index = LexicalIndex.build(documents, FIELDS)

    def having(test) -> set[str]:
        return {d.id for d in documents if any(test(w) for text in d.fields.values() for w in text.split())}

    def ids(query: str, **options: object) -> set[str]:
        return {hit.id for hit in index.search(query, limit=50, **options).hits}

    assert ids(f"{piece}*") == having(lambda w: w.startswith(piece)) == ids(piece, mode="prefix")
    assert ids(f"*{piece}") == having(lambda w: w.endswith(piece)) == ids(piece, mode="suffix")
    assert ids(f"*{piece}*") == having(lambda w: piece in w) == ids(piece, mode="substring")


@given(CORPUS, st.lists(st.sampled_from(WORDS), min_size=3, max_size=3, unique=True))
@settings(deadline=None)
def test_signs_and_alternatives_are_those_of_a_scan(texts: list[tuple[str, str]], words: list[str]) -> None:
    documents = corpus(texts)
    index = LexicalIndex.build(documents, FIELDS)
    stem = get_analyzer("en@1").stem
    a, b, c = words

    def having(word: str, *names: str) -> set[str]:
        return {
            d.id
            for d in documents
            if any(stem(w) == stem(word) for n in names or FIELDS for w in d.fields[n].split())
        }

    def ids(query: str, **options: object) -> set[str]:
        return {hit.id for hit in index.search(query, limit=50, fuzzy=False, **options).hits}

    A, B, C = having(a), having(b), having(c)
    assert ids(f"{a} -{b}") == A - B
    assert ids(f"+{a} {b} -{c}") == A - C
    assert ids(f"+({a} OR {b}) +{c}") == (A | B) & C
    assert ids(f"{a} -({b} {c})") == A - (B | C)
    assert ids(f"title:{a} {b}") == having(a, "title") | B
    assert ids(f"{a} {b} {c}", match="all") == A & B & C
    assert ids(f"{a} {b}", fields=["title"]) == having(a, "title") | having(b, "title")
    assert ids(f"{a} {b} {c}", match=0.0) == A | B | C


def test_a_minimum_share_counts_by_idf() -> None:
    texts = [("", "table index zebra"), ("", "table index"), ("", "table"), ("", "zebra")] + [
        ("", "table")
    ] * 6
    index = LexicalIndex.build(corpus(texts), FIELDS)
    ids = [hit.id for hit in index.search("table zebra", match=0.6).hits]
    assert ids == ["d00", "d03"] or ids == ["d03", "d00"]
    assert index.search("table zebra", match=1.0).total == 1


def test_surface_forms_alone_when_stemming_is_off() -> None:
    index = LexicalIndex.build(corpus([("", "running"), ("", "run"), ("", "runs")]), FIELDS)
    assert index.search("running").total == 3
    assert [hit.id for hit in index.search("running", stem=False).hits] == ["d00"]
    assert [hit.id for hit in index.search('"running"').hits] == ["d00"]


def test_words_that_the_index_lacks_are_put_right() -> None:
    index = LexicalIndex.build(corpus([("", "the quick index"), ("", "tables")]), FIELDS)
    found = index.search("qiuck tabels, please")
    assert found.did_you_mean == "quick tables, please"
    assert {hit.id for hit in found.hits} == {"d00", "d01"}
    assert set(found.also_searched) == {"quick", "tables"}
    assert index.search("qiuck", fuzzy=False).total == 0
    assert index.search("quick").did_you_mean is None
    assert index.suggest("indxe") == ["index"]


def test_the_last_word_is_a_prefix_while_typing() -> None:
    index = LexicalIndex.build(corpus([("", "zebra crossing"), ("", "zebras"), ("", "index")]), FIELDS)
    assert {hit.id for hit in index.search("ze", as_you_type=True).hits} == {"d00", "d01"}
    assert index.search("ze", as_you_type=True).also_searched == ("zebra", "zebras")
    assert index.search("ze ", as_you_type=True, fuzzy=False).total == 0
    assert {hit.id for hit in index.search("index ze", as_you_type=True).hits} == {"d00", "d01", "d02"}


def test_compounds_are_found_whole_and_in_parts() -> None:
    texts = [("", "use node.js here"), ("", "a node in js"), ("", "full-text search"), ("", "full text")]
    index = LexicalIndex.build(corpus(texts), FIELDS)
    assert [hit.id for hit in index.search("node.js").hits] == ["d00", "d01"]
    assert [hit.id for hit in index.search("+node.js").hits] == ["d00", "d01"]
    assert {hit.id for hit in index.search("fulltext").hits} == {"d02"}
    assert {hit.id for hit in index.search("+full-text").hits} == {"d02", "d03"}


def test_all_languages_are_searched_at_once() -> None:
    documents = [
        Document("en", {"text": "the houses of the city"}, {}, "en"),
        Document("de", {"text": "die Häuser der Stadt"}, {}, "de"),
        Document("zh", {"text": "城市的房子"}, {}, "zh"),
    ]
    index = LexicalIndex.build(documents)
    assert index.analyzers == ("en@1", "de@1", "cjk@1")
    assert [hit.id for hit in index.search("house").hits] == ["en"]
    assert [hit.id for hit in index.search("haus häuser").hits] == ["de"]
    assert [hit.id for hit in index.search("城市").hits] == ["zh"]
    assert {hit.id for hit in index.search("city Stadt 房子").hits} == {"en", "de", "zh"}
    assert index.search("the city").hits == index.search("city").hits


def test_synonyms_stand_for_a_word_with_their_weight() -> None:
    index = LexicalIndex.build(corpus([("", "a car here"), ("", "an automobile here")]), FIELDS)
    found = index.search("car", synonyms={"car": {"automobile": 0.5}})
    assert [hit.id for hit in found.hits] == ["d00", "d01"]
    assert "automobile" in found.also_searched


def test_literal_equality_is_of_characters() -> None:
    documents = [
        Document("a", {"symbol": "Array.prototype.push()", "text": "x"}),
        Document("b", {"symbol": "array.prototype.push()", "text": "push"}),
    ]
    index = LexicalIndex.build(documents, exact=["symbol"])
    literal = {"mode": "literal", "exact": {"fields": ["symbol"]}}
    assert [hit.id for hit in index.search("Array.prototype.push()", **literal).hits] == ["a"]
    assert index.search("Array.prototype.push", **literal).total == 0
    loose = {"mode": "literal", "exact": {"fields": ["symbol"], "case_sensitive": False}}
    assert [hit.id for hit in index.search("ARRAY.prototype.push()", **loose).hits] == ["a", "b"]
    first = index.search("array.prototype.push()", ranking="exact-first", exact=["symbol"]).hits
    assert (first[0].id, first[0].tier) == ("b", "literal")


def test_exact_first_ranks_by_kind_of_match_and_names_it() -> None:
    texts = [
        ("", "runs runs runs quick"),
        ("", "run and a few more words quick"),
        ("", "runner"),
        ("", "quick"),
    ]
    index = LexicalIndex.build(corpus(texts), FIELDS)
    hits = index.search("run quick", ranking="exact-first", prefix=True).hits
    assert [(hit.id, hit.tier) for hit in hits][:2] == [("d01", "exact"), ("d00", "stem")]
    assert {hit.tier for hit in hits[2:]} == {"partial"}


META = [
    Document(
        "a", {"text": "table one"}, {"year": 2019, "tag": ("x", "y"), "day": "2024-01-05", "ok": True}, "en"
    ),
    Document(
        "b", {"text": "table two table"}, {"year": 2021, "tag": "x", "day": "2024-03-01", "ok": False}, "en"
    ),
    Document("c", {"text": "table three words"}, {"year": 2023.5}, "en"),
    Document("d", {"text": "other"}, {"year": 2021}, "en"),
]


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ({"year": 2021}, "b"),
        ({"year": [2019, 2021]}, "ab"),
        ({"year": {"none": [2019]}}, "bc"),
        ({"year": {"min": 2020}}, "bc"),
        ({"year": {"min": 2019, "max": 2021}}, "ab"),
        ({"tag": "y"}, "a"),
        ({"tag": {"all": ["x", "y"]}}, "a"),
        ({"tag": {"none": ["y"]}}, "bc"),
        ({"day": {"min": "2024-02-01"}}, "b"),
        ({"ok": True}, "a"),
        ({"ok": "false", "tag": "x"}, "b"),
        ({"year": ["2021", "2019"]}, "ab"),
        ({"tag": "absent"}, ""),
    ],
)
def test_metadata_filters(where: dict, ids: str) -> None:
    index = LexicalIndex.build(META)
    assert sorted(hit.id for hit in index.search("table", where=where).hits) == list(ids)


def test_facets_count_before_and_after_the_filters() -> None:
    found = LexicalIndex.build(META).search("table", where={"year": {"min": 2020}}, facets=("tag", "year"))
    assert [tuple(count) for count in found.facets["tag"]] == [("x", 2, 1), ("y", 1, 0)]
    assert [tuple(count) for count in found.facets["year"]] == [(2019, 1, 0), (2021, 1, 1), (2023.5, 1, 1)]


def test_sorting_by_an_attribute() -> None:
    index = LexicalIndex.build(META)
    assert [hit.id for hit in index.search("table", sort="year").hits] == ["a", "b", "c"]
    assert [hit.id for hit in index.search("table", sort="-year").hits] == ["c", "b", "a"]
    assert [hit.id for hit in index.search("table", sort="-day").hits] == ["b", "a", "c"]


def test_a_restriction_to_ids_changes_no_score() -> None:
    index = LexicalIndex.build(META)
    scores = {hit.id: hit.score for hit in index.search("table three").hits}
    some = index.search("table three", ids=["b", "c", "unknown"])
    assert {hit.id: hit.score for hit in some.hits} == {id: scores[id] for id in "bc"}
    assert index.search("table", ids=[]).total == 0


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"limit": -1}, InvalidOption),
        ({"limit": 10_001}, InvalidOption),
        ({"limit": True}, InvalidOption),
        ({"limit": 9_999, "offset": 2}, InvalidOption),
        ({"colour": 1}, InvalidOption),
        ({"mode": "magic"}, InvalidOption),
        ({"mode": "literal"}, InvalidOption),
        ({"ranking": "best"}, InvalidOption),
        ({"match": 1.5}, InvalidOption),
        ({"match": float("nan")}, InvalidOption),
        ({"fuzzy": 9}, InvalidOption),
        ({"stem": 1}, InvalidOption),
        ({"fields": ["absent"]}, UnknownField),
        ({"fields": {"text": -1}}, InvalidOption),
        ({"fields": {"text": float("nan")}}, InvalidOption),
        ({"fields": "text"}, InvalidOption),
        ({"fields": []}, InvalidOption),
        ({"ids": "a"}, InvalidOption),
        ({"where": {"absent": 1}}, UnknownField),
        ({"where": {"year": {"about": 1}}}, InvalidOption),
        ({"where": {"year": "soon"}}, InvalidOption),
        ({"where": {"tag": 3}}, InvalidOption),
        ({"sort": "absent"}, UnknownField),
        ({"facets": ["absent"]}, UnknownField),
        ({"exact": ["absent"]}, UnknownField),
        ({"exact": {"field": ["text"]}}, InvalidOption),
        ({"synonyms": {"a": {"b": 2}}}, InvalidOption),
        ({"slop": -1}, InvalidOption),
    ],
)
def test_a_wrong_option_is_named(options: dict, error: type[Exception]) -> None:
    index = LexicalIndex.build(META)
    name = next(iter(options)) if len(options) == 1 else "offset"
    with pytest.raises(error, match=name if options != {"mode": "literal"} else "mode"):
        index.search("table", **options)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"fields": {"text": -1.0}}, InvalidOption),
        ({"fields": {"text": FieldOptions(b=2.0)}}, InvalidOption),
        ({"fields": {"text": FieldOptions(weight=float("nan"))}}, InvalidOption),
        ({"fields": "text"}, InvalidOption),
        ({"fields": []}, InvalidOption),
        ({"fields": ["text"], "titles": ["title"]}, UnknownField),
        ({"exact": ["absent"]}, UnknownField),
        ({"analyzer": "xx@9"}, UnknownAnalyzer),
        ({"scoring": Scoring(k1=-1.0)}, InvalidOption),
        ({"scoring": Scoring(combine="magic")}, InvalidOption),
        ({"slice_bytes": 10}, InvalidOption),
    ],
)
def test_a_wrong_build_option_is_named(options: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        LexicalIndex.build(META, **options)


def test_documents_that_cannot_be_used_are_named() -> None:
    with pytest.raises(InvalidInput, match="'a' is used by two"):
        LexicalIndex.build([META[0], META[0]])
    with pytest.raises(InvalidInput, match="not a string"):
        LexicalIndex.build([Document("", {"text": "x"})])
    with pytest.raises(InvalidInput, match="document 1 has a string"):
        LexicalIndex.build([META[0], Document("z", {"text": "x"}, {"year": "soon"})])
    with pytest.raises(InvalidInput, match="finite numbers"):
        LexicalIndex.build([Document("z", {"text": "x"}, {"year": float("inf")})])


@pytest.mark.parametrize(
    "query",
    ["", " ", "the", "***", "-", '"', "(((", "a" * 10_000, "🙂", "\ud800", "\0", "x" * 50 + " y", "title:"],
)
def test_nothing_a_reader_types_throws(query: str) -> None:
    index = LexicalIndex.build(META)
    for options in ({}, {"as_you_type": True}, {"mode": "phrase"}, {"match": "all"}, {"syntax": False}):
        assert index.search(query, **options).total <= len(META)


@pytest.mark.parametrize(
    "texts", [[], [("", "")], [("a", "table")], [("t", "table")] * 2, [("same", "same table")] * 50]
)
def test_small_and_strange_corpora(texts: list[tuple[str, str]]) -> None:
    index = LexicalIndex.build(corpus(texts), FIELDS)
    again = LexicalIndex.from_parts(index.to_parts())
    for query in ("table", "same", "tabel", '"same table"', "tab*", "-table same", ""):
        hits = again.search(query, limit=100).hits
        assert hits == index.search(query, limit=100).hits
        assert [hit.id for hit in hits] == sorted(hit.id for hit in hits)
    assert len(index) == len(texts)
    assert index.search("table").total == sum("table" in text for _, text in texts)


def test_plain_scoring_is_bm25_and_nothing_more() -> None:
    documents = corpus([("", "run running table"), ("", "table table"), ("", "zebra")])
    index = LexicalIndex.build(documents, {"text": FieldOptions(1.0, 0.75)}, scoring=PLAIN)
    expected = Naive(documents, {"text": FieldOptions(1.0, 0.75)}).scores(["run", "table"], PLAIN)
    found = {hit.id: hit.score for hit in index.search("run table").hits}
    assert found == pytest.approx({f"d{n:02}": score for n, score in enumerate(expected) if score})


def test_a_phrase_needs_positions() -> None:
    index = LexicalIndex.build(META, positions=False)
    with pytest.raises(BundleMissing, match="positions=False"):
        index.search('"table one"')
    assert index.search("table one").total == 3
