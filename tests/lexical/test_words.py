"""Texts as query words."""

from __future__ import annotations

import pytest

from hinny.lexical.index import LexicalIndex
from hinny.lexical.words import WordReader
from hinny.records import Document
from hinny.text.analyzer import get_analyzer


@pytest.fixture(scope="module")
def reader() -> WordReader:
    return WordReader([get_analyzer("en@1")], lambda part, term: 0, 0.5, 0.25)


@pytest.mark.parametrize(
    "chunk",
    [
        "index",
        "Index,",
        "the",
        "Résumé",
        "full-text",
        "node.js",
        "work_mem",
        "--",
        "\u5168\u6587",
        "it's",
        "3.14",
    ],
)
def test_a_chunk_has_the_words_of_the_text(reader: WordReader, chunk: str) -> None:
    def facts(words) -> list[tuple[object, ...]]:
        return [(w.term, w.exact, w.kind, w.position, w.stop, w.weight) for w in words]

    assert facts(reader.chunk(chunk)) == facts(reader.plain(chunk)[0])


def test_a_repeated_word_is_there_once(reader: WordReader) -> None:
    words, last = reader.plain("index the index")
    assert [(word.term, word.weight, word.stop) for word in words] == [
        ("index", 2.0, False),
        ("the", 1.0, True),
    ]
    assert last == [words[0]]
    assert WordReader([], lambda part, term: 0, 0.5, 0.25).chunk("index") == []


def test_function_words_of_a_language_that_no_document_is_in_are_idle() -> None:
    """Rare in an English index, `ist` and `oder` would weigh most of all that the question says."""
    index = LexicalIndex.build(
        [
            Document(
                "list",
                {"title": "Conjunctions", "text": "For German: apples oder pears, das ist und der"},
                language="en",
            ),
            Document(
                "map",
                {"title": "Array map", "text": "The map method of an array makes a new array"},
                language="en",
            ),
            Document("set", {"title": "Set", "text": "A set keeps each of its values once"}, language="en"),
        ],
        fields=["title", "text"],
    )
    question = "Wie ist das mit map bei einem Array oder der Liste?"
    assert [hit.id for hit in index.search(question).hits] == ["map"]
    assert next(hit.id for hit in index.search(question, as_you_type=True).hits) == "map"
    assert [hit.id for hit in index.search(f'{question} -"no such"').hits] == ["map"]
    assert [hit.id for hit in index.search("das ist oder").hits] == ["list"]
    assert not any("oder" in word for word in index.search(question).also_searched)
