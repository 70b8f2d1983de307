"""What docs/analysis.md and docs/query-syntax.md promise, row by row."""

from __future__ import annotations

import re
from pathlib import Path

from hinny.lexical.syntax import parse
from hinny.text.analyzer import JOINED, PART, WORD, get_analyzer
from hinny.text.languages import LANGUAGES
from hinny.text.stopwords import stop_words

DOCS = Path(__file__).parents[2] / "docs"
ANALYSIS = (DOCS / "analysis.md").read_text(encoding="utf-8")
SYNTAX = (DOCS / "query-syntax.md").read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """The cells of every table row but the headings."""
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_table_of_identifiers() -> None:
    checked = 0
    analyzer = get_analyzer("standard@1")
    for written, words, parts in rows(ANALYSIS):
        tokens = [analyzer.analyze(one) for one in re.findall(r"`([^`]+)`", written)]
        if words != "as written, folded":
            found = [token.term for example in tokens for token in example if token.kind == WORD]
            assert list(dict.fromkeys(found)) == re.split(r"[;,] ", words), written
            checked += len(found)
        if parts.startswith("joined: "):
            joined = [token.term for example in tokens for token in example if token.kind == JOINED]
            assert joined == parts.removeprefix("joined: ").split("; "), written
        elif re.fullmatch(r"[a-z]+(?:[;,] [a-z]+)*", parts):
            found_parts = [token.term for example in tokens for token in example if token.kind == PART]
            assert set(found_parts) == set(re.split(r"[;,] ", parts)), written
    assert checked > 20


def test_the_languages_with_stems_are_named() -> None:
    named = re.sub(r"\(.*?\)", "", ANALYSIS.split("Stemming by Snowball: ")[1].split(".")[0], flags=re.DOTALL)
    assert len(named.split(",")) == sum(bool(entry.stemmer) for entry in LANGUAGES.values())
    for language in LANGUAGES:
        assert stop_words(language)


def test_every_row_of_the_syntax_is_an_operator() -> None:
    for written, _ in rows(SYNTAX):
        query = parse("word " + written.strip("`"), fields=["title"])
        assert query.problems == (), written
        assert query.is_plain == (written == "`full text`"), written


def test_what_is_said_to_be_text_is_text() -> None:
    section = SYNTAX.split("## What is text")[1].split("## ")[0]
    examples = [one for one in re.findall(r"`([^`]+)`", section) if not one.startswith("-x")]
    assert len(examples) > 12
    for one in examples:
        assert parse(one, fields=["title"]).is_plain, one


def test_the_python_of_the_syntax_page() -> None:
    query = parse('rebuild "b-tree index" -hash title:reindex', fields=["title", "text"])
    assert repr(query.plain_text) + ":" in SYNTAX
    assert query.problems == ()
    assert not query.is_plain
