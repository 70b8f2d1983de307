"""The reader's query syntax: each operator by hand, and that nothing a reader types can break it."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hinny.lexical.syntax import Group, ParsedQuery, Phrase, Term, parse

FIELDS = ("title", "headings", "text")


def clause(text: str) -> Term | Phrase | Group:
    (only,) = parse(text, fields=FIELDS).clauses
    return only


def test_words() -> None:
    query = parse("full text  search")
    assert query.clauses == (
        Term("full", start=0, end=4),
        Term("text", start=5, end=9),
        Term("search", start=11, end=17),
    )
    assert query.is_plain
    assert query.problems == ()


def test_a_phrase_and_its_slop() -> None:
    assert clause('"full text"') == Phrase("full text", start=0, end=11)
    assert clause('"full text"~3') == Phrase("full text", slop=3, start=0, end=13)
    assert clause('"full text"~') == Phrase("full text", slop=1, start=0, end=12)


@pytest.mark.parametrize(
    "quoted", ["“a b”", "„a b“", "«a b»", "»a b«", "「a b」", "『a b』", "＂a b＂", '“a b"']
)
def test_quotation_marks_of_all_languages(quoted: str) -> None:
    assert clause(quoted) == Phrase("a b", start=0, end=5)


def test_exclusion_and_must() -> None:
    query = parse('keep -drop +need -"a phrase" -title:word', fields=FIELDS)
    assert [(leaf.text, leaf.occur) for leaf in query.leaves()] == [
        ("keep", "should"),
        ("drop", "not"),
        ("need", "must"),
        ("a phrase", "not"),
        ("word", "not"),
    ]
    assert query.plain_text == "keep need"
    assert not query.is_plain


def test_field_scope() -> None:
    assert clause("title:word") == Term("word", field="title", start=0, end=10)
    assert clause("TITLE:word") == Term("word", field="title", start=0, end=10)
    assert clause('headings:"a b"') == Phrase("a b", field="headings", start=0, end=14)
    assert clause("+title:pre*") == Term("pre", "prefix", field="title", occur="must", start=0, end=11)
    group = clause("title:(a b)")
    assert isinstance(group, Group)
    assert [child.field for child in group.children if isinstance(child, Term)] == ["title", "title"]


@pytest.mark.parametrize(
    ("written", "text", "match"),
    [
        ("pre*", "pre", "prefix"),
        ("*fix", "fix", "suffix"),
        ("*mid*", "mid", "substring"),
        ("wor~", "wor", "fuzzy"),
        ("＊末尾", "末尾", "suffix"),
        ("node.js*", "node.js", "prefix"),
    ],
)
def test_ways_to_match(written: str, text: str, match: str) -> None:
    found = clause(written)
    assert isinstance(found, Term)
    assert (found.text, found.match) == (text, match)


def test_fuzzy_distance() -> None:
    assert clause("word~2") == Term("word", "fuzzy", 2, start=0, end=6)
    query = parse("word~7 word~999999999999")
    assert [leaf.distance for leaf in query.leaves() if isinstance(leaf, Term)] == [3, 3]
    assert query.problems == ("~7 is more than 3: taken as 3", "~999999999 is more than 3: taken as 3")


def test_alternatives() -> None:
    query = parse("big cat OR dog OR bird now")
    assert query.clauses == (
        Term("big", start=0, end=3),
        Group(
            (Term("cat", start=4, end=7), Term("dog", start=11, end=14), Term("bird", start=18, end=22)),
            any_of=True,
            start=4,
            end=22,
        ),
        Term("now", start=23, end=26),
    )
    assert query.plain_text == "big cat dog bird now"


def test_must_beside_or_holds_for_the_group() -> None:
    group = clause('+cat OR "big dog"')
    assert isinstance(group, Group)
    assert (group.any_of, group.occur) == (True, "must")
    assert {child.occur for child in group.children} == {"should"}


def test_exclusion_beside_or_is_text() -> None:
    query = parse("cat OR -dog")
    assert query.plain_text == "cat -dog"
    assert query.problems == ("- does not work beside OR: searched as text",)


def test_or_without_two_sides_is_a_word() -> None:
    for text in ("OR", "OR cat", "cat OR", "cat or dog", "(OR)"):
        query = parse(text)
        assert all(isinstance(part, Term) for part in query.clauses), text
        assert query.plain_text == text.strip("()")


def test_parentheses() -> None:
    query = parse("(a b) -(c d) (e) ((f OR g))")
    first, second, third, fourth = query.clauses
    assert isinstance(first, Group)
    assert (len(first.children), first.any_of, first.start, first.end) == (2, False, 0, 5)
    assert isinstance(second, Group)
    assert second.occur == "not"
    assert third == Term("e", start=13, end=16)
    assert isinstance(fourth, Group)
    assert fourth.any_of
    assert [leaf.text for leaf in query.leaves() if leaf.occur == "not"] == ["c", "d"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "f(x)",
            "std::vector",
            "http://example.org/a",
            "--flag",
            "-v",
            "~/.bashrc",
            '12"',
            "a->b",
            "C++",
            "a-b",
            "5*3=15",
        ),
        *(
            "12:30",
            "error:",
            "C:\\temp",
            "**kwargs",
            "*",
            "+",
            "-",
            "~",
            "~5",
            ":)",
            "a~b",
            "++i",
            "don't",
            "x+y",
            "a|b",
        ),
        *("what?", "AND", "NOT", "#42", "@user", "$1", "foo()", "- a", "+ a"),
    ],
)
def test_what_only_looks_like_an_operator_is_text(text: str) -> None:
    query = parse(text, fields=FIELDS)
    assert query.is_plain
    assert query.plain_text == text
    assert query.problems == ()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('"open phrase', "a quotation mark is not closed"),
        ("(open bracket", "a bracket is not closed"),
        ("(" * 40 + "a" + ")" * 40, "brackets are too deep"),
        ("colour:red", "there is no field 'colour'"),
        ("wo*rd", "a * counts only"),
        ("-only -this", "nothing is left to find"),
    ],
)
def test_what_cannot_be_read_is_searched_as_text_and_said(text: str, problem: str) -> None:
    query = parse(text, fields=FIELDS)
    assert query.is_plain
    assert sum(problem in said for said in query.problems) == 1
    for letter in filter(str.isalnum, text):
        assert letter in query.plain_text


def test_the_last_word_of_a_query_still_being_typed() -> None:
    assert clause_matches(parse("full tex", as_you_type=True)) == ["word", "typing"]
    assert clause_matches(parse("full tex ", as_you_type=True)) == ["word", "word"]
    assert clause_matches(parse('"full tex', as_you_type=True)) == ["word", "typing"]
    assert clause_matches(parse("full tex*", as_you_type=True)) == ["word", "prefix"]
    assert clause_matches(parse("full -tex", as_you_type=True)) == ["word", "typing"]
    assert parse("", as_you_type=True).clauses == ()
    assert parse("full tex", as_you_type=True).is_plain


def clause_matches(query: ParsedQuery) -> list[str]:
    return [leaf.match for leaf in query.leaves() if isinstance(leaf, Term)]


@pytest.mark.parametrize(
    "unit",
    [
        "(",
        ")",
        '"',
        "「",
        "a OR ",
        "-(a ",
        "()",
        '" ',
        "“(-",
        "title:",
        "+",
        "~",
        "*",
        "\u3000",
        "漢",
        "a" * 97 + " ",
        "-a ",
        "OR ",
    ],
)
def test_ten_thousand_characters_of_anything(unit: str) -> None:
    text = (unit * 10_000)[:10_000]
    query = parse(text, fields=FIELDS, as_you_type=True)
    assert ParsedQuery.from_dict(json.loads(json.dumps(query.to_dict()))) == query


OPERATORS = st.sampled_from(
    [*'"“”„«»「」()+-*~:^|', "OR", " ", " ", "title:", "a", "word", "漢", "~2", "C++", "\u3000", "\n"]
)
QUERIES = st.lists(OPERATORS, max_size=30).map("".join) | st.text(max_size=60)


@given(QUERIES, st.booleans())
@example("a OR OR OR b", False)
@example("((a) OR (b)) OR -c", False)
def test_nothing_is_lost_and_nothing_raises(text: str, typing: bool) -> None:
    query = parse(text, fields=FIELDS, as_you_type=typing)
    assert query.text == text
    assert ParsedQuery.from_dict(json.loads(json.dumps(query.to_dict()))) == query
    end = 0
    for part in query.clauses:  # clauses follow each other and leave out nothing but space and operators
        assert end <= part.start < part.end <= len(text)
        assert not any(character.isalnum() for character in text[end : part.start])
        end = part.end
    assert not any(character.isalnum() for character in text[end:])
    kept = "".join(leaf.text for leaf in query.leaves())
    assert kept.count("word") == text.count("word")
    assert bool(query.clauses) == bool(text.strip())


@given(st.text(alphabet="abc 漢é0_.", max_size=40))
def test_text_without_operators_is_plain(text: str) -> None:
    query = parse(text, fields=FIELDS)
    assert query.is_plain
    assert query.plain_text.split() == text.split()
